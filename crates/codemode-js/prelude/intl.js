// Intl for en-US: numbers, dates, order, plurals, lists and relative times. Every locale that is asked for becomes en-US.
"use strict";
(function (natives, { TypeError, RangeError, construct, defineProperty, keys }, use) {
  const { formatNumber, formatDate, compareText, checkLocales, now } = natives;
  const { listOf, textOf } = use("given");
  const LOCALE = "en-US";
  const copied = (options) => {
    if (options === null) throw new TypeError("Cannot convert undefined or null to object");
    return { __proto__: null, ...options };
  };
  const localesOf = (locales) => typeof locales === "string" ? [locales] : listOf(locales ?? []);
  const supportedLocalesOf = (locales) => {
    const list = localesOf(locales);
    const known = [];
    for (let i = 0; i < list.length; i++) if (list[i] === "en" || list[i] === LOCALE) known[known.length] = list[i];
    return known;
  };
  const finish = (classes) => {
    const names = keys(classes);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      defineProperty(classes[name].prototype, Symbol.toStringTag, { __proto__: null, value: `Intl.${name}`, configurable: true });
      defineProperty(classes[name], "supportedLocalesOf", { __proto__: null, value: supportedLocalesOf, writable: true, configurable: true });
    }
  };

  class NumberFormat {
    #options; #format;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales);
      this.#options = copied(options);
      // Options that are wrong are refused here, not at the first number.
      formatNumber(0, this.#options);
    }
    get format() { return this.#format ??= (value) => formatNumber(typeof value === "bigint" ? value : +value, this.#options); }
    formatRange(start, end) { return `${this.format(start)}–${this.format(end)}`; }
    resolvedOptions() { return { locale: LOCALE, numberingSystem: "latn", style: "decimal", notation: "standard", ...this.#options }; }
  }

  class DateTimeFormat {
    #options; #format;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales, true);
      this.#options = copied(options);
      formatDate(0, this.#options);
    }
    get format() { return this.#format ??= (date = undefined) => formatDate(date === undefined ? now() : +date, this.#options); }
    formatRange(start, end) { return `${this.format(start)} – ${this.format(end)}`; }
    resolvedOptions() { return { locale: LOCALE, calendar: "gregory", numberingSystem: "latn", ...this.#options, timeZone: "UTC" }; }
  }

  class Collator {
    #options; #compare;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales);
      this.#options = copied(options);
      compareText("", "", this.#options);
    }
    get compare() { return this.#compare ??= (a, b) => compareText(textOf(a), textOf(b), this.#options); }
    resolvedOptions() { return { locale: LOCALE, usage: "sort", sensitivity: "variant", numeric: false, ...this.#options }; }
  }

  class PluralRules {
    #options;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales);
      this.#options = copied(options);
    }
    select(number) {
      const value = +number;
      if (this.#options.type !== "ordinal") return value === 1 ? "one" : "other";
      const ones = value % 10;
      const tens = value % 100;
      if (ones === 1 && tens !== 11) return "one";
      if (ones === 2 && tens !== 12) return "two";
      if (ones === 3 && tens !== 13) return "few";
      return "other";
    }
    resolvedOptions() { return { locale: LOCALE, type: "cardinal", ...this.#options }; }
  }

  class ListFormat {
    #word; #style;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales);
      const { type = "conjunction", style = "long" } = copied(options);
      if (type !== "conjunction" && type !== "disjunction" && type !== "unit") {
        throw new RangeError(`Value ${type} out of range for Intl.ListFormat options property type`);
      }
      this.#word = type === "unit" ? "" : type === "disjunction" ? "or" : style === "long" ? "and" : style === "short" ? "&" : "";
      this.#style = style;
    }
    format(list) {
      const items = listOf(list);
      const word = this.#word;
      const comma = ", ";
      if (items.length < 2) return items.length === 0 ? "" : `${items[0]}`;
      let text = `${items[0]}`;
      for (let i = 1; i < items.length - 1; i++) text += `${comma}${items[i]}`;
      const last = items[items.length - 1];
      if (word === "") return `${text}${comma}${last}`;
      return items.length === 2 ? `${text} ${word} ${last}` : `${text}, ${word} ${last}`;
    }
    resolvedOptions() { return { locale: LOCALE, style: this.#style }; }
  }

  const UNITS = {
    __proto__: null,
    second: "second", minute: "minute", hour: "hour", day: "day", week: "week", month: "month", quarter: "quarter", year: "year",
    seconds: "second", minutes: "minute", hours: "hour", days: "day", weeks: "week", months: "month", quarters: "quarter", years: "year",
  };
  const NEAR = {
    __proto__: null,
    day: ["yesterday", "today", "tomorrow"], week: ["last week", "this week", "next week"],
    month: ["last month", "this month", "next month"], quarter: ["last quarter", "this quarter", "next quarter"],
    year: ["last year", "this year", "next year"], hour: [, "this hour"], minute: [, "this minute"], second: [, "now"],
  };
  class RelativeTimeFormat {
    #auto;
    constructor(locales = undefined, options = undefined) {
      checkLocales(locales);
      this.#auto = copied(options).numeric === "auto";
    }
    format(value, unit) {
      const amount = +value;
      const given = `${unit}`;
      const name = UNITS[given];
      if (name === undefined) throw new RangeError(`Invalid unit argument for format() '${given}'`);
      if (amount - amount !== 0) throw new RangeError("The value must be finite");
      const near = this.#auto && NEAR[name][amount + 1];
      if (near) return near;
      const past = amount < 0 || amount === 0 && 1 / amount < 0;
      const size = past ? -amount : amount;
      const text = `${formatNumber(size, {})} ${name}${size === 1 ? "" : "s"}`;
      return past ? `${text} ago` : `in ${text}`;
    }
    resolvedOptions() { return { locale: LOCALE, style: "long", numeric: this.#auto ? "auto" : "always" }; }
  }

  const classes = { NumberFormat, DateTimeFormat, Collator, PluralRules, ListFormat, RelativeTimeFormat };
  finish(classes);
  // `Intl.NumberFormat(…)` and its like are called without `new` as well.
  const callable = (Class) => {
    const made = function (...given) { return construct(Class, given); };
    defineProperty(made, "name", { __proto__: null, value: Class.name, configurable: true });
    made.prototype = Class.prototype;
    defineProperty(made, "supportedLocalesOf", { __proto__: null, value: supportedLocalesOf, writable: true, configurable: true });
    defineProperty(Class.prototype, "constructor", { __proto__: null, value: made, writable: true, configurable: true });
    return made;
  };
  const Intl = {};
  const put = (name, value) => defineProperty(Intl, name, { __proto__: null, value, writable: true, configurable: true });
  const names = keys(classes);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    put(name, name === "NumberFormat" || name === "DateTimeFormat" || name === "Collator" ? callable(classes[name]) : classes[name]);
  }
  put("getCanonicalLocales", function getCanonicalLocales(locales) {
    checkLocales(locales);
    const list = localesOf(locales);
    const copy = [];
    for (let i = 0; i < list.length; i++) copy[i] = list[i];
    return copy;
  });
  defineProperty(Intl, Symbol.toStringTag, { __proto__: null, value: "Intl", configurable: true });
  return { Intl };
})
