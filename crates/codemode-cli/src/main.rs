//! codemode-cli.

fn main() {}
