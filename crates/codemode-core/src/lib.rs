//! codemode-core.
