//! What the conformance corpus and the property tests are made of.
//!
//! * [`scene`]: navigation meshes from floor plans, and those that have names.
//! * [`scenario`]: what a host does to a crowd, in TOML, played through the recorder: replays and live captures.
//! * [`strategy`]: random streams of valid operations, as a proptest strategy that shrinks well.
//! * [`malformed`]: the catalogue of malformed files, with expectations that no reader was asked for.
//! * [`build_inputs`]: small levels for the mesh build.
//!
//! Everything here is deterministic: arithmetic is `+ - * /` alone, circles are polynomials ([`circle`]), and the one random
//! generator is [`splitmix`] (proptest's own, for streams, is seeded from it).
//!
//! ```
//! use generators::scenario::Scenario;
//!
//! let scenario: Scenario = toml::from_str(r#"
//! scene = "arena"
//! dt = 0.0625
//! steps = 20
//! [[groups]]
//! at = { circle = { centre = [0.0, 0.0, 0.0], radius = 8.0, count = 6 } }
//! to = { antipode = [0.0, 0.0, 0.0] }
//! "#)?;
//! let recorded = scenario.record()?;
//! assert_eq!(scenario.record()?, recorded);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod build_inputs;
pub mod circle;
pub mod malformed;
pub mod scenario;
pub mod scene;
pub mod splitmix;
pub mod strategy;
