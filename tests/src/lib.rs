//! End-to-end tests of codemode live in this package's `tests` folder.

#![forbid(unsafe_code)]
