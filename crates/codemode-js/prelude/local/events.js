// What of Node's EventEmitter processes and their streams need.
"use strict";
(function (natives, { Error, apply }, use) {
  class EventEmitter {
    #listeners = new Map();
    on(name, listener) { return this.#add(name, { listener, once: false }, false); }
    addListener(name, listener) { return this.on(name, listener); }
    prependListener(name, listener) { return this.#add(name, { listener, once: false }, true); }
    once(name, listener) { return this.#add(name, { listener, once: true }, false); }
    off(name, listener) {
      const all = this.#listeners.get(name) ?? [];
      const at = all.findLastIndex((one) => one.listener === listener);
      if (at >= 0) this.#listeners.set(name, all.toSpliced(at, 1));
      return this;
    }
    removeListener(name, listener) { return this.off(name, listener); }
    removeAllListeners(name = undefined) {
      if (name === undefined) this.#listeners.clear();
      else this.#listeners.delete(name);
      return this;
    }
    setMaxListeners() { return this; }
    listenerCount(name) { return (this.#listeners.get(name) ?? []).length; }
    listeners(name) { return (this.#listeners.get(name) ?? []).map((one) => one.listener); }
    emit(name, ...args) {
      const all = this.#listeners.get(name) ?? [];
      if (all.length === 0 && name === "error") throw args[0] ?? new Error("Unhandled error.");
      for (const one of all) {
        if (one.once) this.off(name, one.listener);
        apply(one.listener, this, args);
      }
      return all.length > 0;
    }
    #add(name, one, first) {
      const all = this.#listeners.get(name) ?? [];
      this.#listeners.set(name, first ? [one, ...all] : [...all, one]);
      return this;
    }
  }
  return { EventEmitter };
})
