// The global `process`, which is the module of that name as well.
"use strict";
(function ({ folder, setFolder, write, now: clock }, { Error, TypeError }, use) {
  const { now, coded, pathOf, resolved } = use("local");
  const { textOf } = use("given");
  const info = now("process.info", {}).value;
  const started = clock();

  const stream = (fd) => ({
    fd, isTTY: false, columns: 80, writable: true,
    write(chunk, encoding = undefined, callback = undefined) {
      write(typeof chunk === "string" ? chunk : use("buffer").encoded(use("buffer").bytesOf(chunk), "utf8"));
      const done = typeof encoding === "function" ? encoding : callback;
      if (typeof done === "function") queueMicrotask(() => done());
      return true;
    },
    end(chunk = undefined) { if (chunk !== undefined) this.write(chunk); },
    on() { return this; }, once() { return this; },
  });
  const nothing = () => process;
  const process = {
    title: "codemode", pid: info.pid, ppid: info.ppid, platform: info.platform, arch: info.arch, execPath: info.execPath,
    argv: [info.execPath, "program"], argv0: "codemode", execArgv: [], exitCode: undefined,
    // A copy: what a program sets is seen by the processes that it starts, and by nobody else.
    env: { ...info.env },
    versions: { codemode: "1" }, version: "v22.0.0", release: { name: "codemode" },
    stdout: stream(1), stderr: stream(2),
    cwd: () => folder(),
    chdir(path) {
      const whole = pathOf(path, "directory");
      const stat = now("fs.stat", { path: whole, follow: true }).value;
      if (stat.kind !== "directory") throw coded(Error, "ENOTDIR", `ENOTDIR: not a directory, chdir ${folder()} -> '${textOf(path)}'`);
      setFolder(resolved(path));
    },
    hrtime: Object.assign((before = undefined) => {
      const elapsed = clock() - started;
      const seconds = Math.floor(elapsed / 1000), nanos = (elapsed % 1000) * 1e6;
      if (before === undefined) return [seconds, nanos];
      const behind = nanos < before[1];
      return [seconds - before[0] - (behind ? 1 : 0), nanos - before[1] + (behind ? 1e9 : 0)];
    }, { bigint: () => BigInt(clock() - started) * 1000000n }),
    uptime: () => (clock() - started) / 1000,
    nextTick: (callback, ...args) => { queueMicrotask(() => callback(...args)); },
    getuid: () => info.uid, getgid: () => info.gid, geteuid: () => info.uid, getegid: () => info.gid,
    kill(pid, signal = "SIGTERM") {
      if (typeof pid !== "number") throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "pid" argument must be of type number');
      return now("process.signal", { pid, signal: textOf(signal) }).value;
    },
    exit() { throw coded(Error, "ERR_UNAVAILABLE", "process.exit is not there: end the program with return, or throw an error"); },
    abort() { process.exit(); },
    emitWarning(warning) { write(`Warning: ${textOf(warning?.message ?? warning)}\n`); },
    on: nothing, once: nothing, off: nothing, removeListener: nothing, addListener: nothing, removeAllListeners: nothing, emit: () => false,
    listenerCount: () => 0,
  };
  return { process, tmpdir: info.tmpdir };
})
