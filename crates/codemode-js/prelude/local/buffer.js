// Bytes that know encodings: what of Node's Buffer programs use of files and processes.
"use strict";
(function ({ encodeUtf8, decodeText, kindOf }, { TypeError, RangeError, Uint8Array }, use) {
  const { textOf } = use("given");
  const NONE = new Uint8Array(0);
  const KNOWN = { "utf8": "utf8", "utf-8": "utf8", "hex": "hex", "base64": "base64", "base64url": "base64url", "latin1": "latin1", "binary": "latin1", "ascii": "ascii", "utf16le": "utf16le", "utf-16le": "utf16le", "ucs2": "utf16le", "ucs-2": "utf16le" };
  const encodingOf = (name = "utf8") => {
    const known = KNOWN[textOf(name).toLowerCase()];
    if (known === undefined) throw use("local").coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${name}`);
    return known;
  };
  const CHUNK = 8192;
  const latin1 = (bytes) => {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += CHUNK) pieces[pieces.length] = String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    return pieces.join("");
  };
  const encoded = (bytes, encoding) => {
    switch (encoding) {
      case "utf8": return decodeText("utf-8", NONE, bytes, false, false, false)[0];
      case "utf16le": return decodeText("utf-16le", NONE, bytes.subarray(0, bytes.length & ~1), false, false, false)[0];
      case "latin1": return latin1(bytes);
      case "ascii": return latin1(bytes.map((byte) => byte & 0x7f));
      case "hex": {
        const digits = [];
        for (let i = 0; i < bytes.length; i++) digits[i] = (bytes[i] < 16 ? "0" : "") + bytes[i].toString(16);
        return digits.join("");
      }
      case "base64": return use("text").btoa(latin1(bytes));
      default: return use("text").btoa(latin1(bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    }
  };
  const bytesOfCodes = (text, mask) => {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i) & mask;
    return bytes;
  };
  const decoded = (text, encoding) => {
    switch (encoding) {
      case "utf8": return encodeUtf8(text);
      case "latin1": case "ascii": return bytesOfCodes(text, 0xff);
      case "utf16le": {
        const bytes = new Uint8Array(text.length * 2);
        for (let i = 0; i < text.length; i++) { bytes[2 * i] = text.charCodeAt(i) & 0xff; bytes[2 * i + 1] = text.charCodeAt(i) >> 8; }
        return bytes;
      }
      case "hex": {
        const bytes = [];
        for (let i = 0; i + 1 < text.length && /^[0-9a-fA-F]{2}$/.test(text.slice(i, i + 2)); i += 2) bytes[i / 2] = parseInt(text.slice(i, i + 2), 16);
        return new Uint8Array(bytes);
      }
      default: {
        const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/[^A-Za-z0-9+/]/g, "");
        return bytesOfCodes(use("text").atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain), 0xff);
      }
    }
  };
  const made = (bytes) => Object.setPrototypeOf(bytes, Buffer.prototype);

  class Buffer extends Uint8Array {
    static poolSize = 8192;
    static from(value, encoding = undefined, length = undefined) {
      if (typeof value === "string") return made(decoded(value, encodingOf(encoding)));
      const kind = kindOf(value);
      if (kind === "buffer") return new Buffer(value, encoding ?? 0, length);
      if (kind === "view" || kind === "array") return made(new Uint8Array(value));
      if (kind === "object" && value.type === "Buffer" && kindOf(value.data) === "array") return made(new Uint8Array(value.data));
      throw use("local").coded(TypeError, "ERR_INVALID_ARG_TYPE", "The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array");
    }
    static alloc(size, fill = 0, encoding = undefined) {
      const buffer = new Buffer(size);
      return fill === 0 ? buffer : buffer.fill(fill, 0, size, encoding);
    }
    static allocUnsafe(size) { return new Buffer(size); }
    static isBuffer(value) { return value instanceof Buffer; }
    static isEncoding(name) { return typeof name === "string" && KNOWN[name.toLowerCase()] !== undefined; }
    static byteLength(value, encoding = undefined) { return typeof value === "string" ? decoded(value, encodingOf(encoding)).length : value.byteLength; }
    static concat(list, total = undefined) {
      let size = 0;
      for (let i = 0; i < list.length; i++) size += list[i].length;
      const whole = new Buffer(total ?? size);
      let at = 0;
      for (let i = 0; i < list.length && at < whole.length; i++) {
        const piece = list[i].length > whole.length - at ? list[i].subarray(0, whole.length - at) : list[i];
        whole.set(piece, at);
        at += piece.length;
      }
      return whole;
    }
    static compare(one, other) {
      const length = Math.min(one.length, other.length);
      for (let i = 0; i < length; i++) if (one[i] !== other[i]) return one[i] < other[i] ? -1 : 1;
      return Math.sign(one.length - other.length);
    }
    toString(encoding = undefined, start = 0, end = this.length) { return encoded(this.subarray(start, end), encodingOf(encoding)); }
    toJSON() { return { type: "Buffer", data: [...this] }; }
    equals(other) { return Buffer.compare(this, other) === 0; }
    compare(other) { return Buffer.compare(this, other); }
    slice(start, end) { return this.subarray(start, end); }
    write(text, offset = 0, length = undefined, encoding = undefined) {
      if (typeof offset === "string") [encoding, offset, length] = [offset, 0, undefined];
      if (typeof length === "string") [encoding, length] = [length, undefined];
      const bytes = decoded(textOf(text), encodingOf(encoding));
      const count = Math.min(bytes.length, length ?? this.length, this.length - offset);
      this.set(bytes.subarray(0, count), offset);
      return count;
    }
    copy(target, at = 0, start = 0, end = this.length) {
      const piece = this.subarray(start, Math.min(end, start + target.length - at));
      target.set(piece, at);
      return piece.length;
    }
    fill(value, start = 0, end = this.length, encoding = undefined) {
      if (typeof value !== "string") return super.fill(value, start, end);
      const bytes = decoded(value, encodingOf(encoding));
      for (let i = start; i < end; i++) this[i] = bytes.length === 0 ? 0 : bytes[(i - start) % bytes.length];
      return this;
    }
    indexOf(value, from = 0, encoding = undefined) {
      if (typeof value === "number") return super.indexOf(value, from);
      const bytes = typeof value === "string" ? decoded(value, encodingOf(encoding)) : value;
      for (let at = from < 0 ? Math.max(0, this.length + from) : from; at + bytes.length <= this.length; at++) {
        let same = 0;
        while (same < bytes.length && this[at + same] === bytes[same]) same += 1;
        if (same === bytes.length) return at;
      }
      return -1;
    }
    includes(value, from = 0, encoding = undefined) { return this.indexOf(value, from, encoding) >= 0; }
    #view() { return new DataView(this.buffer, this.byteOffset, this.byteLength); }
    readUInt8(at = 0) { return this.#view().getUint8(at); }
    readUInt16LE(at = 0) { return this.#view().getUint16(at, true); }
    readUInt16BE(at = 0) { return this.#view().getUint16(at); }
    readUInt32LE(at = 0) { return this.#view().getUint32(at, true); }
    readUInt32BE(at = 0) { return this.#view().getUint32(at); }
    readInt32LE(at = 0) { return this.#view().getInt32(at, true); }
    readInt32BE(at = 0) { return this.#view().getInt32(at); }
  }
  // What programs give to be written.
  const bytesOf = (data, encoding = undefined, name = "data") => {
    if (typeof data === "string") return decoded(data, encodingOf(encoding));
    const kind = kindOf(data);
    if (kind === "view" || kind === "buffer") return data;
    throw use("local").coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${data === null ? "null" : typeof data}`);
  };
  return { Buffer, made, bytesOf, encodingOf, encoded };
})
