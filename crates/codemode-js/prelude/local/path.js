// The module `path`, of POSIX systems.
"use strict";
(function ({ folder }, { TypeError }, use) {
  const check = (path, name) => {
    if (typeof path === "string") return path;
    throw use("local").coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type string. Received ${path === null ? "null" : typeof path}`);
  };
  const folded = (path, isAbsolute) => {
    const parts = path.split("/");
    const kept = [];
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (part === "" || part === ".") continue;
      if (part !== "..") kept.push(part);
      else if (kept.length > 0 && kept[kept.length - 1] !== "..") kept.pop();
      else if (!isAbsolute) kept.push("..");
    }
    return kept.join("/");
  };
  const isAbsolute = (path) => check(path, "path")[0] === "/";
  const normalize = (path) => {
    if (check(path, "path") === "") return ".";
    const absolute = isAbsolute(path);
    let whole = folded(path, absolute);
    if (whole === "" && !absolute) whole = ".";
    if (whole !== "" && path[path.length - 1] === "/") whole += "/";
    return absolute ? `/${whole}` : whole;
  };
  const join = (...paths) => {
    const parts = paths.filter((path) => check(path, "path") !== "");
    return parts.length === 0 ? "." : normalize(parts.join("/"));
  };
  const resolve = (...paths) => {
    let whole = "";
    for (let i = paths.length - 1; i >= -1 && whole[0] !== "/"; i--) {
      const path = i < 0 ? folder() : check(paths[i], `paths[${i}]`);
      if (path !== "") whole = whole === "" ? path : `${path}/${whole}`;
    }
    return `/${folded(whole, true)}`;
  };
  const relative = (from, to) => {
    const start = resolve(check(from, "from")), end = resolve(check(to, "to"));
    if (start === end) return "";
    const left = start.split("/").filter(Boolean), right = end.split("/").filter(Boolean);
    let same = 0;
    while (same < left.length && same < right.length && left[same] === right[same]) same += 1;
    return [...left.slice(same).map(() => ".."), ...right.slice(same)].join("/");
  };
  const trimmed = (path) => {
    let end = path.length;
    while (end > 1 && path[end - 1] === "/") end -= 1;
    return path.slice(0, end);
  };
  const dirname = (path) => {
    const whole = trimmed(check(path, "path"));
    const at = whole.lastIndexOf("/");
    return at < 0 ? "." : at === 0 ? "/" : trimmed(whole.slice(0, at));
  };
  const basename = (path, suffix = undefined) => {
    const whole = trimmed(check(path, "path"));
    const base = whole.slice(whole.lastIndexOf("/") + 1);
    if (suffix === undefined || check(suffix, "suffix") === base || !base.endsWith(suffix)) return base;
    return base.slice(0, base.length - suffix.length);
  };
  const extname = (path) => {
    const base = basename(path);
    const at = base.lastIndexOf(".");
    return at <= 0 || base === ".." ? "" : base.slice(at);
  };
  const parse = (path) => {
    const base = basename(path), ext = extname(path), root = isAbsolute(path) ? "/" : "";
    const dir = trimmed(path).includes("/") ? dirname(path) : "";
    return { root, dir, base, ext, name: ext === "" ? base : base.slice(0, base.length - ext.length) };
  };
  const format = ({ root = "", dir = "", base, name = "", ext = "" }) => {
    const file = base ?? `${name}${ext !== "" && ext[0] !== "." ? "." : ""}${ext}`;
    const before = dir === "" ? root : dir;
    return before === "" ? file : before === root ? `${before}${file}` : `${before}/${file}`;
  };
  const path = { basename, delimiter: ":", dirname, extname, format, isAbsolute, join, normalize, parse, relative, resolve, sep: "/", toNamespacedPath: (path) => path };
  path.posix = path;
  return { path };
})
