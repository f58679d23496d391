//! The first half of the mesh build, from settings to regions: the faults of REPORTS, limits where equal is allowed, and
//! properties over shuffled and generated inputs.

mod erosion;
mod inputs;
mod levels;
mod limits;
mod regions;
mod settings;
mod spans;
