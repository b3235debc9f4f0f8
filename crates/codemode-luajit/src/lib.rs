//! codemode-luajit.
