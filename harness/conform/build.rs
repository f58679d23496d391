//! Rebuilds the crate when the corpus changes, since the corpus is embedded; and notes how it was built, for reports.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../corpus");
    for (name, from) in
        [("CONFORM_TARGET", "TARGET"), ("CONFORM_PROFILE", "PROFILE"), ("CONFORM_OPT_LEVEL", "OPT_LEVEL")]
    {
        println!("cargo:rustc-env={name}={}", env::var(from).unwrap_or_default());
    }
}
