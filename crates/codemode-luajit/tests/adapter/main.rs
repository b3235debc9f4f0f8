//! The adapter through core's runner: what a program sees, and what stops it.

mod bed;
mod bounds;
mod hostile;
mod sampling;
mod soak;
mod surface;
mod sweep;
