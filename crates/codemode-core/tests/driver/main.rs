//! The run driver against programs that are closures: bounds, blame, cancellation, schedule, sessions.

mod bounds;
mod calls;
mod ends;
mod hostile;
mod mock;
mod sessions;
