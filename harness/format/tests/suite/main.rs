//! The layouts of SPEC.md: what is read and written, what is refused and how, and that SPEC.md says the same.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "a test that panics says what is wrong, and its numbers are small"
)]

mod damage;
mod errors;
mod fixtures;
mod layout;
mod limits;
mod read_and_write;
mod round_trips;
mod spec;
mod strategies;
mod streams;
mod writers;
