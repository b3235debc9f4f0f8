//! Runs the engines of codemode in processes of their own.
#![doc = include_str!("../README.md")]

pub mod sandbox;
