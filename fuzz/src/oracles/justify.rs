//! Every refusal is justified by the bytes where it points: looked at here without the readers, so that a limit that is too strict
//! by one, or an error that points one field too far, is found although every reader agrees with the others.

use replay_format::{Code, Error, Stage, limits};

use crate::verdict::{Finding, ensure};

/// The largest field that is read at once, agent options, has fewer bytes than this.
const FIELD_BYTES_MAX: i64 = 90;

/// Demands that the bytes at the error's offset are what its code says.
pub(super) fn ensure_justified(bytes: &[u8], error: &Error) -> Result<(), Finding> {
    let at = error.offset().and_then(|offset| usize::try_from(offset).ok()).unwrap_or(usize::MAX);
    let place = Place { rest: bytes.get(at..).unwrap_or(&[]), before: bytes.get(..at).unwrap_or(bytes) };
    ensure(is_justified(&place, error), "justified", || {
        let there: Vec<u8> = place.rest.iter().take(8).copied().collect();
        format!("{error}; the bytes there are {there:02x?}, and {} in all", place.rest.len())
    })
}

/// The bytes from an offset on, and those before it.
struct Place<'a> {
    rest: &'a [u8],
    before: &'a [u8],
}

impl Place<'_> {
    fn array<const N: usize>(&self) -> Option<[u8; N]> {
        self.rest.first_chunk().copied()
    }

    fn is_byte(&self, wrong: impl Fn(u8) -> bool) -> bool {
        self.rest.first().is_some_and(|byte| wrong(*byte))
    }

    fn is_i32(&self, wrong: impl Fn(i64) -> bool) -> bool {
        self.array().map(i32::from_le_bytes).is_some_and(|value| wrong(value.into()))
    }

    fn is_i64(&self, wrong: impl Fn(i64) -> bool) -> bool {
        self.array().map(i64::from_le_bytes).is_some_and(wrong)
    }

    fn is_f64(&self, wrong: impl Fn(f64) -> bool) -> bool {
        self.array().map(f64::from_le_bytes).is_some_and(wrong)
    }

    /// How many bytes follow an i32.
    fn left(&self) -> i64 {
        i64::try_from(self.rest.len()).unwrap_or(i64::MAX).saturating_sub(4)
    }

    /// The i32 before this place.
    fn previous(&self) -> i64 {
        self.before.last_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes).into())
    }
}

fn is_justified(place: &Place<'_>, error: &Error) -> bool {
    let field = error.path().rsplit('.').next().unwrap_or("");
    match error.code() {
        Code::Truncated => enclosed(place, error).is_none_or(|left| left < FIELD_BYTES_MAX),
        Code::TrailingBytes => !place.rest.is_empty(),
        Code::MagicMismatch => place.array::<4>().is_some_and(|magic| error.fault().expected != quoted(magic)),
        Code::VersionUnsupported | Code::KindUnsupported => place.is_byte(|byte| byte != 1),
        Code::ReservedNonzero => place.is_byte(|byte| byte != 0),
        Code::LengthNegative | Code::CountNegative => place.is_i32(|value| value < 0),
        Code::LengthOverLimit => {
            field == "operations_length" && place.is_i32(|value| value > signed(limits::OPERATIONS_MAX))
        }
        Code::LengthExceedsInput => place.is_i32(|value| enclosed(place, error).is_none_or(|left| value + 4 > left)),
        Code::CountOverLimit => count_limit(error, field).is_none_or(|limit| place.is_i32(|value| value > limit)),
        Code::CountExceedsInput => place.is_i32(|value| count_exceeds(place, field, value)),
        Code::DtOutOfRange => place.is_f64(|dt| dt.is_nan() || dt <= 0.0 || dt > 3600.0),
        Code::StartStepNegative => place.is_i64(|value| value < 0),
        Code::PositionNotFinite | Code::ValueNotFinite => place.is_f64(|value| !value.is_finite()),
        Code::PositionOutOfRange => place.is_f64(|value| value.is_finite() && value.abs() >= 2_097_152.0),
        Code::OperationKindUnknown => place.is_byte(|kind| !(1..=5).contains(&kind)),
        Code::RecordKindUnknown => place.is_byte(|kind| kind != 1 && kind != 2),
        Code::FlagInvalid => place.is_byte(|flag| flag > 1),
        Code::OperationsOverLimit => place.before.len() as u64 > limits::OPERATIONS_MAX - 115,
        Code::SpecVersionMismatch => place.array() != Some(limits::SPEC_VERSION.to_le_bytes()),
        // These depend on what stands elsewhere; the values that were accepted are judged instead.
        _ => true,
    }
}

/// A magic as errors word it.
fn quoted(magic: [u8; 4]) -> String {
    format!("\"{}\"", magic.escape_ascii())
}

/// How many bytes there are to the end of what encloses the field: the file, or a replay's setup block. None for a step's
/// operations, whose end only a reader knows.
fn enclosed(place: &Place<'_>, error: &Error) -> Option<i64> {
    let (in_replay, path) = (place.before.starts_with(&limits::REPLAY_MAGIC), error.path());
    if in_replay && path.contains(".operations[") {
        return None;
    }
    let to_end = signed(place.rest.len() as u64);
    if !(in_replay && path.starts_with("setup.")) {
        return Some(to_end);
    }
    let length = i32::from_le_bytes(*place.before.get(8..)?.first_chunk()?);
    Some(12 + i64::from(length) - signed(place.before.len() as u64))
}

fn count_limit(error: &Error, field: &str) -> Option<i64> {
    let build = error.stage() == Stage::Read;
    Some(signed(match field {
        "step_count" => limits::STEPS_MAX,
        "vertex_count" if build => limits::BUILD_VERTICES_MAX,
        "triangle_count" => limits::BUILD_TRIANGLES_MAX,
        "vertex_count" => limits::MESH_VERTICES_MAX,
        "polygon_count" => limits::MESH_POLYGONS_MAX,
        "corridor_count" => limits::CORRIDOR_MAX,
        _ => return None,
    }))
}

/// Whether so many items of the field's list, at their smallest, do not fit in the bytes left.
fn count_exceeds(place: &Place<'_>, field: &str, count: i64) -> bool {
    let needed = match field {
        "step_count" => count * 12,
        "vertex_count" => count * 24,
        "triangle_count" => count * 12 + place.previous() * 24,
        "polygon_count" => count * 26 + place.previous() * 24,
        "agent_count" => count * 120,
        "corridor_count" => count * 4,
        _ => return count > 0,
    };
    needed > place.left()
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::reading::doctored;
    use super::*;

    /// Of a valid replay, at each field, the error that would not be justified there.
    #[test]
    fn refusals_of_what_is_right_are_found() {
        let bytes = &crate::seeds::replays()[1].bytes;
        let setup_length = usize::try_from(i32::from_le_bytes(*bytes[8..].first_chunk().unwrap())).unwrap();
        let steps = 12 + setup_length as u64;
        let errors = [
            (Code::Truncated, 0, "magic"),
            (Code::TrailingBytes, bytes.len() as u64, ""),
            (Code::VersionUnsupported, 4, "version"),
            (Code::KindUnsupported, 5, "kind"),
            (Code::ReservedNonzero, 6, "reserved"),
            (Code::LengthNegative, 8, "setup_length"),
            (Code::LengthExceedsInput, 8, "setup_length"),
            (Code::DtOutOfRange, 20, "setup.dt"),
            (Code::StartStepNegative, 28, "setup.start_step"),
            (Code::LengthExceedsInput, 61, "setup.mesh_length"),
            (Code::CountNegative, steps, "step_count"),
            (Code::CountOverLimit, steps, "step_count"),
            (Code::CountExceedsInput, steps, "step_count"),
            (Code::LengthOverLimit, steps + 4, "steps[0].operations_length"),
            (Code::OperationKindUnknown, steps + 8, "steps[0].operations[0].kind"),
            (Code::RecordKindUnknown, steps + 8, "records[0].kind"),
            (Code::PositionNotFinite, steps + 9, "steps[0].operations[0].position.x"),
            (Code::PositionOutOfRange, steps + 9, "steps[0].operations[0].position.x"),
            (Code::FlagInvalid, steps + 8, "steps[0].operations[0].kind"),
            (Code::OperationsOverLimit, steps + 8, "records[0]"),
        ];
        for (code, offset, path) in errors {
            let verdict = ensure_justified(bytes, &doctored(code, offset, path));
            assert_eq!(verdict.map_err(|finding| finding.property), Err("justified"), "{code} at {offset}");
        }
    }

    /// A count of nothing does not fit either where the list before it does not: the vertices here lack their last four bytes.
    #[test]
    fn a_count_of_nothing_may_exceed_the_input() {
        let build = &crate::seeds::builds()[0].bytes;
        let vertices = usize::try_from(u32::from_le_bytes(*build[104..].first_chunk().unwrap())).unwrap();
        let mut bytes = build[..112 + 24 * vertices - 4].to_vec();
        bytes[108..112].fill(0);
        let error = replay_format::BuildInput::read(&bytes).unwrap_err();
        assert_eq!((error.code(), error.path()), (Code::CountExceedsInput, "triangle_count"));
        ensure_justified(&bytes, &error).unwrap();
        // With its vertices whole, it would not be justified.
        bytes.extend([0; 4]);
        assert_eq!(ensure_justified(&bytes, &error).map_err(|finding| finding.property), Err("justified"));
    }

    #[test]
    fn a_limit_that_is_off_by_one_is_found() {
        let limit = doctored(Code::LengthOverLimit, 0, "operations_length");
        let most = i32::try_from(limits::OPERATIONS_MAX).unwrap();
        assert!(ensure_justified(&(most + 1).to_le_bytes(), &limit).is_ok());
        assert!(ensure_justified(&most.to_le_bytes(), &limit).is_err());
        let position = doctored(Code::PositionOutOfRange, 0, "x");
        assert!(ensure_justified(&2_097_152_f64.to_le_bytes(), &position).is_ok());
        assert!(ensure_justified(&2_097_152_f64.next_down().to_le_bytes(), &position).is_err());
        let magic = Error::at(Code::MagicMismatch, Stage::Read, 0, "magic", "\"OPRS\"", "\"OPRP\"");
        assert!(ensure_justified(b"OPRS", &magic).is_ok());
        assert!(ensure_justified(b"OPRP", &magic).is_err());
    }
}
