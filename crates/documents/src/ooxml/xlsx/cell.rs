//! One cell of a sheet.

use super::formulas::Formula;
use super::number_formats::NumberFormats;
use crate::ooxml::xml::{StartTag, XmlEvent};

/// The content of a cell, or a string of the shared strings table.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// `s`: index of a shared string; `b`: 0 or 1; absent or `n`: a number.
    kind: Option<String>,
    format: Option<usize>,
    value: String,
    /// True if the file states a value, even an empty one.
    has_value: bool,
    pub formula: Option<Formula>,
    /// True within a text element.
    in_text: bool,
    /// True within a formula element.
    in_formula: bool,
    /// True within phonetic text, which repeats the pronunciation of a word.
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

    /// The text on one line. A line break or a tab would look like the end of a row or cell.
    pub(super) fn text(self) -> String {
        self.value.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The value approximately as Excel displays it; `None` if the file states no value.
    pub(super) fn display_value(
        self,
        shared: &[String],
        formats: &NumberFormats,
    ) -> Option<String> {
        let value = self.value.trim();
        match self.kind.as_deref() {
            // The result of a formula may be an empty text.
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
