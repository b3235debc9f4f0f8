//! Tests of the realm, each on a context of its own with an allocator that counts what is left at the end.

mod hostile;
mod making;
mod native;
mod plain;
mod reading;
mod running;
mod show;

use self::plain::Plain;
