// TextEncoder, TextDecoder, atob and btoa. Bytes are read and made by natives.
"use strict";
(function (natives, { TypeError, RangeError, Uint8Array }, use) {
  const { encodeUtf8, encodingOf, decodeText, encodeBase64, decodeBase64 } = natives;
  const { textOf } = use("given");

  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(input = "") { return encodeUtf8(textOf(input)); }
    encodeInto(source, destination) {
      if (!(destination instanceof Uint8Array)) throw new TypeError('The "dest" argument must be an instance of Uint8Array');
      const bytes = encodeUtf8(textOf(source));
      let read = 0, written = 0;
      while (written < bytes.length) {
        // Only whole characters are written; the first byte tells how many it has.
        const first = bytes[written];
        const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (written + size > destination.length) break;
        for (const end = written + size; written < end; written++) destination[written] = bytes[written];
        read += size === 4 ? 2 : 1;
      }
      return { read, written };
    }
  }

  class TextDecoder {
    #encoding; #fatal; #ignoreBOM; #rest = new Uint8Array(0); #begun = false;
    constructor(label = "utf-8", options = {}) {
      const encoding = encodingOf(textOf(label));
      if (encoding === undefined) {
        throw new RangeError(`The "${label}" encoding is not supported: there are utf-8, utf-16le and latin1`);
      }
      this.#encoding = encoding;
      this.#fatal = Boolean(options?.fatal);
      this.#ignoreBOM = Boolean(options?.ignoreBOM);
    }
    get encoding() { return this.#encoding; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(input = new Uint8Array(0), options = {}) {
      if (typeof input !== "object" || input === null || input.byteLength === undefined) {
        throw new TypeError('The "input" argument must be an ArrayBuffer, a typed array or a DataView');
      }
      const stream = Boolean(options?.stream);
      const dropMark = !this.#ignoreBOM && !this.#begun;
      const decoded = decodeText(this.#encoding, this.#rest, input, this.#fatal, stream, dropMark);
      if (decoded === undefined) {
        this.#rest = new Uint8Array(0);
        this.#begun = false;
        throw new TypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
      }
      this.#rest = decoded[1];
      this.#begun = stream && (this.#begun || decoded[2]);
      return decoded[0];
    }
  }

  const wrongCharacter = (message) => new (use("exception").DOMException)(message, "InvalidCharacterError");

  function atob(data) {
    if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
    const decoded = decodeBase64(textOf(data));
    if (decoded === undefined) throw wrongCharacter("The string to be decoded is not correctly encoded.");
    return decoded;
  }
  function btoa(data) {
    if (arguments.length === 0) throw new TypeError('The "data" argument must be specified');
    const encoded = encodeBase64(textOf(data));
    if (encoded === undefined) throw wrongCharacter("Invalid character");
    return encoded;
  }
  return { TextEncoder, TextDecoder, atob, btoa };
})
