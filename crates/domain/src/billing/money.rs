//! Amounts of money as whole numbers of 10⁻¹² of a currency.
//!
//! A decimal is read from its digits and never by way of a float: 0.1 has no exact binary form. Not
//! here: prices (`price`), and how an amount is shown.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Decimal places of an amount: one unit is 10⁻¹² of the currency.
pub const DECIMALS: u32 = 12;

/// The codes that [`Currency::parse`] takes, as a regular expression.
pub const CURRENCY_PATTERN: &str = "^[A-Z]{3}$";

/// The texts that [`parse_decimal`] takes, as a regular expression. It takes no text of another form, and
/// refuses a few of this one, because they are too long or too large.
pub const DECIMAL_PATTERN: &str = r"^\s*(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$";

/// An ISO 4217 code such as `USD`: three capital letters. Two currencies are never added up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct Currency(String);

impl Currency {
    /// The US dollar, in which every catalogue states its prices.
    pub fn usd() -> Self {
        Self("USD".to_owned())
    }

    /// Parses a code; `None`: it is not three capital letters.
    pub fn parse(code: &str) -> Option<Self> {
        let is_code = code.len() == 3 && code.bytes().all(|letter| letter.is_ascii_uppercase());
        is_code.then(|| Self(code.to_owned()))
    }

    /// The three letters.
    pub fn code(&self) -> &str {
        &self.0
    }
}

/// An amount of one currency. Never negative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Money {
    /// The amount in units of 10⁻¹² of the currency.
    pub amount: u64,
    /// The currency.
    pub currency: Currency,
}

/// Parses a decimal such as `0.25`, `15` or `2.5e-07` as a whole number of 10^-`places`. Further digits are
/// rounded half up. `None`: it is no number, negative, or larger than a `u64`.
pub fn parse_decimal(text: &str, places: u32) -> Option<u64> {
    let text = text.trim();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    if digits.is_empty() || digits.len() > 64 || !is_number {
        return None;
    }
    let shift = exponent
        .checked_add(i32::try_from(places).ok()?)?
        .checked_sub(i32::try_from(fraction.len()).ok()?)?;
    scale(digits.trim_start_matches('0'), shift)
}

/// `digits` with the decimal point moved `shift` places to the right.
fn scale(digits: &str, shift: i32) -> Option<u64> {
    if digits.is_empty() {
        return Some(0);
    }
    if shift >= 0 {
        let number: u64 = digits.parse().ok()?;
        return number.checked_mul(10_u64.checked_pow(shift.unsigned_abs())?);
    }
    let dropped = usize::try_from(shift.unsigned_abs()).ok()?;
    let Some(kept) = digits.len().checked_sub(dropped) else { return Some(0) };
    let (kept, rest) = digits.split_at_checked(kept)?;
    let number: u64 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
    number.checked_add(u64::from(rest.as_bytes().first().is_some_and(|digit| *digit >= b'5')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_from_their_digits() {
        for (text, places, expected) in [
            ("0.1", 12, Some(100_000_000_000)),
            ("0.2", 12, Some(200_000_000_000)),
            ("2.5e-07", 12, Some(250_000)),
            ("1e-12", 12, Some(1)),
            ("15", 6, Some(15_000_000)),
            ("0.0375", 6, Some(37_500)),
            (" 3 ", 6, Some(3_000_000)),
            (".5", 6, Some(500_000)),
            ("5.", 6, Some(5_000_000)),
            ("0", 12, Some(0)),
            ("0.0", 12, Some(0)),
            ("2.3714285714e-07", 12, Some(237_143)),
            ("4e-13", 12, Some(0)),
            ("5e-13", 12, Some(1)),
            ("1e-400", 12, Some(0)),
            ("1E2", 0, Some(100)),
            ("18446744073709551615", 0, Some(u64::MAX)),
            ("18446744073709551616", 0, None),
            ("1e30", 12, None),
            ("-1", 12, None),
            ("+1", 12, None),
            ("", 12, None),
            (".", 12, None),
            ("1.2.3", 12, None),
            ("1,5", 12, None),
            ("NaN", 12, None),
            ("1e", 12, None),
            ("1e99999999999", 12, None),
        ] {
            assert_eq!(parse_decimal(text, places), expected, "{text}");
        }
    }

    #[test]
    fn a_currency_is_three_capital_letters() {
        assert_eq!(Currency::parse("CNY").as_ref().map(Currency::code), Some("CNY"));
        assert_eq!(Currency::parse("USD"), Some(Currency::usd()));
        for code in ["", "usd", "US", "USDT", "U$D", "¥"] {
            assert_eq!(Currency::parse(code), None, "{code}");
        }
    }
}
