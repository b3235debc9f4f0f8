//! codemode-catalog.
