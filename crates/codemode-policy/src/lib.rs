//! codemode-policy.
