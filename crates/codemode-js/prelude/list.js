// What can be iterated as a list to read by index. How arrays are iterated is a method that a program may have replaced.
"use strict";
(function ({ kindOf }) {
  const listOf = (iterable) => kindOf(iterable) === "array" ? iterable : [...iterable];
  return { listOf };
})
