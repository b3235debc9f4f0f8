// What the other parts take of values that programs give.
"use strict";
(function ({ kindOf }) {
  // What can be iterated as a list to read by index. How arrays are iterated is a method that a program may have replaced.
  const listOf = (iterable) => kindOf(iterable) === "array" ? iterable : [...iterable];
  // A template makes a copy of what is text already.
  const textOf = (value) => typeof value === "string" ? value : `${value}`;
  return { listOf, textOf };
})
