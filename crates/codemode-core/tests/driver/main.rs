//! The run driver against programs that are closures: bounds, blame, cancellation, schedule, sessions.

mod ahead;
mod bounds;
mod calls;
mod discovery;
mod ends;
mod hostile;
mod intents;
mod mock;
mod profiles;
mod servers;
mod sessions;
mod state;
