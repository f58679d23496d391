//! Glue: the oracle is `crowd_fuzz::oracles::live_capture`. Built without libFuzzer it replays the files given as arguments.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| crowd_fuzz::LIVE_CAPTURE.fuzz(data));

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    crowd_fuzz::LIVE_CAPTURE.replay(std::env::args_os().skip(1))
}
