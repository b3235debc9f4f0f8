// Imports: which module a name means, what it is made of, and `require` for CommonJS.
"use strict";
(function ({ folder, evaluateFile, readModule, decodeText }, { Error, TypeError, keys, apply }, use) {
  const { now, coded } = use("local");
  const { textOf } = use("given");
  const NONE = new Uint8Array(0);
  // The modules that are there without a file; each is made when it is first asked for.
  const BUILTINS = {
    "__proto__": null,
    "fs": () => use("fs").fs,
    "fs/promises": () => use("fs").promises,
    "path": () => use("path").path,
    "path/posix": () => use("path").path,
    "process": () => use("process").process,
    "child_process": () => use("child_process").childProcess,
    "buffer": () => ({ Buffer: use("buffer").Buffer }),
    "util": () => ({ promisify }),
  };
  const OTHERS = ["assert", "async_hooks", "cluster", "crypto", "dns", "http", "http2", "https", "module", "net", "os", "perf_hooks", "readline", "stream", "string_decoder", "timers", "tls", "url", "v8", "vm", "worker_threads", "zlib"];
  const PROMISED = Symbol.for("nodejs.util.promisify.custom");
  const promisify = (act) => act[PROMISED] ?? ((...args) => new Promise((resolve, reject) => {
    act(...args, (error, value) => { if (error) reject(error); else resolve(value); });
  }));
  const formats = new Map();
  const required = new Map();
  const builtins = new Map();

  const builtin = (name) => {
    if (!builtins.has(name)) builtins.set(name, BUILTINS[name]());
    return builtins.get(name);
  };
  const unknown = (name) => coded(Error, "ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${name}; there are ${keys(BUILTINS).join(", ")}`);

  const named = (specifier, base, isRequire) => {
    const text = textOf(specifier);
    const bare = text.startsWith("node:") ? text.slice(5) : text;
    if (BUILTINS[bare] !== undefined) return `node:${bare}`;
    if (text.startsWith("node:")) throw unknown(text);
    const from = base[0] === "/" ? base : folder();
    let found;
    try {
      found = now("module.resolve", { specifier: text, from, require: isRequire }).value;
    } catch (error) {
      if (OTHERS.includes(bare) && (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND")) throw unknown(text);
      throw error;
    }
    formats.set(found.path, found.format);
    return found.path;
  };
  const resolve = (base, specifier) => named(specifier, base, false);

  const textOfFile = (path) => {
    const decoded = decodeText("utf-8", NONE, now("fs.readFile", { path }).parts[0], false, false, true);
    return decoded[0];
  };
  const parsed = (path) => {
    try {
      return JSON.parse(textOfFile(path));
    } catch (error) {
      if (error instanceof SyntaxError) error.message = `${path}: ${error.message}`;
      throw error;
    }
  };
  const read = (path) => readModule(textOfFile(path), formats.get(path) ?? "any", /\.[mc]?ts$/.test(path), path);

  // The exports of a module that is no ES module, as names and values in turn.
  const exportsOf = (value) => {
    const list = ["default", value];
    if ((typeof value === "object" || typeof value === "function") && value !== null) {
      const names = keys(value);
      for (let i = 0; i < names.length; i++) if (names[i] !== "default") list.push(names[i], value[names[i]]);
    }
    return list;
  };
  const load = (name) => {
    if (name.startsWith("node:")) return exportsOf(builtin(name.slice(5)));
    if (formats.get(name) === "json") return ["default", jsonOf(name)];
    if (required.has(name)) return exportsOf(required.get(name).exports);
    const [isModule, text] = read(name);
    return isModule ? text : exportsOf(run(name, text));
  };
  const jsonOf = (path) => {
    if (!required.has(path)) required.set(path, { exports: parsed(path) });
    return required.get(path).exports;
  };
  const run = (path, text) => {
    const module = { id: path, filename: path, path: path.slice(0, path.lastIndexOf("/")) || "/", loaded: false, exports: {}, children: [] };
    required.set(path, module);
    try {
      const body = evaluateFile(path, `(function (exports, require, module, __filename, __dirname) {${text}\n})`);
      apply(body, module.exports, [module.exports, requireFrom(path), module, path, module.path]);
    } catch (error) {
      required.delete(path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  };
  const requireFrom = (base) => {
    const require = (specifier) => {
      if (typeof specifier !== "string" || specifier === "") {
        throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "id" argument must be a string that is not empty');
      }
      const name = named(specifier, base, true);
      if (name.startsWith("node:")) return builtin(name.slice(5));
      if (formats.get(name) === "json") return jsonOf(name);
      if (required.has(name)) return required.get(name).exports;
      const [isModule, text] = read(name);
      if (isModule) throw coded(Error, "ERR_REQUIRE_ESM", `${name} is an ES module, which require cannot load: write await import(${JSON.stringify(specifier)})`);
      return run(name, text);
    };
    require.resolve = (specifier) => {
      const name = named(specifier, base, true);
      return name.startsWith("node:") ? name.slice(5) : name;
    };
    return require;
  };

  const importFrom = evaluateFile("codemode:import", "(function (name) { return import(name); })");
  const project = {
    import: async (specifier) => importFrom(typeof specifier === "object" && specifier !== null ? textOf(specifier.href) : textOf(specifier)),
  };
  return { resolve, load, project, require: requireFrom("") };
})
