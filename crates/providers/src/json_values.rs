//! Reads JSON values that servers write in different ways.

use serde_json::Value;

/// A count: a number, or a number in a string. Negative, non-finite and missing ones are
/// unavailable, never zero (D02, D03).
pub(crate) fn parse_count(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => {
            let exact = number.as_u64();
            let exact = exact.or_else(|| number.as_f64().and_then(whole_number));
            exact.and_then(|number| u32::try_from(number).ok())
        }
        Value::String(digits) => digits.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn whole_number(number: f64) -> Option<u64> {
    let valid = number.is_finite() && number >= 0.0 && number <= f64::from(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    valid.then_some(number.round() as u64)
}

/// A string that is present and not empty.
pub(crate) fn non_empty(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

static NOTHING: Value = Value::Null;

/// The value at a JSON pointer such as `/choices/0`; null if there is none.
pub fn value_at<'a>(value: &'a Value, place: &str) -> &'a Value {
    value.pointer(place).unwrap_or(&NOTHING)
}

/// True if a member is present and not empty.
pub(crate) fn is_present(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::Array(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn d02_what_is_no_count_is_unavailable() {
        for (value, expected) in [
            (json!(12), Some(12)),
            (json!(12.0), Some(12)),
            (json!("12"), Some(12)),
            (json!(0), Some(0)),
            (json!(-1), None),
            (json!(1e40), None),
            (json!(null), None),
            (json!("many"), None),
            (json!([1]), None),
        ] {
            assert_eq!(parse_count(&value), expected, "{value}");
        }
    }
}
