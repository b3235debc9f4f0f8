// The modules `fs` and `fs/promises`: each function is written once, over how its operation is done.
"use strict";
(function (natives, { Error, TypeError, Date, keys }, use) {
  const { now, later, coded, pathOf, calledBack } = use("local");
  const { Buffer, made, bytesOf, encodingOf, encoded } = use("buffer");
  const constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1, S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000 };

  const optionsOf = (options) => typeof options === "string" ? { encoding: options } : options ?? {};
  const modeOf = (mode) => typeof mode === "string" ? parseInt(mode, 8) : mode;
  const secondsOf = (time) => typeof time === "object" ? time.getTime() / 1000 : Number(time);
  const textOr = (bytes, encoding) => encoding === undefined || encoding === null || encoding === "buffer" ? made(bytes) : encoded(bytes, encodingOf(encoding));

  class Named {
    #kind;
    constructor(kind) { this.#kind = kind; }
    isFile() { return this.#kind === "file"; }
    isDirectory() { return this.#kind === "directory"; }
    isSymbolicLink() { return this.#kind === "symlink"; }
    isFIFO() { return this.#kind === "fifo"; }
    isSocket() { return this.#kind === "socket"; }
    isBlockDevice() { return this.#kind === "block"; }
    isCharacterDevice() { return this.#kind === "character"; }
  }
  class Stats extends Named {
    constructor({ kind, ...fields }) {
      super(kind);
      Object.assign(this, fields);
      for (const name of ["atime", "mtime", "ctime", "birthtime"]) this[name] = new Date(fields[`${name}Ms`]);
    }
  }
  class Dirent extends Named {
    constructor(name, parentPath, kind) {
      super(kind);
      this.name = name;
      this.parentPath = parentPath;
    }
    get path() { return this.parentPath; }
  }

  // Each gives the operation's name, its arguments, its byte parts and what becomes of its answer.
  const FUNCTIONS = {
    readFile(path, options) {
      const { encoding } = optionsOf(options);
      return ["fs.readFile", { path: pathOf(path) }, [], ({ parts }) => textOr(parts[0], encoding)];
    },
    writeFile(path, data, options) {
      const { encoding, mode, flag } = optionsOf(options);
      return ["fs.writeFile", { path: pathOf(path), mode: modeOf(mode), flag: flag ?? "w" }, [bytesOf(data, encoding)]];
    },
    appendFile(path, data, options) {
      const { encoding, mode, flag } = optionsOf(options);
      return ["fs.writeFile", { path: pathOf(path), mode: modeOf(mode), flag: flag ?? "a" }, [bytesOf(data, encoding)]];
    },
    copyFile: (from, to, mode = 0) => ["fs.copyFile", { path: pathOf(from, "src"), to: pathOf(to, "dest"), exclusive: (mode & 1) !== 0 }],
    truncate: (path, length = 0) => ["fs.truncate", { path: pathOf(path), length }],
    access: (path, mode = 0) => ["fs.access", { path: pathOf(path), mode }, [], () => undefined],
    stat: (path) => ["fs.stat", { path: pathOf(path), follow: true }, [], ({ value }) => new Stats(value)],
    lstat: (path) => ["fs.stat", { path: pathOf(path), follow: false }, [], ({ value }) => new Stats(value)],
    utimes: (path, atime, mtime) => ["fs.utimes", { path: pathOf(path), atime: secondsOf(atime), mtime: secondsOf(mtime) }],
    chmod: (path, mode) => ["fs.chmod", { path: pathOf(path), mode: modeOf(mode) }],
    readdir(path, options) {
      const { recursive, withFileTypes } = optionsOf(options);
      const root = pathOf(path), shown = typeof path === "string" ? path : root;
      const inFolder = (folder) => folder === "" ? shown : `${shown.endsWith("/") ? shown : `${shown}/`}${folder}`;
      return ["fs.readdir", { path: root, recursive: Boolean(recursive) }, [], ({ value }) => value.map(({ name, folder, kind }) =>
        withFileTypes ? new Dirent(name, inFolder(folder), kind) : folder === "" ? name : `${folder}/${name}`)];
    },
    mkdir(path, options) {
      const { recursive, mode } = typeof options === "object" && options !== null ? options : { mode: options };
      return ["fs.mkdir", { path: pathOf(path), recursive: Boolean(recursive), mode: modeOf(mode) }, [], ({ value }) => value ?? undefined];
    },
    mkdtemp: (prefix) => ["fs.mkdtemp", { prefix: pathOf(prefix, "prefix") }, [], ({ value }) => value],
    rm: (path, options) => ["fs.rm", { path: pathOf(path), recursive: Boolean(options?.recursive), force: Boolean(options?.force) }],
    rmdir: (path, options) => options?.recursive ? ["fs.rm", { path: pathOf(path), recursive: true }] : ["fs.rmdir", { path: pathOf(path) }],
    cp: (from, to, options) => ["fs.cp", { path: pathOf(from, "src"), to: pathOf(to, "dest"), recursive: Boolean(options?.recursive), force: options?.force ?? true }],
    unlink: (path) => ["fs.unlink", { path: pathOf(path) }],
    rename: (from, to) => ["fs.rename", { path: pathOf(from, "oldPath"), to: pathOf(to, "newPath") }],
    realpath: (path) => ["fs.realpath", { path: pathOf(path) }, [], ({ value }) => value],
    readlink: (path) => ["fs.readlink", { path: pathOf(path) }, [], ({ value }) => value],
    symlink: (target, path) => ["fs.symlink", { target: typeof target === "string" ? target : pathOf(target, "target"), path: pathOf(path) }],
    link: (from, to) => ["fs.link", { path: pathOf(from, "existingPath"), to: pathOf(to, "newPath") }],
  };
  const ended = (then, answer) => then === undefined ? undefined : then(answer);

  const fs = { constants, ...constants, Stats, Dirent };
  const promises = { constants };
  const names = keys(FUNCTIONS);
  for (let i = 0; i < names.length; i++) {
    const name = names[i], plan = FUNCTIONS[name];
    const wait = { [name]: async (...args) => {
      const [op, given, parts, then] = plan(...args);
      return ended(then, await later(op, given, parts ?? []));
    } }[name];
    promises[name] = wait;
    fs[name] = calledBack(wait);
    const sync = `${name}Sync`;
    fs[sync] = { [sync]: (...args) => {
      const [op, given, parts, then] = plan(...args);
      return ended(then, now(op, given, parts ?? []));
    } }[sync];
  }
  // What is asked of a path may be told that nothing is there.
  const forgiving = (sync) => (path, options = undefined) => {
    try {
      return sync(path);
    } catch (error) {
      if (options?.throwIfNoEntry === false && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
      throw error;
    }
  };
  fs.statSync = forgiving(fs.statSync);
  fs.lstatSync = forgiving(fs.lstatSync);
  fs.existsSync = (path) => {
    try {
      fs.accessSync(path);
      return true;
    } catch {
      return false;
    }
  };
  fs.exists = (path, callback) => { promises.access(path).then(() => callback(true), () => callback(false)); };
  fs.realpathSync.native = fs.realpathSync;
  fs.promises = promises;
  for (const name of ["open", "openSync", "createReadStream", "createWriteStream", "watch", "watchFile", "opendir"]) {
    fs[name] = () => { throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", `fs.${name} is not there: use readFile, writeFile, appendFile and readdir, which take whole files and folders`); };
  }
  promises.open = async () => fs.open();
  return { fs, promises, Buffer };
})
