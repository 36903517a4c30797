//! Paragraphs and tables of Word and PowerPoint. A paragraph is a line, and so is a table row, with
//! tabs between its cells.

use skein_domain::error::FileError;

use super::paragraph_prefix::{ParagraphPrefixes, ParagraphProperties};
use super::xml::{StartTag, XmlEvent};
use crate::text_builder::TextBuilder;

/// Collects the paragraphs and tables of a part from its XML events.
pub(crate) struct ParagraphReader<'a> {
    marks: &'a mut ParagraphPrefixes,
    /// The open paragraphs. They nest, because a text box is anchored in a paragraph.
    paragraphs: Vec<Paragraph>,
    /// The open rows. They nest, because a cell may contain a table.
    rows: Vec<Vec<String>>,
    /// True within a text element.
    in_text: bool,
    /// True within paragraph properties, where `tab` is a tab stop and not a character.
    in_properties: bool,
    /// The depth of open elements that are skipped.
    skipped: u32,
}

/// A paragraph that is being read.
#[derive(Default)]
struct Paragraph {
    line: String,
    properties: ParagraphProperties,
}

impl<'a> ParagraphReader<'a> {
    pub(crate) fn new(marks: &'a mut ParagraphPrefixes) -> Self {
        let (paragraphs, rows) = (Vec::new(), Vec::new());
        Self { marks, paragraphs, rows, in_text: false, in_properties: false, skipped: 0 }
    }

    /// Takes the next event of the part. The text of a paragraph is added to `words` at its end.
    pub(crate) fn handle_event(
        &mut self,
        piece: &XmlEvent<'_>,
        words: &mut TextBuilder,
    ) -> Result<(), FileError> {
        match piece {
            XmlEvent::Start(tag) if self.skipped > 0 || is_skipped(tag) => {
                self.skipped += 1;
                Ok(())
            }
            XmlEvent::End(_) if self.skipped > 0 => {
                self.skipped -= 1;
                Ok(())
            }
            XmlEvent::Start(tag) => {
                self.open(tag);
                Ok(())
            }
            XmlEvent::End(name) => self.close(name, words),
            XmlEvent::Text(found) => {
                if self.in_text && self.skipped == 0 {
                    self.add(found);
                }
                words.check_stopped()
            }
        }
    }

    fn open(&mut self, tag: &StartTag<'_>) {
        match tag.name() {
            "p" => self.paragraphs.push(Paragraph::default()),
            "t" => self.in_text = true,
            "pPr" => self.in_properties = true,
            "tab" if !self.in_properties => self.add("\t"),
            "br" | "cr" => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "footnoteReference" | "endnoteReference" => {
                if let Some(id) = tag.attribute("id") {
                    self.add(&format!("[^{id}]"));
                }
            }
            "tr" => self.rows.push(Vec::new()),
            "tc" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            _ if self.in_properties => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.properties.take(tag);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, words: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.line.push_str(words);
        }
    }

    fn close(&mut self, name: &str, words: &mut TextBuilder) -> Result<(), FileError> {
        match name {
            "t" => self.in_text = false,
            "pPr" => self.in_properties = false,
            "p" => return self.end_paragraph(words),
            "tr" => {
                let row = self.rows.pop().unwrap_or_default().join("\t");
                return self.put(&row, words);
            }
            _ => {}
        }
        Ok(())
    }

    fn end_paragraph(&mut self, words: &mut TextBuilder) -> Result<(), FileError> {
        let Paragraph { line, properties: look } = self.paragraphs.pop().unwrap_or_default();
        // Empty paragraphs are numbered, too.
        let mark = self.marks.prefix_for(&look);
        if line.trim().is_empty() { Ok(()) } else { self.put(&format!("{mark}{line}"), words) }
    }

    /// Adds a line to the open cell, or to the document.
    fn put(&mut self, line: &str, words: &mut TextBuilder) -> Result<(), FileError> {
        let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) else {
            return words.push(&format!("{}\n", line.trim_end()));
        };
        // In a row, a line break or a tab would look like the end of the row or cell.
        for word in line.split_whitespace() {
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(word);
        }
        words.check_stopped()
    }
}

/// True for elements that repeat text: the fallback for older programs, moved text at its old
/// place, old formatting, and the slide number, which the slide's heading states.
fn is_skipped(tag: &StartTag<'_>) -> bool {
    match tag.name() {
        "Fallback" | "moveFrom" | "pPrChange" => true,
        "fld" => tag.attribute("type").is_some_and(|what| what == "slidenum"),
        _ => false,
    }
}
