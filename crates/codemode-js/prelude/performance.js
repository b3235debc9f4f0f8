// performance: whole milliseconds since it was first touched, from the run's clock.
"use strict";
(function ({ now }) {
  const timeOrigin = now();
  class Performance {
    get timeOrigin() { return timeOrigin; }
    now() { return now() - timeOrigin; }
    toJSON() { return { timeOrigin }; }
  }
  return { performance: new Performance() };
})
