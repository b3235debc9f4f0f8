//! What codemode keeps between runs.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
