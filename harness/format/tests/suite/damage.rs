//! Every layout against every cut, one byte too many, every flipped bit, and random damage: an error with a place in the file,
//! or bytes that are written again as they are.

use proptest::prelude::*;

use crate::fixtures;
use crate::layout::{Layout, assert_live_streams_alike, assert_replay_streams_alike};

/// Demands that damaged bytes are refused somewhere inside the file or read as what they are. Says whether they were read.
fn refused_or_canonical(layout: Layout, bytes: &[u8]) -> bool {
    match layout {
        Layout::Replay => assert_replay_streams_alike(bytes, bytes),
        Layout::Live => assert_live_streams_alike(bytes, bytes),
        _ => {}
    }
    match layout.rewrite(bytes) {
        Ok(written) => {
            assert!(written == bytes, "{layout:?}: what was accepted is not written as it was");
            true
        }
        Err(error) => {
            let offset = error.offset().expect("an error of a reader has an offset");
            assert!(offset <= bytes.len() as u64, "{error} is beyond the {} bytes", bytes.len());
            assert_eq!(layout.rewrite(bytes), Err(error), "the same error again");
            false
        }
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    for (layout, fixture) in Layout::ALL {
        let bytes = fixtures::bytes(fixture);
        // A capture may end after its setup block and after any record.
        let ends: &[usize] = if layout == Layout::Live { &[615, 649, 658, 667] } else { &[] };
        for length in 0..bytes.len() {
            let accepted = refused_or_canonical(layout, &bytes[..length]);
            assert_eq!(accepted, ends.contains(&length), "{fixture} cut at {length}");
        }
    }
}

#[test]
fn one_byte_too_many_is_refused_where_it_stands() {
    for (layout, fixture) in Layout::ALL {
        let mut bytes = fixtures::bytes(fixture);
        bytes.push(0);
        assert!(!refused_or_canonical(layout, &bytes));
        let error = layout.error(&bytes);
        let code = if layout == Layout::Live { "record-kind-unknown" } else { "trailing-bytes" };
        assert_eq!((error.code().as_str(), error.offset()), (code, Some(bytes.len() as u64 - 1)), "{fixture}");
    }
}

#[test]
fn every_flipped_bit_is_refused_or_read_as_what_it_is() {
    for (layout, fixture) in Layout::ALL {
        let mut bytes = fixtures::bytes(fixture);
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            refused_or_canonical(layout, &bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn every_byte_set_to_every_value_is_refused_or_read_as_what_it_is() {
    for (layout, fixture) in Layout::ALL.into_iter().filter(|(layout, _)| *layout != Layout::Setup) {
        let original = fixtures::bytes(fixture);
        // The setup block inside is tried as the layouts before.
        let from = if matches!(layout, Layout::Replay | Layout::Live) { original.len() - 240 } else { 0 };
        let mut bytes = original.clone();
        for at in from.min(original.len())..original.len() {
            for value in 0..=u8::MAX {
                bytes[at] = value;
                refused_or_canonical(layout, &bytes);
            }
            bytes[at] = original[at];
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_damage_is_refused_or_read_as_what_it_is(
        which in 0..Layout::ALL.len(),
        places in prop::collection::vec((any::<prop::sample::Index>(), special()), 1..4),
        length in any::<Option<prop::sample::Index>>(),
    ) {
        let (layout, fixture) = Layout::ALL[which];
        let mut bytes = fixtures::bytes(fixture);
        for (place, with) in places {
            let at = place.index(bytes.len());
            let room = with.len().min(bytes.len() - at);
            bytes[at..at + room].copy_from_slice(&with[..room]);
        }
        if let Some(length) = length {
            bytes.truncate(length.index(bytes.len()));
        }
        refused_or_canonical(layout, &bytes);
    }

    #[test]
    fn random_bytes_are_refused_or_read_as_what_they_are(
        which in 0..Layout::ALL.len(),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        refused_or_canonical(Layout::ALL[which].0, &bytes);
    }
}

/// Bytes that are at the edge of something when they are a length, a count, an index, a double or a flag.
fn special() -> impl Strategy<Value = Vec<u8>> {
    let integers = [0, 1, 2, -1, i32::MIN, i32::MAX, 16_777_216, 16_777_217, 1_000_000, 64, 65];
    let doubles = [f64::NAN, -f64::NAN, f64::INFINITY, 2_097_152.0, -0.0, 5e-324, 3600.0, 1024.0, -1.0];
    prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        prop::sample::select(integers.to_vec()).prop_map(|value: i32| value.to_le_bytes().to_vec()),
        (0..doubles.len()).prop_map(move |index| doubles[index].to_le_bytes().to_vec()),
        Just(i64::MIN.to_le_bytes().to_vec()),
        Just(i64::MAX.to_le_bytes().to_vec()),
    ]
}
