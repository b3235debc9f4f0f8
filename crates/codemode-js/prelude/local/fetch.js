// fetch, Headers and Response. A body is there as a whole when its response is.
"use strict";
(function ({ begin, unref, kindOf }, { Error, TypeError, keys }, use) {
  const { given } = use("local");
  const { bytesOf, encoded } = use("buffer");
  const { textOf, listOf } = use("given");

  class Headers {
    #all = new Map();
    constructor(init = undefined) {
      if (init === undefined || init === null) return;
      if (init instanceof Headers) for (const [name, value] of init) this.append(name, value);
      else if (kindOf(init) === "array" || kindOf(init) === "map") for (const [name, value] of init) this.append(name, value);
      else for (const name of keys(init)) this.append(name, init[name]);
    }
    append(name, value) {
      const key = textOf(name).toLowerCase(), text = textOf(value).trim();
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(key) || /[\0\r\n]/.test(text)) throw new TypeError(`Headers.append: "${key}" or its value is no header`);
      this.#all.set(key, this.#all.has(key) ? `${this.#all.get(key)}, ${text}` : text);
    }
    set(name, value) { this.delete(name); this.append(name, value); }
    get(name) { return this.#all.get(textOf(name).toLowerCase()) ?? null; }
    has(name) { return this.#all.has(textOf(name).toLowerCase()); }
    delete(name) { this.#all.delete(textOf(name).toLowerCase()); }
    entries() { return [...this.#all].sort(([one], [other]) => one < other ? -1 : 1).values(); }
    keys() { return [...this.entries()].map(([name]) => name).values(); }
    values() { return [...this.entries()].map(([, value]) => value).values(); }
    forEach(act) { for (const [name, value] of this.entries()) act(value, name, this); }
    [Symbol.iterator]() { return this.entries(); }
  }

  const bodyOf = (body, headers) => {
    if (body === undefined || body === null) return [];
    const is = (type) => { if (!headers.has("content-type")) headers.set("content-type", type); };
    if (typeof body === "object" && body instanceof globalThis.URLSearchParams) {
      is("application/x-www-form-urlencoded;charset=UTF-8");
      return [bytesOf(body.toString())];
    }
    if (typeof body === "string") is("text/plain;charset=UTF-8");
    const known = typeof body === "string" || kindOf(body) === "view" || kindOf(body) === "buffer";
    return [bytesOf(known ? body : textOf(body), "utf8", "body")];
  };

  class Response {
    #bytes; #used = false;
    constructor(body = undefined, { status = 200, statusText = "", headers = undefined, url = "", redirected = false } = {}) {
      this.headers = new Headers(headers);
      this.#bytes = bodyOf(body, this.headers)[0] ?? new Uint8Array(0);
      this.status = status;
      this.statusText = statusText;
      this.ok = status >= 200 && status < 300;
      this.url = url;
      this.redirected = redirected;
      this.type = "basic";
    }
    get bodyUsed() { return this.#used; }
    async #take() {
      if (this.#used) throw new TypeError("Body is unusable: Body has already been read");
      this.#used = true;
      return this.#bytes;
    }
    async text() {
      const text = encoded(await this.#take(), "utf8");
      return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    }
    async json() { return JSON.parse(await this.text()); }
    async bytes() { return new Uint8Array(await this.#take()); }
    async arrayBuffer() { return (await this.bytes()).buffer; }
    clone() {
      if (this.#used) throw new TypeError("Response.clone: Body has already been consumed.");
      return new Response(this.#bytes, this);
    }
    static json(value, init = {}) { return new Response(JSON.stringify(value), { ...init, headers: { "content-type": "application/json", ...init.headers } }); }
  }

  const fetch = async (input, init = {}) => {
    let url;
    try {
      url = new globalThis.URL(typeof input === "string" ? input : textOf(input.href ?? input.url ?? input));
    } catch {
      throw new TypeError(`Failed to parse URL from ${textOf(input)}`);
    }
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError(`fetch failed: the address begins with ${url.protocol}, and there are http: and https:`);
    const { signal } = init;
    signal?.throwIfAborted();
    const headers = new Headers(init.headers);
    const method = textOf(init.method ?? "GET").toUpperCase();
    const parts = bodyOf(init.body, headers);
    if (parts.length > 0 && (method === "GET" || method === "HEAD")) throw new TypeError("Request with GET/HEAD method cannot have body.");
    const sent = begin("net.fetch", { url: url.href, method, headers: [...headers], redirect: init.redirect ?? "follow" }, parts);
    let stop;
    const stopped = new Promise((_, reject) => {
      stop = () => { unref(sent); reject(signal.reason); };
      signal?.addEventListener("abort", stop, { once: true });
    });
    let answer;
    try {
      answer = given(signal === undefined || signal === null ? await sent : await Promise.race([sent, stopped]));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw Object.assign(new TypeError(`fetch failed: ${error.message}`), { cause: error });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    const { status, statusText, redirected } = answer.value;
    const response = new Response(answer.parts[0], { status, statusText, headers: answer.value.headers, url: answer.value.url, redirected });
    return response;
  };
  return { fetch, Headers, Response };
})
