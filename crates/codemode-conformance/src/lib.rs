//! codemode-conformance.
