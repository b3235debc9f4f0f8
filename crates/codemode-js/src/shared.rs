//! The shared code's own state in one interpreter.

use std::marker::PhantomData;

/// What the shared code keeps beside an interpreter. Its values are dropped before the interpreter.
#[derive(Debug, Default)]
pub struct Shared<V> {
    values: PhantomData<V>,
}
