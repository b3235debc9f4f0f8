// structuredClone. Kinds are told by a native; properties are read as any code reads them, so getters run, as elsewhere.
"use strict";
(function (natives, intrinsics, use) {
  const { kindOf, timeOf, primitiveOf, regExpOf, entriesOf, bytesOf } = natives;
  const { Date, Map, Set, RegExp, Error, TypeError, RangeError, Uint8Array } = intrinsics;
  const { keys, hasOwn, defineProperty, apply, slice, transfer, mapGet, mapSet, setAdd } = intrinsics;
  const { listOf } = use("given");
  // Rarely cloned, and so not among the intrinsics: a program that replaced them has its own.
  const { SyntaxError, ReferenceError, EvalError, URIError, DataView } = globalThis;
  const ERRORS = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };

  const refuse = (what) => new (use("exception").DOMException)(`${what} could not be cloned.`, "DataCloneError");
  const put = (object, name, value) => {
    if (name in object) {
      defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    } else {
      // Quicker, and the same where no prototype has a say.
      object[name] = value;
    }
  };
  const hide = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });

  const isPrimitive = (value) =>
    value === null || typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol";

  function cloned(value, seen) {
    // Most values are, and a call of a native costs more than this.
    if (isPrimitive(value)) return value;
    const kind = kindOf(value);
    if (kind === "symbol") throw refuse(apply(symbolText, value, []));
    if (kind === "function") throw refuse(apply(slice, apply(functionText, value, []), [0, 200]));
    const known = apply(mapGet, seen, [value]);
    if (known !== undefined) return known;
    const remember = (copy) => { apply(mapSet, seen, [value, copy]); return copy; };
    switch (kind) {
      case "array": {
        const copy = remember([]);
        copy.length = value.length;
        return properties(value, copy, seen);
      }
      case "object": return properties(value, remember({}), seen);
      case "date": return remember(new Date(timeOf(value)));
      case "boxed": return remember(Object(primitiveOf(value)));
      case "regexp": { const parts = regExpOf(value); return remember(new RegExp(parts[0], parts[1])); }
      case "map": {
        const copy = remember(new Map());
        const entries = entriesOf(value);
        for (let i = 0; i < entries.length; i += 2) apply(mapSet, copy, [cloned(entries[i], seen), cloned(entries[i + 1], seen)]);
        return copy;
      }
      case "set": {
        const copy = remember(new Set());
        const entries = entriesOf(value);
        for (let i = 0; i < entries.length; i += 2) apply(setAdd, copy, [cloned(entries[i], seen)]);
        return copy;
      }
      case "error": {
        const copy = remember(new (ERRORS[value.name] ?? Error)());
        if (typeof value.message === "string") hide(copy, "message", value.message);
        if (typeof value.stack === "string") hide(copy, "stack", value.stack);
        if (hasOwn(value, "cause")) hide(copy, "cause", cloned(value.cause, seen));
        return copy;
      }
      case "buffer": return remember(bytesOf(value).buffer);
      case "view": {
        const buffer = cloned(value.buffer, seen);
        const isDataView = value instanceof DataView;
        const View = isDataView ? DataView : globalThis[value[Symbol.toStringTag]] ?? Uint8Array;
        return remember(new View(buffer, value.byteOffset, isDataView ? value.byteLength : value.length));
      }
      default: throw refuse(`#<${{ __proto__: null, promise: "Promise", iterator: "Generator", weak: "WeakMap" }[kind] ?? "Object"}>`);
    }
  }
  const symbolText = Symbol.prototype.toString;
  const functionText = Function.prototype.toString;

  function properties(value, copy, seen) {
    const names = keys(value);
    for (let i = 0; i < names.length; i++) put(copy, names[i], cloned(value[names[i]], seen));
    return copy;
  }

  function structuredClone(value, options = undefined) {
    if (arguments.length === 0) throw new TypeError('The "value" argument must be specified');
    const seen = new Map();
    const handed = options?.transfer === undefined || options.transfer === null ? [] : listOf(options.transfer);
    for (let i = 0; i < handed.length; i++) {
      if (kindOf(handed[i]) !== "buffer") throw refuse("Value in the transfer list that is no ArrayBuffer");
    }
    const copy = cloned(value, seen);
    // The bytes were copied; what was handed over is left empty, as it would be elsewhere.
    for (let i = 0; i < handed.length; i++) apply(transfer, handed[i], []);
    return copy;
  }
  return { structuredClone };
})
