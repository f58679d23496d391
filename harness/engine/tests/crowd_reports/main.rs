//! Faults that other engines had, rebuilt with crowds on a mesh: standoffs, walls, places off the mesh, arithmetic, saved states.

#![expect(clippy::disallowed_methods, reason = "what measures the engine need not give the same bits everywhere")]

mod arithmetic;
mod people;
mod places;
mod restore;
mod scenes;
