//! Two runs of bytes that should be one: where they part, in which field, and what stands there.

use crate::words::{count, len64};
use crate::{Format, walk};

/// Where `found` differs from `expected`, in one sentence; none where they are equal. The field is looked up in `expected`.
#[must_use]
pub fn difference(format: Format, expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let at = len64(same);
    let place = match walk::field_at(format, expected, at) {
        Some((path, offset, value)) => {
            let inside = if offset == at { String::new() } else { format!(", byte {} of it", at - offset) };
            format!("byte {at} ({path}, {value}{inside})")
        }
        None => format!("byte {at}"),
    };
    let (expected_length, found_length) = (len64(expected.len()), len64(found.len()));
    Some(match (expected.get(same), found.get(same)) {
        (Some(a), Some(b)) => {
            let lengths = if expected_length == found_length {
                String::new()
            } else {
                format!("; {} instead of {expected_length}", count(found_length, "byte"))
            };
            format!("first difference at {place}: {b:#04x} instead of {a:#04x}{lengths}")
        }
        (Some(_), None) => format!("it ends at {place}: {} instead of {expected_length}", count(found_length, "byte")),
        _ => format!("{} too many after the end, byte {at}", count(found_length - expected_length, "byte")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_offset_field_and_bytes() {
        let mesh = b"OPNM\x01\0\0\0\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let mut other = mesh.to_vec();
        assert_eq!(difference(Format::Mesh, mesh, &other), None);
        other[10] = 255;
        assert_eq!(
            difference(Format::Mesh, mesh, &other).unwrap(),
            "first difference at byte 10 (revision, 7, byte 2 of it): 0xff instead of 0x00"
        );
        other.push(0);
        assert_eq!(
            difference(Format::Mesh, mesh, &other).unwrap(),
            "first difference at byte 10 (revision, 7, byte 2 of it): 0xff instead of 0x00; 25 bytes instead of 24"
        );
        assert_eq!(
            difference(Format::Mesh, mesh, &mesh[..20]).unwrap(),
            "it ends at byte 20 (polygon_count, 0): 20 bytes instead of 24"
        );
        assert_eq!(difference(Format::Mesh, &mesh[..23], mesh).unwrap(), "1 byte too many after the end, byte 23");
    }
}
