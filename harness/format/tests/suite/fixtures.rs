//! Small complete files, written by hand as hex with a comment to each field.

/// Name and text of every fixture. SPEC.md prints the same text.
pub const ALL: [(&str, &str); 9] = [
    ("options.bin", include_str!("../fixtures/options.bin.hex")),
    ("settings.bin", include_str!("../fixtures/settings.bin.hex")),
    ("mesh.opnm", include_str!("../fixtures/mesh.opnm.hex")),
    ("state.opcs", include_str!("../fixtures/state.opcs.hex")),
    ("setup.oprs", include_str!("../fixtures/setup.oprs.hex")),
    ("replay.oprp", include_str!("../fixtures/replay.oprp.hex")),
    ("record.bin", include_str!("../fixtures/record.bin.hex")),
    ("capture.oplr", include_str!("../fixtures/capture.oplr.hex")),
    ("build.opbi", include_str!("../fixtures/build.opbi.hex")),
];

/// The text of a fixture.
pub fn text(name: &str) -> &'static str {
    ALL.iter().find(|(fixture, _)| *fixture == name).unwrap_or_else(|| panic!("no fixture {name}")).1
}

/// The bytes of a fixture.
pub fn bytes(name: &str) -> Vec<u8> {
    parse(text(name)).0
}

/// A field of a fixture: its offset and what the comment says of it, such as `dt = 0.03125`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub offset: usize,
    pub says: String,
}

/// The bytes of a hex text and its fields. Each line is bytes or `<fixture>`, `;`, the offset, and what stands there.
pub fn parse(text: &str) -> (Vec<u8>, Vec<Field>) {
    let mut out = Vec::new();
    let mut fields = Vec::new();
    for line in text.lines() {
        let (hex, comment) = line.split_once(';').unwrap_or_else(|| panic!("a line without a comment: {line}"));
        let (offset, says) = comment.trim().split_once(' ').unwrap_or_else(|| panic!("no offset: {line}"));
        assert_eq!(offset.parse(), Ok(out.len()), "the offset of {line}");
        fields.push(Field { offset: out.len(), says: says.to_owned() });
        match hex.trim().strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            Some(name) => out.extend(bytes(name)),
            None => out.extend(hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap())),
        }
    }
    (out, fields)
}

/// The offset of the field that a fixture calls `name`.
pub fn offset_of(fixture: &str, name: &str) -> usize {
    let fields = parse(text(fixture)).1;
    let is_it = |field: &&Field| field.says == name || field.says.starts_with(&format!("{name} "));
    fields.iter().find(is_it).unwrap_or_else(|| panic!("{fixture} has no field {name}")).offset
}

/// A fixture with other bytes from the field `name` on.
pub fn patched(fixture: &str, name: &str, with: impl AsRef<[u8]>) -> Vec<u8> {
    patched_at(fixture, offset_of(fixture, name), with)
}

/// A fixture with other bytes from `offset` on.
pub fn patched_at(fixture: &str, offset: usize, with: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = bytes(fixture);
    out[offset..offset + with.as_ref().len()].copy_from_slice(with.as_ref());
    out
}

/// The first `length` bytes of a fixture.
pub fn cut(fixture: &str, length: usize) -> Vec<u8> {
    bytes(fixture)[..length].to_vec()
}
