// queueMicrotask, for an engine that has none.
"use strict";
(function (natives, { Promise, TypeError, apply, then }) {
  const settled = new Promise((resolve) => resolve());
  return {
    queueMicrotask(callback) {
      if (typeof callback !== "function") throw new TypeError("not a function");
      apply(then, settled, [() => { callback(); }]);
    },
  };
})
