//! codemode.
