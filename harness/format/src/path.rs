//! Where in a layout a reader stands, told in words only when something is wrong.

use std::fmt;

/// The path of a field, as a chain on the stack: building one costs nothing until it is printed.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    segment: Segment,
}

#[derive(Debug, Clone, Copy)]
enum Segment {
    Root,
    Field(&'static str),
    Index(u64),
}

impl Path<'static> {
    /// The file itself.
    pub const ROOT: Path<'static> = Path { parent: None, segment: Segment::Root };
}

impl<'p> Path<'p> {
    /// The field of that name inside this one.
    #[must_use]
    pub fn field(&'p self, name: &'static str) -> Path<'p> {
        Path { parent: Some(self), segment: Segment::Field(name) }
    }

    /// The item of that number (from 0) inside this list.
    #[must_use]
    pub fn index(&'p self, index: u64) -> Path<'p> {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }

    /// The item of that number (from 0) inside this list.
    #[must_use]
    pub fn item(&'p self, index: usize) -> Path<'p> {
        self.index(u64::try_from(index).unwrap_or(u64::MAX))
    }

    fn is_root(&self) -> bool {
        matches!(self.segment, Segment::Root)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = match self.parent {
            Some(parent) => {
                parent.fmt(f)?;
                !parent.is_root()
            }
            None => false,
        };
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Field(name) if inside => write!(f, ".{name}"),
            Segment::Field(name) => f.write_str(name),
            Segment::Index(index) => write!(f, "[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn prints_fields_and_indices() {
        let steps = Path::ROOT.field("steps");
        let step = steps.index(3);
        let operations = step.field("operations");
        let operation = operations.item(1);
        let position = operation.field("position");
        assert_eq!(position.field("y").to_string(), "steps[3].operations[1].position.y");
        assert_eq!(Path::ROOT.to_string(), "");
        assert_eq!(Path::ROOT.index(2).field("kind").to_string(), "[2].kind");
    }
}
