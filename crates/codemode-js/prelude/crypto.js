// crypto: random numbers of the run.
"use strict";
(function ({ kindOf, randomBytes, randomUuid }, { TypeError, Uint8Array }, use) {
  const INTEGERS = {
    __proto__: null, Int8Array: true, Uint8Array: true, Uint8ClampedArray: true, Int16Array: true, Uint16Array: true, Int32Array: true,
    Uint32Array: true, BigInt64Array: true, BigUint64Array: true,
  };
  class Crypto {
    getRandomValues(array) {
      if (kindOf(array) !== "view" || !INTEGERS[array[Symbol.toStringTag]]) {
        throw new (use("exception").DOMException)("The data argument must be an integer-type TypedArray", "TypeMismatchError");
      }
      const bytes = randomBytes(array.byteLength);
      if (bytes === undefined) {
        throw new (use("exception").DOMException)(
          `The requested length exceeds 65,536 bytes: ${array.byteLength} were asked for`, "QuotaExceededError");
      }
      const target = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) target[i] = bytes[i];
      return array;
    }
    randomUUID() { return randomUuid(); }
  }
  return { crypto: new Crypto() };
})
