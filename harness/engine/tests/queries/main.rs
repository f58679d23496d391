//! Mesh queries against brute force, against the faults of REPORTS, and on polygon soup.

mod funnel;
mod mesh;
mod meshes;
mod nearest;
mod path;
mod raycast;
mod soup;
mod surface;
