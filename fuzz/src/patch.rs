//! Changes to a file's tree: the structure-aware part of an input.
//!
//! A patch is eight bytes: what (1), where (2, little-endian), how (1), and a value (4, little-endian). Every eight bytes are a
//! patch, and a patch stands alone, so that a mutation of one does not shift the meaning of those after it.

use replay_format::{AgentOptions, Operation, PathFollower, RECORD_OPERATION, RECORD_STEP, limits};

use crate::tree::{Claim, Filling, Lists, Node, Number, Range, change_lists, count_lists, length, parts, write};

/// The bytes of a patch.
pub(crate) const PATCH_BYTES: usize = 8;
/// The most patches of an input.
pub(crate) const PATCHES_MAX: usize = 32;
/// The value of a patch that fills. To fill 16 MiB is dear (a second for all that an oracle does with it), so no mutation does it by
/// chance: the seeds do.
const FILL: u32 = u32::from_le_bytes(*b"fill");
/// The most bytes that a repetition adds.
const REPEAT_BYTES_MAX: usize = 1 << 12;

/// A change to a tree, or to the bytes that it makes. Places are counted round: any number means some place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patch {
    /// Number `at` becomes one of the values at the ends of its range or of its type.
    Edge { at: u16, edge: u8 },
    /// Number `at` becomes this.
    Value { at: u16, value: i32 },
    /// Length or count `at` says this.
    Claim { at: u16, claim: Claim },
    /// Item `item` of list `at` comes `times` more times.
    Repeat { at: u16, times: u8, item: u32 },
    /// Item `item` of list `at` goes.
    Remove { at: u16, item: u32 },
    /// Item `item` of list `at` changes places with the one after it.
    Swap { at: u16, item: u32 },
    /// List `at` is filled up to its limit and `more`.
    Fill { at: u16, more: i8 },
    /// The byte at `at` becomes this.
    Poke { at: u32, byte: u8 },
    /// The file ends at `at`.
    Cut { at: u32 },
    /// The file goes on with `times` such bytes.
    Append { times: u16, byte: u8 },
}

impl Patch {
    pub(crate) fn decode(bytes: [u8; PATCH_BYTES]) -> Patch {
        let [what, at0, at1, how, rest @ ..] = bytes;
        let (at, value) = (u16::from_le_bytes([at0, at1]), u32::from_le_bytes(rest));
        let more = i8::from_le_bytes([how]);
        match what % 16 {
            0..=2 => Patch::Edge { at, edge: how },
            3 => Patch::Value { at, value: value.cast_signed() },
            4..=6 => Patch::Claim { at, claim: decode_claim(how, value) },
            7 => Patch::Repeat { at, times: how, item: value },
            8 => Patch::Remove { at, item: value },
            9 => Patch::Swap { at, item: value },
            10 if value == FILL => Patch::Fill { at, more },
            10 => Patch::Repeat { at, times: how, item: value },
            11 | 12 => Patch::Poke { at: value, byte: how },
            13 => Patch::Cut { at: value },
            14 => Patch::Append { times: at, byte: how },
            _ => Patch::Claim { at, claim: Claim::Value(value.cast_signed()) },
        }
    }

    pub(crate) fn encode(self) -> [u8; PATCH_BYTES] {
        let (what, at, how, value) = match self {
            Patch::Edge { at, edge } => (0, at, edge, 0),
            Patch::Value { at, value } => (3, at, 0, value.cast_unsigned()),
            Patch::Claim { at, claim: Claim::Value(value) } => (15, at, 0, value.cast_unsigned()),
            Patch::Claim { at, claim } => {
                let (how, more) = encode_claim(claim);
                (4, at, how, u32::from(more.cast_unsigned()))
            }
            Patch::Repeat { at, times, item } => (7, at, times, item),
            Patch::Remove { at, item } => (8, at, 0, item),
            Patch::Swap { at, item } => (9, at, 0, item),
            Patch::Fill { at, more } => (10, at, more.cast_unsigned(), FILL),
            Patch::Poke { at, byte } => (11, 0, byte, at),
            Patch::Cut { at } => (13, 0, 0, at),
            Patch::Append { times, byte } => (14, times, byte, 0),
        };
        let [at0, at1] = at.to_le_bytes();
        let [v0, v1, v2, v3] = value.to_le_bytes();
        [what, at0, at1, how, v0, v1, v2, v3]
    }
}

fn decode_claim(how: u8, value: u32) -> Claim {
    let more = value.to_le_bytes()[0].cast_signed();
    match how % 4 {
        0 => Claim::LimitAnd(more),
        1 => Claim::LeftAnd(more),
        2 => Claim::TruthAnd(more),
        _ => Claim::Value(match value % 5 {
            0 => -1,
            1 => i32::MIN,
            2 => i32::MAX,
            3 => 0,
            _ => 1 << (value / 5 % 31),
        }),
    }
}

fn encode_claim(claim: Claim) -> (u8, i8) {
    match claim {
        Claim::LimitAnd(more) => (0, more),
        Claim::LeftAnd(more) => (1, more),
        Claim::TruthAnd(more) => (2, more),
        Claim::Truth | Claim::Value(_) => (2, 0),
    }
}

/// The file that the tree makes after the patches: first those to the tree, then those to its bytes.
pub(crate) fn apply(mut nodes: Vec<Node>, patches: &[Patch]) -> Vec<u8> {
    for patch in patches {
        apply_to_tree(&mut nodes, *patch);
    }
    let mut bytes = write(&nodes);
    for patch in patches {
        apply_to_bytes(&mut bytes, *patch);
    }
    bytes
}

fn apply_to_tree(nodes: &mut [Node], patch: Patch) {
    match patch {
        Patch::Edge { at, edge } => {
            if let Some(number) = pick(&mut parts(nodes).numbers, at) {
                number.bits = edge_of(number, edge);
            }
        }
        Patch::Value { at, value } => {
            if let Some(number) = pick(&mut parts(nodes).numbers, at) {
                number.bits = match number.range {
                    // Doubles that people write are sixteenths more often than not.
                    Range::Float { .. } => (f64::from(value) / 16.0).to_bits(),
                    Range::Int { .. } | Range::Bits => i64::from(value).cast_unsigned(),
                };
            }
        }
        Patch::Claim { at, claim } => {
            if let Some(place) = pick(&mut parts(nodes).claims, at) {
                **place = claim;
            }
        }
        Patch::Repeat { at, times, item } => {
            change(nodes, at, &mut |lists| repeat(lists, item, usize::from(times) + 1))
        }
        Patch::Remove { at, item } => change(nodes, at, &mut |lists| {
            for_item(lists, item, &mut |list, index| {
                list.remove(index);
            });
        }),
        Patch::Swap { at, item } => change(nodes, at, &mut |lists| {
            for_item(lists, item, &mut |list, index| {
                let next = (index + 1) % list.len();
                list.swap(index, next);
            });
        }),
        Patch::Fill { at, more } => change(nodes, at, &mut |lists| fill(lists, i64::from(more))),
        Patch::Poke { .. } | Patch::Cut { .. } | Patch::Append { .. } => {}
    }
}

fn apply_to_bytes(bytes: &mut Vec<u8>, patch: Patch) {
    match patch {
        Patch::Poke { at, byte } => {
            let index = at as usize % bytes.len().max(1);
            if let Some(place) = bytes.get_mut(index) {
                *place = byte;
            }
        }
        Patch::Cut { at } => bytes.truncate(at as usize % (bytes.len() + 1)),
        Patch::Append { times, byte } => bytes.resize(bytes.len() + usize::from(times), byte),
        _ => {}
    }
}

fn pick<T>(places: &mut [T], at: u16) -> Option<&mut T> {
    let count = places.len().max(1);
    places.get_mut(usize::from(at) % count)
}

fn change(nodes: &mut [Node], at: u16, change: &mut dyn FnMut(&mut Lists)) {
    let count = count_lists(nodes);
    if count > 0 {
        change_lists(nodes, usize::from(at) % count, change);
    }
}

/// Changes one of the lists at an item; lists that have no count of their own change with the first.
fn for_item(lists: &mut Lists, item: u32, change: &mut dyn FnMut(&mut Vec<Node>, usize)) {
    let own = lists.counts.len().max(1).min(lists.lists.len());
    if own == 0 {
        return;
    }
    let (which, item) = (item as usize % own, item as usize / own);
    let with_it = if which == 0 { own..lists.lists.len() } else { 0..0 };
    for index in std::iter::once(which).chain(with_it) {
        if let Some(list) = lists.lists.get_mut(index).filter(|list| !list.is_empty()) {
            let place = item % list.len();
            change(list, place);
        }
    }
}

fn repeat(lists: &mut Lists, item: u32, times: usize) {
    for_item(lists, item, &mut |list, index| {
        let node = list[index].clone();
        let times = times.min(REPEAT_BYTES_MAX / length(std::slice::from_ref(&node)).max(1));
        list.splice(index..index, std::iter::repeat_n(node, times));
    });
}

/// Operations up to 16 MiB and `more`; or, where a count has one byte, items up to its limit and `more`.
fn fill(lists: &mut Lists, more: i64) {
    let limit = i64::try_from(limits::OPERATIONS_MAX).unwrap_or(i64::MAX) + more;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    match lists.filling {
        Some(Filling::Operations) => {
            if let Some(list) = lists.lists.first_mut() {
                let present = length(list);
                list.push(Node::Bytes(operations_of(limit.saturating_sub(present), &[])));
            }
        }
        Some(Filling::Records) => {
            if let Some(list) = lists.lists.first_mut() {
                // A step of its own, at the beginning.
                let mut records = operations_of(limit, &[RECORD_OPERATION]);
                records.push(RECORD_STEP);
                records.extend_from_slice(&[0; 8]);
                list.insert(0, Node::Bytes(records));
            }
        }
        None => {
            let Some(count) = lists.counts.first().filter(|count| count.width == 1) else { return };
            let wanted = usize::try_from(count.limit + more).unwrap_or(0);
            let present = lists.lists.first().map_or(0, Vec::len);
            if wanted > present {
                repeat(lists, 0, wanted - present);
            }
        }
    }
}

/// Operations that take exactly `bytes` bytes (or a few fewer, where `bytes` is small), each with `before` in front of it, which
/// does not count.
fn operations_of(bytes: usize, before: &[u8]) -> Vec<u8> {
    let long = AgentOptions { follower: Some(PathFollower::default()), ..AgentOptions::default() };
    let add = |options: &AgentOptions| {
        let mut out = Vec::new();
        Operation::Add { position: [1.0, 0.0, 1.0], settings: &options.to_bytes(), settings_offset: 0 }.write(&mut out);
        out
    };
    let (short, long) = (add(&AgentOptions::default()), add(&long));
    // Adds of 91 and 115 bytes: some number of short ones leaves a multiple of the long.
    let shorts =
        (0..long.len()).find(|n| bytes.checked_sub(n * short.len()).is_some_and(|rest| rest % long.len() == 0));
    let longs = (bytes - shorts.unwrap_or(0) * short.len()) / long.len();
    let mut out = Vec::with_capacity(bytes + (shorts.unwrap_or(0) + longs) * before.len());
    let all = std::iter::repeat_n(&short, shorts.unwrap_or(0)).chain(std::iter::repeat_n(&long, longs));
    for operation in all {
        out.extend_from_slice(before);
        out.extend_from_slice(operation);
    }
    out
}

/// A value at the end of the number's range or of its type.
fn edge_of(number: &Number, edge: u8) -> u64 {
    match number.range {
        Range::Float { min, max } => float_edge(number.bits, min, max, edge),
        Range::Int { min, max } => int_edge(number.bits, min, max, edge).cast_unsigned(),
        Range::Bits => [0, 1, u64::MAX, 1 << 63, number.bits ^ 1, !number.bits, number.bits.swap_bytes(), 0xFF]
            [usize::from(edge) % 8],
    }
}

fn float_edge(bits: u64, min: f64, max: f64, edge: u8) -> u64 {
    let now = f64::from_bits(bits);
    let values = [
        min,
        min.next_down(),
        min.next_up(),
        max,
        max.next_up(),
        max.next_down(),
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::from_bits(1),
        -f64::from_bits(1),
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7FF0_0000_0000_0001),
        -now,
        now.next_up(),
        now.next_down(),
        now / 2.0,
        now * 2.0,
    ];
    values[usize::from(edge) % values.len()].to_bits()
}

fn int_edge(bits: u64, min: i64, max: i64, edge: u8) -> i64 {
    let now = bits.cast_signed();
    let values = [
        min,
        min.saturating_sub(1),
        max,
        max.saturating_add(1),
        0,
        1,
        -1,
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        i64::MAX,
        i64::MIN,
        i64::MAX - 1,
        now.wrapping_add(1),
        now.wrapping_sub(1),
        0x7F,
        0xFF,
    ];
    values[usize::from(edge) % values.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_come_back_from_their_bytes() {
        let patches = [
            Patch::Edge { at: 513, edge: 7 },
            Patch::Value { at: 2, value: -5 },
            Patch::Claim { at: 3, claim: Claim::LimitAnd(1) },
            Patch::Claim { at: 3, claim: Claim::LeftAnd(-1) },
            Patch::Claim { at: 3, claim: Claim::TruthAnd(3) },
            Patch::Claim { at: 3, claim: Claim::Value(77) },
            Patch::Repeat { at: 4, times: 9, item: 70_000 },
            Patch::Remove { at: 5, item: 1 },
            Patch::Swap { at: 6, item: 2 },
            Patch::Fill { at: 7, more: -1 },
            Patch::Fill { at: 7, more: 0 },
            Patch::Fill { at: 7, more: 1 },
            Patch::Poke { at: 80_000, byte: 3 },
            Patch::Cut { at: 9 },
            Patch::Append { times: 300, byte: 1 },
        ];
        for patch in patches {
            assert_eq!(Patch::decode(patch.encode()), patch);
        }
    }

    #[test]
    fn operations_fill_a_step_exactly() {
        for bytes in [limits::OPERATIONS_MAX - 1, limits::OPERATIONS_MAX, limits::OPERATIONS_MAX + 1] {
            let bytes = usize::try_from(bytes).unwrap();
            assert_eq!(operations_of(bytes, &[]).len(), bytes);
        }
    }

    #[test]
    fn every_eight_bytes_are_a_patch_that_can_be_applied() {
        for what in 0..=255_u8 {
            for how in [0, 1, 63, 65, 128, 255] {
                for seed in crate::seeds::meshes() {
                    let patch = Patch::decode([what, how, 0, how, 1, how, 0, 0]);
                    apply(crate::grammar::of_mesh(&seed.bytes), &[patch]);
                }
            }
        }
    }
}
