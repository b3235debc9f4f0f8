//! The front end, over files of cases: a source, and the whole of what is made of it.

mod cases;
mod deep;
mod erased;
mod hold;
mod places;
