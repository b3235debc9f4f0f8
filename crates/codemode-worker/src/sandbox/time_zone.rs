//! The machine's time zone, which an engine asks for when no file can be read any more.
#![expect(unsafe_code, reason = "the C library's time zone has no safe interface")]

unsafe extern "C" {
    /// Reads the time zone; the C library keeps it until the variable `TZ` changes.
    fn tzset();
}

/// Lets the C library read the time zone now.
pub(super) fn read() {
    // SAFETY: it reads the environment and a file, and takes the C library's own lock. Nothing changes the environment meanwhile: the
    // worker calls this before it makes an engine.
    unsafe { tzset() };
}
