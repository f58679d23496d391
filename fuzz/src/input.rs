//! An input of a fuzz target: a file as it is, or a recipe that makes one.
//!
//! A recipe is `PTCH`, one byte that chooses a built-in seed, then patches (see `patch.rs`). Recipes reach what
//! mutations of bytes hardly do: a length at its limit with everything around it made to agree, 16 MiB of operations. A find is
//! kept as the file that it makes, never as its recipe, for a recipe means something else when seeds or patches change.

use std::borrow::Cow;

use crate::patch::{PATCH_BYTES, PATCHES_MAX, Patch, apply};
use crate::seeds::Seed;
use crate::tree::Node;

/// What a recipe begins with. No file of any layout does.
pub const RECIPE_MAGIC: [u8; 4] = *b"PTCH";

/// Whether the input is a recipe.
#[must_use]
pub fn is_recipe(input: &[u8]) -> bool {
    input.starts_with(&RECIPE_MAGIC)
}

/// The file that an input stands for.
pub(crate) fn produce<'i>(input: &'i [u8], seeds: &[Seed], grammar: fn(&[u8]) -> Vec<Node>) -> Cow<'i, [u8]> {
    let Some(recipe) = input.strip_prefix(&RECIPE_MAGIC) else { return Cow::Borrowed(input) };
    let (choice, rest) = recipe.split_first().unwrap_or((&0, &[]));
    let Some(seed) = seeds.get(usize::from(*choice) % seeds.len().max(1)) else { return Cow::Borrowed(&[]) };
    let (patches, _) = rest.as_chunks::<PATCH_BYTES>();
    let patches: Vec<Patch> = patches.iter().take(PATCHES_MAX).map(|bytes| Patch::decode(*bytes)).collect();
    Cow::Owned(apply(grammar(&seed.bytes), &patches))
}

/// The recipe that patches seed number `seed`.
pub(crate) fn recipe(seed: u8, patches: &[Patch]) -> Vec<u8> {
    let mut out = RECIPE_MAGIC.to_vec();
    out.push(seed);
    out.extend(patches.iter().flat_map(|patch| patch.encode()));
    out
}
