//! Real servers as upstreams of a program: three from npm and one of the official Python SDK.

mod answers;
mod bench;
mod elsewhere;
mod ends;
mod listing;
mod programs;
mod waiting;
