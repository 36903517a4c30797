//! One cell of a sheet.

use super::formulas::Formula;
use super::number_formats::NumberFormats;
use crate::ooxml::xml::{StartTag, XmlEvent};

/// The content of a cell, or a string of the shared strings table.
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
