// URL and URLSearchParams. An address is its text, and natives take it apart; a query is names and values one after the other.
"use strict";
(function (natives, { TypeError, apply, defineProperty, keys }, use) {
  const { carry, parseUrl, urlPart, withUrlPart, parseQuery, queryText, sortQuery } = natives;
  const { listOf, textOf: text } = use("given");
  // Each class reaches into the other for what the other keeps private.
  let searchOf, linked;

  const missing = (count) => new TypeError(`${count} argument${count === 1 ? "" : "s"} required`);
  const invalid = (input) => {
    const error = new TypeError("Invalid URL");
    defineProperty(error, "code", { __proto__: null, value: "ERR_INVALID_URL", writable: true, enumerable: true, configurable: true });
    defineProperty(error, "input", { __proto__: null, value: input, writable: true, enumerable: true, configurable: true });
    return error;
  };

  class URLSearchParams {
    #pairs = []; #query = ""; #url;
    static {
      searchOf = (params, search) => {
        params.#pairs = parseQuery(search);
        params.#carry(queryText(params.#pairs));
      };
      linked = (url, search) => {
        const params = new URLSearchParams(search);
        params.#url = url;
        return params;
      };
    }
    constructor(init = undefined) {
      if (init === undefined || init === null) {
        if (init === null) this.#pairs = ["null", ""];
      } else if (typeof init === "object" || typeof init === "function") {
        this.#take(init);
      } else {
        this.#pairs = parseQuery(text(init));
      }
      this.#carry(queryText(this.#pairs));
    }
    #carry(query) {
      this.#query = query;
      carry(this, query);
    }
    #take(init) {
      const pairs = this.#pairs;
      if (init[Symbol.iterator] !== undefined && init[Symbol.iterator] !== null) {
        const list = listOf(init);
        for (let i = 0; i < list.length; i++) {
          const both = typeof list[i] === "object" && list[i] !== null ? listOf(list[i]) : [];
          if (both.length !== 2) throw new TypeError("Each query pair must be an iterable [name, value] tuple");
          pairs[pairs.length] = text(both[0]);
          pairs[pairs.length] = text(both[1]);
        }
        return;
      }
      const names = keys(init);
      // A name that is there twice after it became text counts once, with its last value.
      for (let i = 0; i < names.length; i++) this.#put(text(names[i]), text(init[names[i]]));
    }
    #put(name, value) {
      const pairs = this.#pairs;
      const kept = [];
      let found = false;
      for (let i = 0; i < pairs.length; i += 2) {
        const same = pairs[i] === name;
        if (same && found) continue;
        kept[kept.length] = pairs[i];
        kept[kept.length] = same ? value : pairs[i + 1];
        found ||= same;
      }
      if (!found) {
        kept[kept.length] = name;
        kept[kept.length] = value;
      }
      this.#pairs = kept;
    }
    #changed(query = queryText(this.#pairs)) {
      this.#carry(query);
      if (this.#url !== undefined) this.#url(query);
    }
    get size() { return this.#pairs.length / 2; }
    append(name, value) {
      if (arguments.length < 2) throw missing(2);
      const pairs = this.#pairs;
      // Both become text before either is kept: that may throw.
      const first = text(name);
      const second = text(value);
      // What is there already is not made text again: appending to a long query would take a time that grows with its square.
      const more = queryText([first, second]);
      const query = pairs.length === 0 ? more : `${this.#query}&${more}`;
      pairs[pairs.length] = first;
      pairs[pairs.length] = second;
      this.#changed(query);
    }
    delete(name, value = undefined) {
      if (arguments.length < 1) throw missing(1);
      const pairs = this.#pairs;
      const wanted = text(name);
      const only = value === undefined ? undefined : text(value);
      const kept = [];
      for (let i = 0; i < pairs.length; i += 2) {
        if (pairs[i] === wanted && (only === undefined || pairs[i + 1] === only)) continue;
        kept[kept.length] = pairs[i];
        kept[kept.length] = pairs[i + 1];
      }
      this.#pairs = kept;
      this.#changed();
    }
    get(name) {
      if (arguments.length < 1) throw missing(1);
      const pairs = this.#pairs;
      const wanted = text(name);
      for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === wanted) return pairs[i + 1];
      return null;
    }
    getAll(name) {
      if (arguments.length < 1) throw missing(1);
      const pairs = this.#pairs;
      const wanted = text(name);
      const values = [];
      for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === wanted) values[values.length] = pairs[i + 1];
      return values;
    }
    has(name, value = undefined) {
      if (arguments.length < 1) throw missing(1);
      const pairs = this.#pairs;
      const wanted = text(name);
      const only = value === undefined ? undefined : text(value);
      for (let i = 0; i < pairs.length; i += 2) {
        if (pairs[i] === wanted && (only === undefined || pairs[i + 1] === only)) return true;
      }
      return false;
    }
    set(name, value) {
      if (arguments.length < 2) throw missing(2);
      this.#put(text(name), text(value));
      this.#changed();
    }
    sort() {
      this.#pairs = sortQuery(this.#pairs);
      this.#changed();
    }
    forEach(callback, thisArg = undefined) {
      if (typeof callback !== "function") throw new TypeError('The "callback" argument must be of type function');
      for (let i = 0; i < this.#pairs.length; i += 2) apply(callback, thisArg, [this.#pairs[i + 1], this.#pairs[i], this]);
    }
    *#each(make) {
      for (let i = 0; i < this.#pairs.length; i += 2) yield make(this.#pairs[i], this.#pairs[i + 1]);
    }
    entries() { return this.#each((name, value) => [name, value]); }
    keys() { return this.#each((name) => name); }
    values() { return this.#each((name, value) => value); }
    toString() { return queryText(this.#pairs); }
  }
  const hide = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });
  hide(URLSearchParams.prototype, Symbol.iterator, URLSearchParams.prototype.entries);
  defineProperty(URLSearchParams.prototype, Symbol.toStringTag, { __proto__: null, value: "URLSearchParams", configurable: true });

  class URL {
    #href; #params; #ends;
    constructor(input, base = undefined) {
      if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
      const address = text(input);
      const href = parseUrl(address, base === undefined ? undefined : text(base));
      if (href === undefined) throw invalid(address);
      this.#take(href);
    }
    #take(href) {
      this.#href = href;
      carry(this, href);
    }
    static canParse(input, base = undefined) {
      return parseUrl(text(input), base === undefined ? undefined : text(base)) !== undefined;
    }
    static parse(input, base = undefined) {
      const href = parseUrl(text(input), base === undefined ? undefined : text(base));
      return href === undefined ? null : new URL(href);
    }
    #set(name, value) {
      const href = withUrlPart(this.#href, name, text(value));
      if (href === undefined) throw invalid(text(value));
      this.#take(href);
      this.#ends = undefined;
      if (this.#params !== undefined && (name === "href" || name === "search")) searchOf(this.#params, this.search);
    }
    get href() { return this.#href; }
    set href(value) { this.#set("href", value); }
    get origin() { return urlPart(this.#href, "origin"); }
    get protocol() { return urlPart(this.#href, "protocol"); }
    set protocol(value) { this.#set("protocol", value); }
    get username() { return urlPart(this.#href, "username"); }
    set username(value) { this.#set("username", value); }
    get password() { return urlPart(this.#href, "password"); }
    set password(value) { this.#set("password", value); }
    get host() { return urlPart(this.#href, "host"); }
    set host(value) { this.#set("host", value); }
    get hostname() { return urlPart(this.#href, "hostname"); }
    set hostname(value) { this.#set("hostname", value); }
    get port() { return urlPart(this.#href, "port"); }
    set port(value) { this.#set("port", value); }
    get pathname() { return urlPart(this.#href, "pathname"); }
    set pathname(value) { this.#set("pathname", value); }
    get search() { return urlPart(this.#href, "search"); }
    set search(value) { this.#set("search", value); }
    get searchParams() {
      return this.#params ??= linked((query) => this.#search(query), this.search);
    }
    #search(query) {
      if (query === "") {
        // Without a query, what is before it may be written otherwise.
        this.#ends = undefined;
        this.#take(withUrlPart(this.#href, "search", ""));
        return;
      }
      // The text of a query is what an address has of it: the address need not be read again for each change.
      this.#ends ??= [urlPart(this.#href, "beforeSearch"), urlPart(this.#href, "afterSearch")];
      this.#take(`${this.#ends[0]}?${query}${this.#ends[1]}`);
    }
    get hash() { return urlPart(this.#href, "hash"); }
    set hash(value) { this.#set("hash", value); }
    toString() { return this.#href; }
    toJSON() { return this.#href; }
  }
  defineProperty(URL.prototype, Symbol.toStringTag, { __proto__: null, value: "URL", configurable: true });
  return { URL, URLSearchParams };
})
