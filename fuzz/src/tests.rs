//! Every target over its seeds, over each length and count at its limits, and over each edge of each field.

use std::collections::BTreeSet;

use replay_format::Code;

use crate::input::recipe;
use crate::patch::Patch;
use crate::{BUILD_INPUT, LIVE_CAPTURE, MESH_STATE, OPERATIONS, Outcome, REPLAY_READER, SETUP, TARGETS, Target};

/// What came out of the target's inputs: how many were accepted, and which codes were raised.
fn sweep(target: &Target, inputs: impl IntoIterator<Item = (String, Vec<u8>)>) -> (usize, BTreeSet<Code>) {
    let (mut accepted, mut codes) = (0, BTreeSet::new());
    for (name, input) in inputs {
        match target.check(&input) {
            Ok(Outcome::Accepted) => accepted += 1,
            Ok(Outcome::Refused(error)) => {
                codes.insert(error.code());
            }
            Ok(Outcome::NotComparable(_)) => {}
            Err(finding) => panic!("{}: {name}: {finding}", target.name),
        }
    }
    (accepted, codes)
}

fn recipes_at_limits(target: &Target) -> (usize, BTreeSet<Code>) {
    sweep(target, target.seeds().into_iter().chain(target.full_seeds()).map(|seed| (seed.name, seed.bytes)))
}

#[test]
fn every_built_in_seed_is_accepted() {
    for target in TARGETS {
        for seed in target.built_in() {
            let verdict = target.check(&seed.bytes);
            assert_eq!(verdict, Ok(Outcome::Accepted), "{}: {}", target.name, seed.name);
        }
    }
}

#[test]
fn names_of_seeds_are_unique() {
    for target in TARGETS {
        let seeds: Vec<_> = target.seeds().into_iter().chain(target.full_seeds()).collect();
        let names: BTreeSet<_> = seeds.iter().map(|seed| &seed.name).collect();
        assert_eq!(names.len(), seeds.len(), "{}", target.name);
    }
}

#[test]
fn every_target_stands_in_the_manifest() {
    let manifest = include_str!("../Cargo.toml");
    let bins = manifest.matches("[[bin]]").count();
    assert_eq!(bins, TARGETS.len());
    for target in TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{}.rs\"", target.name)), "{}", target.name);
    }
}

/// The limits are reached, on both sides: the codes of each limit are raised, and inputs at the limit are accepted.
#[test]
fn recipes_reach_every_limit_of_a_length_or_count() {
    let lengths = [Code::LengthNegative, Code::LengthExceedsInput];
    let counts = [Code::CountNegative, Code::CountOverLimit, Code::CountExceedsInput];
    let expected: [(&Target, Vec<Code>); 6] = [
        (&REPLAY_READER, [&lengths[..], &counts[..], &[Code::LengthOverLimit]].concat()),
        (&OPERATIONS, Vec::new()),
        (&LIVE_CAPTURE, [&lengths[..], &[Code::OperationsOverLimit]].concat()),
        (&SETUP, lengths.to_vec()),
        (&BUILD_INPUT, counts.to_vec()),
        (&MESH_STATE, [&counts[..], &[Code::ValueOutOfRange]].concat()),
    ];
    for (target, expected) in expected {
        let (accepted, codes) = recipes_at_limits(target);
        assert!(accepted > 0, "{}", target.name);
        for code in expected {
            assert!(codes.contains(&code), "{}: no recipe raises {code}: {codes:?}", target.name);
        }
    }
}

/// One byte more than the most is refused with the limit's own code, and where; the most and one less are accepted.
#[test]
fn full_steps_are_accepted_and_overfull_ones_refused() {
    let cases = [
        (&REPLAY_READER, Code::LengthOverLimit, "operations_length"),
        (&LIVE_CAPTURE, Code::OperationsOverLimit, "]"),
        (&MESH_STATE, Code::ValueOutOfRange, "polygons[0].vertex_count"),
    ];
    for (target, code, path) in cases {
        let full = target.full_seeds();
        let polygon = |name: &str| name.starts_with("mesh-octagon");
        let full: Vec<_> = full.iter().filter(|seed| target.name != "mesh_state" || polygon(&seed.name)).collect();
        let [under, at, over] = full[..] else { panic!("{}: {} seeds", target.name, full.len()) };
        // The mesh's are repeated corners, which are refused, but not for their number.
        for seed in [under, at].into_iter().filter(|_| target.name != "mesh_state") {
            assert_eq!(target.check(&seed.bytes), Ok(Outcome::Accepted), "{}: {}", target.name, seed.name);
        }
        let Ok(Outcome::Refused(error)) = target.check(&over.bytes) else { panic!("{}: {}", target.name, over.name) };
        assert!(error.code() == code && error.path().ends_with(path), "{}: {error}", target.name);
    }
}

#[test]
fn every_edge_of_every_field_of_every_seed() {
    for target in TARGETS {
        let seeds = target.built_in().len();
        let inputs = (0..u8::try_from(seeds).unwrap()).flat_map(|seed| {
            let fields = target.count_fields(seed.into());
            // Fifty fields see every kind of field of a seed, most of them several times.
            let step = fields.div_ceil(50).max(1);
            (0..u16::try_from(fields).unwrap()).step_by(step).flat_map(move |at| {
                (0..24).map(move |edge| {
                    (format!("seed {seed}, field {at}, edge {edge}"), recipe(seed, &[Patch::Edge { at, edge }]))
                })
            })
        });
        sweep(target, inputs);
    }
}

#[test]
fn every_prefix_of_every_seed() {
    for target in TARGETS {
        for seed in target.built_in() {
            sweep(
                target,
                (0..seed.bytes.len()).map(|end| (format!("{} to {end}", seed.name), seed.bytes[..end].to_vec())),
            );
        }
    }
}

#[test]
fn a_recipe_without_patches_is_its_seed() {
    for target in TARGETS {
        for (number, seed) in (0..).zip(target.built_in()) {
            assert_eq!(target.produce(&recipe(number, &[])), seed.bytes, "{}", seed.name);
        }
    }
}
