// queueMicrotask, for an engine that has none.
"use strict";
(function (natives, { TypeError, apply }) {
  // Evaluated before any program runs, so that these are the intrinsics.
  const { Promise } = globalThis;
  const { then } = Promise.prototype;
  const settled = new Promise((resolve) => resolve());
  return {
    queueMicrotask(callback) {
      if (typeof callback !== "function") throw new TypeError("not a function");
      apply(then, settled, [() => { callback(); }]);
    },
  };
})
