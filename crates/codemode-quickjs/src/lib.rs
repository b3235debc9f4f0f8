//! QuickJS for codemode: runs programs of the profiles `batch`, `program` and `cell`, bounded.
#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "QuickJS is a C library; every block argues for itself")]
