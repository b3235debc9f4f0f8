// The module `child_process`: what waits for a process at once, and what talks to it while it runs.
"use strict";
(function (natives, { Error, TypeError }, use) {
  const { now, begin, given, unref, coded, pathOf } = use("local");
  const { Buffer, made, bytesOf, encodingOf, encoded } = use("buffer");
  const { EventEmitter } = use("events");
  const { folder, write, setTimeout, clearTimeout } = natives;
  const MOST = 1024 * 1024;
  // What util.promisify looks for.
  const PROMISED = Symbol.for("nodejs.util.promisify.custom");

  const isBuffer = (encoding) => encoding === undefined || encoding === null || encoding === "buffer";
  const shown = (bytes, encoding) => isBuffer(encoding) ? made(bytes) : encoded(bytes, encodingOf(encoding));
  const stdioOf = (stdio = "pipe") => typeof stdio === "string" ? [stdio, stdio, stdio] : [0, 1, 2].map((at) => stdio[at] ?? "pipe");
  const signalOf = (signal = "SIGTERM") => typeof signal === "number" ? ({ 1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 9: "SIGKILL", 15: "SIGTERM" })[signal] ?? `${signal}` : `${signal}`;
  const textArg = (value, name) => {
    if (typeof value !== "string") throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type string. Received ${value === null ? "null" : typeof value}`);
    return value;
  };
  // What starts a program: a shell for a command, the program itself for a file.
  const plan = (file, args, options, shell) => {
    const env = {};
    const source = options.env ?? use("process").process.env;
    for (const name of Object.keys(source)) if (source[name] !== undefined) env[name] = `${source[name]}`;
    const list = args.map((arg) => `${arg}`);
    const stdio = stdioOf(options.stdio);
    const command = shell ? { file: typeof shell === "string" ? shell : "/bin/sh", args: ["-c", [textArg(file, "command"), ...list].join(" ")] } : { file: textArg(file, "file"), args: list };
    return { ...command, cwd: options.cwd === undefined || options.cwd === null ? folder() : pathOf(options.cwd, "options.cwd"), env, argv0: options.argv0, stdin: stdio[0] === "ignore" ? "ignore" : "pipe", stdout: stdio[1] === "ignore" ? "ignore" : "pipe", stderr: stdio[2] === "ignore" ? "ignore" : "pipe" };
  };
  const split = (args, options) => Array.isArray(args) ? [args, options ?? {}] : [[], args ?? options ?? {}];
  const commandOf = (file, args) => [file, ...args].join(" ");

  const ran = (file, args, options, shell) => {
    const stdio = stdioOf(options.stdio);
    const input = options.input === undefined || options.input === null ? [] : [bytesOf(options.input, options.encoding, "input")];
    const op = { ...plan(file, args, options, shell), timeout: options.timeout, maxBuffer: options.maxBuffer === Infinity ? 2 ** 52 : options.maxBuffer ?? MOST, killSignal: signalOf(options.killSignal) };
    let answer;
    try {
      answer = now("process.run", op, input);
    } catch (error) {
      if (error.syscall === undefined || !error.syscall.startsWith("spawn")) throw error;
      Object.assign(error, { message: `spawnSync ${op.file} ${error.code}`, syscall: `spawnSync ${op.file}`, spawnargs: op.args });
      return { pid: 0, output: null, stdout: null, stderr: null, status: null, signal: null, error };
    }
    const { pid, status, signal, over } = answer.value;
    for (const at of [1, 2]) if (stdio[at] === "inherit" && answer.parts[at - 1].length > 0) write(encoded(answer.parts[at - 1], "utf8"));
    const at = (index) => stdio[index] === "pipe" ? shown(answer.parts[index - 1], options.encoding) : null;
    const result = { pid, output: [null, at(1), at(2)], stdout: at(1), stderr: at(2), status, signal };
    if (over !== null) {
      const code = over === "timeout" ? "ETIMEDOUT" : "ENOBUFS";
      result.error = Object.assign(coded(Error, code, `spawnSync ${op.file} ${code}`), { errno: over === "timeout" ? -110 : -105, syscall: `spawnSync ${op.file}`, path: op.file, spawnargs: op.args });
    }
    return result;
  };
  const checked = (result, what) => {
    const { status, signal, error } = result;
    if (error === undefined && status === 0) return result.stdout;
    const told = result.stderr === null || result.stderr.length === 0 ? "" : `\n${result.stderr.toString()}`;
    throw Object.assign(error ?? new Error(`Command failed: ${what}${told}`), { status, signal, output: result.output, pid: result.pid, stdout: result.stdout, stderr: result.stderr });
  };
  const spawnSync = (file, args = undefined, options = undefined) => {
    const [list, given] = split(args, options);
    return ran(file, list, given, given.shell);
  };
  const execFileSync = (file, args = undefined, options = undefined) => {
    const [list, given] = split(args, options);
    return checked(ran(file, list, given, given.shell), commandOf(file, list));
  };
  const execSync = (command, options = {}) => checked(ran(command, [], options, options?.shell ?? true), command);

  class Readable extends EventEmitter {
    #encoding; #waiting = []; #wake; readable = true; destroyed = false; #ended = false;
    setEncoding(encoding) { this.#encoding = encodingOf(encoding); return this; }
    resume() { return this; }
    pause() { return this; }
    destroy() { this.destroyed = true; return this; }
    pipe(target) {
      this.on("data", (chunk) => target.write(chunk));
      if (target.fd === undefined) this.on("end", () => target.end?.());
      return target;
    }
    heard(bytes) {
      const chunk = this.#encoding === undefined ? made(bytes) : encoded(bytes, this.#encoding);
      this.#waiting?.push(chunk);
      if (this.listenerCount("data") > 0) this.#waiting = [];
      this.emit("data", chunk);
      this.#wake?.();
    }
    finish() {
      if (this.#ended) return;
      this.#ended = true;
      this.readable = false;
      this.emit("end");
      this.emit("close");
      this.#wake?.();
    }
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (this.#waiting.length > 0) yield this.#waiting.shift();
        else if (this.#ended) return;
        else await new Promise((resolve) => { this.#wake = resolve; });
      }
    }
  }
  class Writable extends EventEmitter {
    #id; #last = Promise.resolve(); writable = true;
    constructor(id) { super(); this.#id = id; }
    #later(act, callback) {
      this.#last = this.#last.then(act).then(() => callback?.(), (error) => {
        if (callback !== undefined) callback(error);
        else if (this.listenerCount("error") > 0) this.emit("error", error);
      });
    }
    write(chunk, encoding = undefined, callback = undefined) {
      if (typeof encoding === "function") [encoding, callback] = [undefined, encoding];
      if (!this.writable) throw coded(Error, "ERR_STREAM_WRITE_AFTER_END", "write after end");
      const bytes = bytesOf(chunk, encoding, "chunk");
      this.#later(async () => { given(await begin("process.write", { id: this.#id }, [bytes])); }, callback);
      return true;
    }
    end(chunk = undefined, encoding = undefined, callback = undefined) {
      if (typeof chunk === "function") [chunk, callback] = [undefined, chunk];
      if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
      this.writable = false;
      this.#later(async () => { given(await begin("process.close", { id: this.#id })); this.emit("finish"); this.emit("close"); }, callback);
      return this;
    }
    destroy() { if (this.writable) this.end(); return this; }
  }

  class ChildProcess extends EventEmitter {
    pid; exitCode = null; signalCode = null; killed = false; stdin = null; stdout = null; stderr = null; spawnfile; spawnargs;
    #id; #next; #held = true;
    constructor(op, stdio, signal) {
      super();
      this.spawnfile = op.file;
      this.spawnargs = [op.file, ...op.args];
      try {
        const { id, pid } = now("process.start", op).value;
        this.#id = id;
        this.pid = pid;
      } catch (error) {
        error.spawnargs = op.args;
        queueMicrotask(() => this.emit("error", error));
        return;
      }
      if (stdio[0] === "pipe") this.stdin = new Writable(this.#id);
      // Nobody is there to type.
      else if (stdio[0] !== "ignore") now("process.close", { id: this.#id });
      const outputs = [1, 2].map((at) => stdio[at] === "pipe" ? new Readable() : null);
      [this.stdout, this.stderr] = outputs;
      this.stdio = [this.stdin, ...outputs];
      if (signal !== undefined) {
        const abort = () => {
          this.kill();
          this.emit("error", Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR", cause: signal.reason }));
        };
        if (signal.aborted) queueMicrotask(abort);
        else signal.addEventListener("abort", abort, { once: true });
      }
      this.#follow(outputs, stdio);
    }
    async #follow(outputs, stdio) {
      await undefined;
      this.emit("spawn");
      for (;;) {
        this.#next = begin("process.next", { id: this.#id });
        if (!this.#held) unref(this.#next);
        const { value, parts } = given(await this.#next);
        if (value.event === "exit") {
          this.exitCode = value.code;
          this.signalCode = value.signal;
          this.emit("exit", value.code, value.signal);
        } else if (value.event === "close") {
          for (const output of outputs) output?.finish();
          this.emit("close", this.exitCode, this.signalCode);
          return;
        } else {
          const at = value.event === "stdout" ? 0 : 1;
          if (outputs[at] !== null) outputs[at].heard(parts[0]);
          else if (stdio[at + 1] === "inherit") write(encoded(parts[0], "utf8"));
        }
      }
    }
    kill(signal = undefined) {
      if (this.#id === undefined || this.exitCode !== null || this.signalCode !== null) return false;
      const sent = now("process.kill", { id: this.#id, signal: signalOf(signal) }).value;
      this.killed ||= sent;
      return sent;
    }
    // At the end of a run nothing waits for it, and it is killed then.
    unref() { this.#held = false; if (this.#next !== undefined) unref(this.#next); }
    ref() { this.#held = true; }
    disconnect() {}
  }
  const spawn = (file, args = undefined, options = undefined) => {
    const [list, given] = split(args, options);
    const child = new ChildProcess(plan(file, list, given, given.shell), stdioOf(given.stdio), given.signal);
    timed(child, given);
    return child;
  };
  const timed = (child, options) => {
    if (!(options.timeout > 0)) return;
    const timer = setTimeout(() => child.kill(options.killSignal), options.timeout);
    child.once("exit", () => clearTimeout(timer));
  };

  // Runs to the end and gathers both outputs.
  const gathered = (file, args, options, shell, callback) => {
    const child = new ChildProcess(plan(file, args, { ...options, stdio: "pipe" }, shell), stdioOf("pipe"), options.signal);
    const most = options.maxBuffer ?? MOST;
    const pieces = [[], []], sizes = [0, 0];
    const command = shell ? file : commandOf(file, args);
    let failure;
    [child.stdout, child.stderr].forEach((output, at) => output?.on("data", (chunk) => {
      const room = most - sizes[at];
      pieces[at].push(chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk);
      sizes[at] += chunk.length;
      if (chunk.length > room && failure === undefined) {
        failure = coded(Error, "ERR_CHILD_PROCESS_STDIO_MAXBUFFER", `${at === 0 ? "stdout" : "stderr"} maxBuffer length exceeded`);
        child.kill(options.killSignal);
      }
    }));
    const encoding = options.encoding === undefined ? "utf8" : options.encoding;
    let isDone = false;
    const done = (error) => {
      if (isDone) return;
      isDone = true;
      const [stdout, stderr] = pieces.map((all) => shown(Buffer.concat(all), encoding));
      callback?.(error, stdout, stderr);
    };
    child.on("error", (error) => done(Object.assign(error, { cmd: command })));
    child.on("close", (code, signal) => {
      if (failure === undefined && code === 0 && signal === null) return done(null);
      const told = Buffer.concat(pieces[1]).toString();
      const error = failure ?? new Error(`Command failed: ${command}${told === "" ? "" : `\n${told}`}`);
      done(Object.assign(error, { code: failure?.code ?? code ?? null, killed: child.killed, signal, cmd: command }));
    });
    timed(child, options);
    return child;
  };
  const promised = (act) => (...args) => {
    let child;
    const promise = new Promise((resolve, reject) => {
      child = act(...args, (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(Object.assign(error, { stdout, stderr }));
      });
    });
    return Object.assign(promise, { child });
  };
  const exec = (command, options = undefined, callback = undefined) => {
    if (typeof options === "function") [options, callback] = [undefined, options];
    return gathered(textArg(command, "command"), [], options ?? {}, options?.shell ?? true, callback);
  };
  const execFile = (file, ...rest) => {
    const callback = typeof rest[rest.length - 1] === "function" ? rest.pop() : undefined;
    const [args, options] = split(rest[0], rest[1]);
    return gathered(textArg(file, "file"), args, options, options.shell ?? false, callback);
  };
  exec[PROMISED] = promised((command, ...rest) => exec(command, rest.length > 1 ? rest[0] : {}, rest[rest.length - 1]));
  execFile[PROMISED] = promised((file, ...rest) => execFile(file, ...rest));
  const fork = () => { throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "child_process.fork is not there: use spawn, execFile or exec"); };
  const childProcess = { ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };
  return { childProcess };
})
