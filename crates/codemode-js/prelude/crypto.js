// crypto: random numbers of the run.
"use strict";
(function ({ kindOf, randomBytes, randomUuid }, { TypeError, Uint8Array }, use) {
  class Crypto {
    getRandomValues(array) {
      if (kindOf(array) !== "view" || array[Symbol.toStringTag] === undefined || array[Symbol.toStringTag].startsWith("Float")
        || array[Symbol.toStringTag] === "DataView") {
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
