// AbortController and AbortSignal, with listeners for `abort` alone. No tool reads them: they serve programs' own code.
"use strict";
(function ({ setTimeout }, { TypeError, apply, hasTimers }, use) {
  const { listOf } = use("given");
  let abort;
  const reasonOf = (reason, text, name) => reason === undefined ? new (use("exception").DOMException)(text, name) : reason;
  const OURS = {};

  class AbortSignal {
    #aborted = false; #reason; #listeners = []; #followers = [];
    onabort = null;
    static {
      abort = (signal, reason) => {
        if (signal.#aborted) return;
        signal.#aborted = true;
        signal.#reason = reason;
        const event = { type: "abort", target: signal };
        const listeners = signal.#listeners;
        signal.#listeners = [];
        if (typeof signal.onabort === "function") signal.onabort(event);
        for (let i = 0; i < listeners.length; i++) {
          const { listener, once } = listeners[i];
          if (!once) signal.#listeners[signal.#listeners.length] = listeners[i];
          if (typeof listener === "function") apply(listener, signal, [event]);
          else listener.handleEvent(event);
        }
        for (let i = 0; i < signal.#followers.length; i++) abort(signal.#followers[i], reason);
      };
    }
    constructor(token) { if (token !== OURS) throw new TypeError("Illegal constructor"); }
    static abort(reason = undefined) {
      const signal = new AbortSignal(OURS);
      abort(signal, reasonOf(reason, "This operation was aborted", "AbortError"));
      return signal;
    }
    static timeout(delay) {
      if (!hasTimers) throw new TypeError("AbortSignal.timeout is not there: a batch is synchronous and has no timers");
      const signal = new AbortSignal(OURS);
      setTimeout(() => abort(signal, reasonOf(undefined, "The operation was aborted due to timeout", "TimeoutError")), +delay);
      return signal;
    }
    static any(signals) {
      const joined = new AbortSignal(OURS);
      const list = listOf(signals);
      for (let i = 0; i < list.length; i++) {
        if (list[i].#aborted) { abort(joined, list[i].#reason); break; }
        list[i].#followers[list[i].#followers.length] = joined;
      }
      return joined;
    }
    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }
    addEventListener(type, listener, options = undefined) {
      if (type !== "abort" || listener === null || listener === undefined) return;
      for (let i = 0; i < this.#listeners.length; i++) if (this.#listeners[i].listener === listener) return;
      this.#listeners[this.#listeners.length] = { listener, once: typeof options === "object" && options !== null && Boolean(options.once) };
    }
    removeEventListener(type, listener) {
      const kept = [];
      for (let i = 0; i < this.#listeners.length; i++) {
        if (type !== "abort" || this.#listeners[i].listener !== listener) kept[kept.length] = this.#listeners[i];
      }
      this.#listeners = kept;
    }
  }

  class AbortController {
    #signal = new AbortSignal(OURS);
    get signal() { return this.#signal; }
    abort(reason = undefined) { abort(this.#signal, reasonOf(reason, "This operation was aborted", "AbortError")); }
  }
  return { AbortController, AbortSignal };
})
