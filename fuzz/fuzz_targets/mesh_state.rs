//! Glue: the oracle is `crowd_fuzz::oracles::mesh_state`. Built without libFuzzer it replays the files given as arguments.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crowd_fuzz::MESH_STATE.fuzz(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    crowd_fuzz::MESH_STATE.replay(std::env::args_os().skip(1))
}
