// What Boa lacks or does otherwise than the language says, as far as a program would notice.
"use strict";
(function (enqueue, depthOf) {
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const { SyntaxError, TypeError, String } = globalThis;
  const hide = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });

  hide(globalThis, "queueMicrotask", {
    queueMicrotask(callback) {
      if (typeof callback !== "function") throw new TypeError("queueMicrotask needs a function");
      enqueue(callback);
    },
  }.queueMicrotask);

  hide(Array, "fromAsync", {
    async fromAsync(items, mapper = undefined, self = undefined) {
      if (mapper !== undefined && typeof mapper !== "function") throw new TypeError("the second argument of Array.fromAsync is not a function");
      const list = typeof this === "function" && this !== Array ? new this() : [];
      let count = 0;
      const add = async (item) => {
        const value = mapper === undefined ? item : await apply(mapper, self, [item, count]);
        defineProperty(list, count++, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      };
      if (items[Symbol.asyncIterator] != null || items[Symbol.iterator] != null) {
        for await (const item of items) await add(item);
      } else {
        const { length } = items;
        for (let i = 0; i < length; i++) await add(await items[i]);
      }
      list.length = count;
      return list;
    },
  }.fromAsync);

  // The engine puts a backslash before a slash that has one already.
  const { get: sourceOf } = getOwnPropertyDescriptor(RegExp.prototype, "source");
  const { charCodeAt } = String.prototype;
  const SLASH = 47;
  const BACKSLASH = 92;
  const source = {
    get source() {
      const text = apply(sourceOf, this, []);
      let fixed = "";
      let escaped = false;
      for (let i = 0; i < text.length; i++) {
        const code = apply(charCodeAt, text, [i]);
        if (escaped && code === BACKSLASH && apply(charCodeAt, text, [i + 1]) === SLASH) {
          escaped = false;
          fixed += "/";
          i++;
          continue;
        }
        fixed += text[i];
        escaped = code === BACKSLASH && !escaped;
      }
      return fixed;
    },
  };
  const { get } = getOwnPropertyDescriptor(source, "source");
  defineProperty(RegExp.prototype, "source", { __proto__: null, get, configurable: true });

  // The engine's parser of JSON recurses on the native stack, and has no limit of its own.
  const { parse } = JSON;
  hide(JSON, "parse", {
    parse(text, reviver) {
      const json = `${text}`;
      if (depthOf(json) > 1000) throw new SyntaxError("JSON that nests more than 1000 deep is not read");
      return parse(json, reviver);
    },
  }.parse);
  return get;
})
