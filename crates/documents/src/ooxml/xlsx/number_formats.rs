//! Number formats of cells. Dates are stored as numbers; only the format tells them apart.

use std::collections::HashMap;

use chrono::{Duration, NaiveDate};
use skein_domain::error::FileError;

use crate::ooxml::opc_package::OpcPackage;
use crate::ooxml::xml::XmlEvent;

/// The number formats, which cells refer to by index.
#[derive(Debug, Default)]
pub(super) struct NumberFormats {
    kinds: Vec<NumberFormat>,
    since_1904: bool,
}

/// The kind of value that a format displays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberFormat {
    Number,
    Percent,
    Date,
    Time,
    DateTime,
    /// A duration, which may exceed a day.
    Elapsed,
}

impl NumberFormats {
    pub(super) fn read(
        package: &mut OpcPackage<'_>,
        part: &str,
        since_1904: bool,
    ) -> Result<Self, FileError> {
        let mut own = HashMap::new();
        let mut kinds = Vec::new();
        let mut in_cells = false;
        package.for_each_event(part, |piece| {
            match &piece {
                XmlEvent::Start(tag) => match tag.name() {
                    "numFmt" => {
                        own.extend(tag.attribute("numFmtId").zip(tag.attribute("formatCode")));
                    }
                    "cellXfs" => in_cells = true,
                    "xf" if in_cells => {
                        let id = tag.attribute("numFmtId").unwrap_or_default();
                        kinds.push(match own.get(&id) {
                            Some(code) => kind(code),
                            None => built_in(&id),
                        });
                    }
                    _ => {}
                },
                XmlEvent::End("cellXfs") => in_cells = false,
                XmlEvent::End(_) | XmlEvent::Text(_) => {}
            }
            Ok(())
        })?;
        Ok(Self { kinds, since_1904 })
    }

    /// A number approximately as its format displays it.
    pub(super) fn format_value(&self, number: f64, format: Option<usize>) -> String {
        let kind = format.and_then(|format| self.kinds.get(format)).copied();
        let told = match kind.unwrap_or(NumberFormat::Number) {
            NumberFormat::Number => None,
            NumberFormat::Percent => Some(format!("{}%", plain_number(number * 100.0))),
            NumberFormat::Date => self.told(number, "%Y-%m-%d"),
            NumberFormat::Time => self.told(number, "%H:%M:%S"),
            NumberFormat::DateTime => self.told(number, "%Y-%m-%d %H:%M:%S"),
            NumberFormat::Elapsed => elapsed(number),
        };
        told.unwrap_or_else(|| plain_number(number))
    }

    fn told(&self, days: f64, how: &str) -> Option<String> {
        // The calendar of Excel has a 29 February 1900, which did not exist.
        let begin = match (self.since_1904, days < 60.0) {
            (true, _) => NaiveDate::from_ymd_opt(1904, 1, 1),
            (false, true) => NaiveDate::from_ymd_opt(1899, 12, 31),
            (false, false) => NaiveDate::from_ymd_opt(1899, 12, 30),
        }?;
        // Excel's last date is in the year 9999.
        if !(0.0..2_958_466.0).contains(&days) {
            return None;
        }
        let since = Duration::seconds((days * 86_400.0).round() as i64);
        let at = begin.and_hms_opt(0, 0, 0)?.checked_add_signed(since)?;
        Some(at.format(how).to_string())
    }
}

/// Days as hours, minutes and seconds; `None` if negative or not finite.
fn elapsed(days: f64) -> Option<String> {
    let seconds = (days * 86_400.0).round();
    if !(0.0..1e15).contains(&seconds) {
        return None;
    }
    let seconds = seconds as u64;
    Some(format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60))
}

/// A number rounded to Excel's fifteen digits, without binary rounding errors.
pub(crate) fn plain_number(number: f64) -> String {
    let kept: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    kept.to_string()
}

/// The formats that a file need not define.
fn built_in(id: &str) -> NumberFormat {
    match id {
        "9" | "10" => NumberFormat::Percent,
        "14" | "15" | "16" | "17" | "27" | "28" | "29" | "30" | "31" | "36" | "50" | "51"
        | "52" | "53" | "54" | "57" | "58" => NumberFormat::Date,
        "18" | "19" | "20" | "21" | "32" | "33" | "34" | "35" | "45" | "47" | "55" | "56" => {
            NumberFormat::Time
        }
        "22" => NumberFormat::DateTime,
        "46" => NumberFormat::Elapsed,
        _ => NumberFormat::Number,
    }
}

/// The kind of a format code, by its placeholders outside quoted text.
fn kind(code: &str) -> NumberFormat {
    let lower = code.to_ascii_lowercase();
    if ["[h]", "[hh]", "[m]", "[mm]", "[s]", "[ss]"].iter().any(|unit| lower.contains(unit)) {
        return NumberFormat::Elapsed;
    }
    let (mut quoted, mut bracketed, mut escaped) = (false, false, false);
    let (mut day, mut time, mut percent) = (false, false, false);
    // The sections after a semicolon are for negative numbers, zero and text.
    for letter in code.split(';').next().unwrap_or_default().chars() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match letter {
            '\\' | '_' | '*' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ if bracketed => {}
            'h' | 's' | 'H' | 'S' => time = true,
            'y' | 'd' | 'Y' | 'D' => day = true,
            '%' => percent = true,
            _ => {}
        }
    }
    match (day, time, percent) {
        (true, true, _) => NumberFormat::DateTime,
        (true, false, _) => NumberFormat::Date,
        (false, true, _) => NumberFormat::Time,
        (false, false, true) => NumberFormat::Percent,
        (false, false, false) => NumberFormat::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_tells_days_from_numbers() {
        for (code, expected) in [
            ("yyyy\\-mm\\-dd", NumberFormat::Date),
            ("yyyy\"年\"m\"月\"d\"日\"", NumberFormat::Date),
            ("d/m/yy h:mm", NumberFormat::DateTime),
            ("[h]:mm:ss", NumberFormat::Elapsed),
            ("0.00%", NumberFormat::Percent),
            ("[Red]#,##0.00;\"days\"", NumberFormat::Number),
            ("#,##0\\ \"USD\"", NumberFormat::Number),
            ("General", NumberFormat::Number),
        ] {
            assert_eq!(kind(code), expected, "{code}");
        }
    }

    #[test]
    fn numbers_are_shown_as_their_format_does() {
        let kinds = [
            NumberFormat::Number,
            NumberFormat::Percent,
            NumberFormat::Date,
            NumberFormat::DateTime,
            NumberFormat::Time,
        ];
        let kinds = kinds.into_iter().chain([kind("[h]:mm;@"), kind("[Red]0.00")]).collect();
        let formats = NumberFormats { kinds, since_1904: false };
        for (number, format, expected) in [
            (0.1 + 0.2, Some(0), "0.3"),
            (1_234_567.5, None, "1234567.5"),
            (0.125, Some(1), "12.5%"),
            (45_000.0, Some(2), "2023-03-15"),
            (45_000.75, Some(3), "2023-03-15 18:00:00"),
            (1.0, Some(2), "1900-01-01"),
            (0.5, Some(4), "12:00:00"),
            (1e10, Some(2), "10000000000"),
            (40.0 / 24.0, Some(5), "40:00:00"),
            (1.5, Some(6), "1.5"),
        ] {
            assert_eq!(formats.format_value(number, format), expected);
        }
    }
}
