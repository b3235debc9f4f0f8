// Date as programs see it: the run's clock, UTC as the local zone, and one way to read and write dates on every engine.
"use strict";
(function (natives, { Date: Intrinsic, TypeError, construct, defineProperty, utc }) {
  const { now, parse, kindOf } = natives;
  const prototype = Intrinsic.prototype;
  const hide = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, configurable: true });

  const toText = natives.toString;
  const getTime = prototype.getTime;

  function Date(year, month) {
    if (new.target === undefined) return toText.call(new Intrinsic(now()));
    let time;
    if (arguments.length === 0) {
      time = now();
    } else if (arguments.length === 1) {
      if (kindOf(year) === "date") {
        time = getTime.call(year);
      } else {
        const value = typeof year === "object" && year !== null || typeof year === "function" ? primitive(year) : year;
        time = typeof value === "string" ? parse(value) : +value;
      }
    } else {
      time = utc(...arguments);
    }
    return construct(Intrinsic, [time], new.target);
  }
  // What the language does to an object where it asks for no type.
  const primitive = (object) => {
    const convert = object[Symbol.toPrimitive];
    if (convert !== undefined && convert !== null) return convert.call(object, "default");
    for (const name of ["valueOf", "toString"]) {
      const method = object[name];
      if (typeof method !== "function") continue;
      const value = method.call(object);
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

  for (const part of ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"]) {
    for (const verb of ["get", "set"]) {
      const method = prototype[`${verb}UTC${part}`];
      if (method === undefined) continue;
      defineProperty(method, "name", { __proto__: null, value: `${verb}${part}`, configurable: true });
      hide(prototype, `${verb}${part}`, method);
    }
  }
  hide(prototype, "getYear", { getYear() { return this.getUTCFullYear() - 1900; } }.getYear);
  hide(prototype, "getTimezoneOffset", { getTimezoneOffset() { return getTime.call(this) === getTime.call(this) ? 0 : NaN; } }.getTimezoneOffset);
  for (const name of ["toString", "toDateString", "toTimeString", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    hide(prototype, name, natives[name]);
  }
  return { Date };
})
