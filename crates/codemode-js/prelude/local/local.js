// What the modules of authority `local` share: operations that throw as Node does, paths, and callbacks.
"use strict";
(function ({ perform, begin, unref, folder, kindOf }, { Error, TypeError }, use) {
  const { textOf } = use("given");

  const errorOf = (fault) => {
    const error = new Error(fault.message);
    for (const name of ["errno", "code", "syscall", "path", "dest"]) if (fault[name] !== null && fault[name] !== undefined) error[name] = fault[name];
    return error;
  };
  const given = (record) => {
    if (record[0] !== undefined) throw errorOf(record[0]);
    return { value: record[1], parts: record[2] };
  };
  const now = (name, args, parts) => given(perform(name, args, parts));
  const later = async (name, args, parts) => given(await begin(name, args, parts));

  const coded = (Class, code, message) => {
    const error = new Class(message);
    error.code = code;
    return error;
  };
  const resolved = (path) => {
    const text = textOf(path);
    const parts = (text[0] === "/" ? text : `${folder()}/${text}`).split("/");
    const kept = [];
    for (let i = 0; i < parts.length; i++) {
      if (parts[i] === "..") kept.pop();
      else if (parts[i] !== "" && parts[i] !== ".") kept.push(parts[i]);
    }
    return `/${kept.join("/")}`;
  };
  // A path as programs write it: text, an address of a file, or bytes.
  const pathOf = (path, name = "path") => {
    if (typeof path === "object" && path !== null) {
      if (typeof path.href === "string" && path.protocol === "file:") path = decodeURIComponent(path.pathname);
      else if (kindOf(path) === "view") path = use("buffer").Buffer.from(path).toString();
    }
    if (typeof path !== "string") {
      throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type string or an instance of Buffer or URL. Received ${path === null ? "null" : typeof path}`);
    }
    if (path.includes("\0")) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument '${name}' must be a string without null bytes`);
    // A trailing slash says that it is a folder; the system is to see it.
    const whole = resolved(path);
    return path.length > 1 && path[path.length - 1] === "/" && whole !== "/" ? `${whole}/` : whole;
  };
  // Gives a function of promises the form with a callback.
  const calledBack = (act) => (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "callback" argument must be of type function; await the function of fs/promises where you want a promise');
    (async () => act(...args))().then((value) => callback(null, value), (error) => callback(error));
  };
  return { now, later, begin, given, unref, errorOf, coded, pathOf, resolved, calledBack };
})
