//! codemode-bench.

fn main() {}
