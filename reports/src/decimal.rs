//! How a `u64` travels in JSON: as a string of decimal digits.
//!
//! Many JSON readers turn every number into a double, which holds whole numbers only up to 2^53. So the rule of this crate is:
//! every `u64` is a string, every smaller integer is a number.

use serde::{Deserialize, Deserializer, Serializer, de};
use std::borrow::Cow;

/// For `#[serde(with = "decimal")]`.
pub(crate) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// For `#[serde(with = "decimal")]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = Cow::<'de, str>::deserialize(deserializer)?;
    parse(&text)
        .ok_or_else(|| de::Error::custom(format!("{text:?} is not a u64 in decimal digits without leading zeros")))
}

/// Reads the one spelling that `serialize` writes: digits only, no sign, no leading zero, at most `u64::MAX`.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if canonical { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    struct Holder(#[serde(with = "super")] u64);

    #[test]
    fn extremes_and_2_pow_53_plus_1_survive() {
        for value in [0, 1, (1 << 53) + 1, u64::MAX] {
            let json = serde_json::to_string(&Holder(value)).unwrap();
            assert_eq!(json, format!("\"{value}\""));
            assert_eq!(serde_json::from_str::<Holder>(&json).unwrap(), Holder(value));
        }
    }

    #[test]
    fn only_one_spelling_is_read() {
        for text in ["", "00", "01", "+1", "-1", " 1", "1 ", "1.0", "1e3", "0x1", "18446744073709551616"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse("0"), Some(0));
        assert_eq!(parse("18446744073709551615"), Some(u64::MAX));
    }

    #[test]
    fn a_json_number_is_refused() {
        assert!(serde_json::from_str::<Holder>("5").is_err());
    }
}
