// Date as programs see it: the run's clock, UTC as the local zone, and one way to read and write dates on every engine.
"use strict";
(function (natives, { Date: Intrinsic, TypeError, apply, construct, defineProperty, utc }) {
  const { now, parse, kindOf } = natives;
  const prototype = Intrinsic.prototype;
  const hide = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });

  const toText = natives.toString;
  const { getTime, getUTCFullYear: getFullYear } = prototype;

  function Date(year, month) {
    if (new.target === undefined) return apply(toText, new Intrinsic(now()), []);
    let time;
    if (arguments.length === 0) {
      time = now();
    } else if (arguments.length === 1) {
      if (kindOf(year) === "date") {
        time = apply(getTime, year, []);
      } else {
        const value = typeof year === "object" && year !== null || typeof year === "function" ? primitive(year) : year;
        time = typeof value === "string" ? parse(value) : +value;
      }
    } else {
      time = apply(utc, undefined, arguments);
    }
    return construct(Intrinsic, [time], new.target);
  }
  // What the language does to an object where it asks for no type.
  const primitive = (object) => {
    const convert = object[Symbol.toPrimitive];
    if (convert !== undefined && convert !== null) return apply(convert, object, ["default"]);
    for (let i = 0; i < 2; i++) {
      const method = i === 0 ? object.valueOf : object.toString;
      if (typeof method !== "function") continue;
      const value = apply(method, object, []);
      if (typeof value !== "object" && typeof value !== "function" || value === null) return value;
    }
    throw new TypeError("Cannot convert object to primitive value");
  };
  defineProperty(Date, "length", { __proto__: null, value: 7, configurable: true });
  defineProperty(Date, "prototype", { __proto__: null, value: prototype });
  hide(prototype, "constructor", Date);
  hide(Date, "now", now);
  hide(Date, "parse", { parse(text) { return parse(`${text}`); } }.parse);
  hide(Date, "UTC", Intrinsic.UTC);

  // In UTC the local parts of a date are its parts. A name is given to a function of its own, since the other keeps its name.
  const local = (verb, part) => {
    const method = prototype[`${verb}UTC${part}`];
    const name = `${verb}${part}`;
    hide(prototype, name, { [name](...given) { return apply(method, this, given); } }[name]);
  };
  const parts = ["Date", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"];
  for (let i = 0; i < parts.length; i++) {
    local("get", parts[i]);
    local("set", parts[i]);
  }
  local("get", "Day");
  hide(prototype, "getYear", { getYear() { return apply(getFullYear, this, []) - 1900; } }.getYear);
  hide(prototype, "getTimezoneOffset", { getTimezoneOffset() { return apply(getTime, this, []) * 0; } }.getTimezoneOffset);
  const texts = ["toString", "toDateString", "toTimeString", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"];
  for (let i = 0; i < texts.length; i++) hide(prototype, texts[i], natives[texts[i]]);
  return { Date };
})
