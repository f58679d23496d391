//! Properties of the mesh build from triangles to the finished mesh, over generated inputs; and the faults of REPORTS that only
//! show in the whole build.

#![expect(clippy::disallowed_methods, reason = "what measures the engine need not give the same bits everywhere")]

mod areas;
mod built;
mod inputs;
mod limits;
mod links;
mod order;
mod plane;
mod reports;
mod soup;
mod surface;
mod walls;
