//! codemode-workspace.
