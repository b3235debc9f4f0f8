// DOMException: the error class of the web's own functions.
"use strict";
(function (natives, { Error, defineProperty }) {
  const CODES = {
    __proto__: null, IndexSizeError: 1, NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12,
    InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19,
    AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
    InvalidCharacterError: 5,
  };
  class DOMException extends Error {
    constructor(message = "", options = "Error") {
      super(`${message}`);
      const isObject = typeof options === "object" && options !== null;
      const given = isObject ? options.name : options;
      const name = given === undefined ? "Error" : `${given}`;
      // Own and hidden, so that whoever reads the error need run no getter.
      defineProperty(this, "name", { __proto__: null, value: name, writable: true, configurable: true });
      defineProperty(this, "code", { __proto__: null, value: CODES[name] ?? 0, configurable: true });
      if (isObject && "cause" in options) {
        defineProperty(this, "cause", { __proto__: null, value: options.cause, writable: true, configurable: true });
      }
    }
  }
  return { DOMException };
})
