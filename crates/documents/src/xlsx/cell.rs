//! One cell of a sheet.

use super::formulas::Formula;
use super::number_formats::NumberFormats;
use crate::xml::{StartTag, XmlEvent};

/// Where in the sheet a cell stands. A file may leave that out: then it is the next one.
#[derive(Debug, Default)]
pub(super) struct CellPosition {
    pub row: u32,
    pub column: u32,
}

impl CellPosition {
    pub(super) fn begin_row(&mut self, named: Option<u32>) {
        self.row = named.unwrap_or(self.row.saturating_add(1));
        self.column = 0;
    }

    /// `B12`.
    pub(super) fn begin_cell(&mut self, named: Option<&str>) {
        self.column = named.and_then(column).unwrap_or(self.column.saturating_add(1));
    }
}

/// The number of the column in `AB12`, from 1.
fn column(place: &str) -> Option<u32> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters.map(|letter| u32::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.reduce(|all, one| all.saturating_mul(26).saturating_add(one))
}

/// The letters of a column by its number, from 1.
pub(super) fn column_name(mut number: u32) -> String {
    let mut letters = Vec::new();
    while let Some(rest) = number.checked_sub(1) {
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or_default()));
        number = rest / 26;
    }
    letters.iter().rev().collect()
}

/// What a cell holds, or a text that cells share.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// `s`: the number of a shared text; `b`: 0 or 1; none or `n`: a number.
    kind: Option<String>,
    format: Option<usize>,
    value: String,
    /// Whether the file says what it holds, be it no letter.
    has_value: bool,
    /// What its value comes from.
    pub formula: Option<Formula>,
    /// Between a tag for words and its end.
    in_text: bool,
    /// Between a tag for a formula and its end.
    in_formula: bool,
    /// How a word is pronounced, which stands beside it.
    in_phonetic: bool,
}

impl Cell {
    pub(super) fn new(tag: &StartTag<'_>) -> Self {
        let format = tag.attribute("s").and_then(|number| number.parse().ok());
        Self { kind: tag.attribute("t"), format, ..Self::default() }
    }

    pub(super) fn take(&mut self, piece: &XmlEvent<'_>) {
        match piece {
            XmlEvent::Start(tag) => match tag.name() {
                "t" => self.in_text = true,
                "v" => (self.in_text, self.has_value) = (true, true),
                "rPh" => self.in_phonetic = true,
                "f" => {
                    self.formula = Some(Formula::new(tag));
                    self.in_formula = true;
                }
                _ => {}
            },
            XmlEvent::End("t" | "v") => self.in_text = false,
            XmlEvent::End("rPh") => self.in_phonetic = false,
            XmlEvent::End("f") => self.in_formula = false,
            XmlEvent::Text(words) if self.in_formula => {
                self.formula.get_or_insert_default().text.push_str(words);
            }
            XmlEvent::Text(words) if self.in_text && !self.in_phonetic => {
                self.value.push_str(words)
            }
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }

    /// Its text, on one line: a line's end and a tab would be read as the table's own.
    pub(super) fn text(self) -> String {
        self.value.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// As a user sees it, near enough; `None` where the file does not say what it holds.
    pub(super) fn display_value(
        self,
        shared: &[String],
        formats: &NumberFormats,
    ) -> Option<String> {
        let value = self.value.trim();
        match self.kind.as_deref() {
            // A formula may come to a text without a letter.
            Some("str") if self.has_value => Some(self.text()),
            _ if value.is_empty() => None,
            Some("s") => {
                let number = value.parse::<usize>().ok();
                number.and_then(|number| shared.get(number)).cloned()
            }
            Some("b") => Some((if value == "1" { "TRUE" } else { "FALSE" }).into()),
            None | Some("n") => Some(match value.parse() {
                Ok(number) => formats.format_value(number, self.format),
                Err(_) => self.text(),
            }),
            Some(_) => Some(self.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        for (number, name) in [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16_384, "XFD")] {
            assert_eq!(column_name(number), name);
            assert_eq!(column(&format!("{name}12")), Some(number));
        }
        assert_eq!(column("12"), None);
    }
}
