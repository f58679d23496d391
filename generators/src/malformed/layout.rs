//! Bytes laid out field by field, with a map of where each field went.
//!
//! The map is what makes expectations independent: a case says "the field `mesh.polygons[0].area`", and its offset is where
//! this builder put that field, never where a reader says it found something. Nothing here reads.

use std::ops::Range;

/// A value as its little-endian bytes.
pub(super) trait ToBytes {
    fn to_le(&self) -> Vec<u8>;
}

macro_rules! to_bytes {
    ($($number:ty),+) => {
        $(impl ToBytes for $number {
            fn to_le(&self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        })+
    };
}
to_bytes!(u8, u32, i32, u64, i64, f64);

impl<const N: usize> ToBytes for [u8; N] {
    fn to_le(&self) -> Vec<u8> {
        self.to_vec()
    }
}

impl ToBytes for Vec<u8> {
    fn to_le(&self) -> Vec<u8> {
        self.clone()
    }
}

/// Bytes and the names of the ranges in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    bytes: Vec<u8>,
    fields: Vec<(String, Range<usize>)>,
}

impl Layout {
    pub(super) fn new() -> Layout {
        Layout::default()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of bytes, as a length field says it.
    pub(super) fn length(&self) -> i32 {
        i32::try_from(self.bytes.len()).unwrap_or(i32::MAX)
    }

    // Laying out.

    /// Lays a field out after everything there is.
    pub(super) fn put(mut self, name: &str, value: impl ToBytes) -> Layout {
        let start = self.bytes.len();
        self.bytes.extend(value.to_le());
        self.fields.push((name.to_owned(), start..self.bytes.len()));
        self
    }

    /// Lays out three doubles with the names `name.x`, `name.y`, `name.z`.
    pub(super) fn put_point(self, name: &str, [x, y, z]: [f64; 3]) -> Layout {
        self.put(&format!("{name}.x"), x).put(&format!("{name}.y"), y).put(&format!("{name}.z"), z)
    }

    /// Lays out another layout as one field; its own fields get names in it. Bytes that it lost stay lost.
    pub(super) fn embed(self, name: &str, inner: &Layout) -> Layout {
        self.nest(name, &format!("{name}."), inner)
    }

    /// Lays out another layout as one field; its own fields keep their names.
    pub(super) fn join(self, name: &str, inner: &Layout) -> Layout {
        self.nest(name, "", inner)
    }

    fn nest(mut self, name: &str, prefix: &str, inner: &Layout) -> Layout {
        let start = self.bytes.len();
        self.bytes.extend(&inner.bytes);
        self.fields.push((name.to_owned(), start..self.bytes.len()));
        for (field, range) in &inner.fields {
            self.fields.push((format!("{prefix}{field}"), start + range.start..start + range.end));
        }
        self
    }

    // Breaking.

    /// Puts other bytes of the same size into a field.
    pub(super) fn set(mut self, name: &str, value: impl ToBytes) -> Layout {
        let range = self.range(name);
        let bytes = value.to_le();
        assert_eq!(bytes.len(), range.len(), "{name} has another size");
        self.bytes[range].copy_from_slice(&bytes);
        self
    }

    /// Ends the bytes after the first `keep` bytes of a field. The map still knows where everything was.
    pub(super) fn cut(mut self, name: &str, keep: usize) -> Layout {
        let range = self.range(name);
        assert!(keep < range.len() || range.is_empty(), "{name} would not be cut");
        self.bytes.truncate(range.start + keep);
        self
    }

    /// Where a field begins.
    pub(super) fn at(&self, name: &str) -> u64 {
        u64::try_from(self.range(name).start).unwrap_or(u64::MAX)
    }

    /// How many bytes a field takes; all of them where it has no name.
    pub(super) fn len_of(&self, name: &str) -> u64 {
        let length = if name.is_empty() { self.bytes.len() } else { self.range(name).len() };
        u64::try_from(length).unwrap_or(u64::MAX)
    }

    /// How many bytes there are after a field.
    pub(super) fn after(&self, name: &str) -> u64 {
        u64::try_from(self.bytes.len() - self.range(name).end).unwrap_or(u64::MAX)
    }

    fn range(&self, name: &str) -> Range<usize> {
        match self.fields.iter().find(|(field, _)| field == name) {
            Some((_, range)) => range.clone(),
            None => panic!("no field {name}; there are {:?}", self.fields.iter().map(|(f, _)| f).collect::<Vec<_>>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_places_through_nesting_and_cutting() {
        let inner = Layout::new().put("a", 1_u8).put_point("p", [1.0, 2.0, 3.0]);
        let outer = Layout::new().put("length", inner.length()).embed("block", &inner).put("end", [9_u8, 9]);
        assert_eq!((outer.at("block"), outer.at("block.p.y"), outer.at("end")), (4, 13, 29));
        assert_eq!(outer.bytes().len(), 31);
        let cut = outer.clone().set("block.p.y", -2.0).cut("block.p.y", 3);
        assert_eq!((cut.bytes().len(), cut.at("end")), (16, 29));
        assert_eq!(cut.bytes()[..13], outer.bytes()[..13]);
    }

    #[test]
    #[should_panic(expected = "no field b")]
    fn an_unknown_field_is_a_fault_of_the_catalogue() {
        let _ = Layout::new().put("a", 1_u8).at("b");
    }
}
