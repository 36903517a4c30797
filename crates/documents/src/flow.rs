//! Paragraphs and tables, as Word and PowerPoint both write them: a paragraph is a line, and so is a row
//! of a table, with tabs between its cells.

use skein_domain::error::FileFault;

use super::marks::{Look, Marks};
use super::words::Words;
use super::xml::{Piece, Tag};

/// What is gathered of a part while its pieces pass by.
pub(super) struct Flow<'a> {
    marks: &'a mut Marks,
    /// The paragraphs that are open: a box with text of its own hangs on one.
    paragraphs: Vec<Paragraph>,
    /// The rows that are open: a table may stand in a cell.
    rows: Vec<Vec<String>>,
    /// Between a tag for words and its end.
    in_words: bool,
    /// How a paragraph looks: a tab there is where tabs stop.
    in_look: bool,
    /// Open tags of what is said elsewhere already, or by the program that shows it.
    skipped: u32,
}

/// A paragraph as far as it was read.
#[derive(Default)]
struct Paragraph {
    line: String,
    look: Look,
}

impl<'a> Flow<'a> {
    pub(super) fn new(marks: &'a mut Marks) -> Self {
        let (paragraphs, rows) = (Vec::new(), Vec::new());
        Self { marks, paragraphs, rows, in_words: false, in_look: false, skipped: 0 }
    }

    /// Takes in a piece.
    pub(super) fn take(&mut self, piece: &Piece<'_>, words: &mut Words) -> Result<(), FileFault> {
        match piece {
            Piece::Open(tag) if self.skipped > 0 || is_skipped(tag) => {
                self.skipped += 1;
                Ok(())
            }
            Piece::Close(_) if self.skipped > 0 => {
                self.skipped -= 1;
                Ok(())
            }
            Piece::Open(tag) => {
                self.open(tag);
                Ok(())
            }
            Piece::Close(name) => self.close(name, words),
            Piece::Words(found) => {
                if self.in_words && self.skipped == 0 {
                    self.add(found);
                }
                words.go_on()
            }
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "p" => self.paragraphs.push(Paragraph::default()),
            "t" => self.in_words = true,
            "pPr" => self.in_look = true,
            "tab" if !self.in_look => self.add("\t"),
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
            _ if self.in_look => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.look.take(tag);
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

    fn close(&mut self, name: &str, words: &mut Words) -> Result<(), FileFault> {
        match name {
            "t" => self.in_words = false,
            "pPr" => self.in_look = false,
            "p" => return self.end_paragraph(words),
            "tr" => {
                let row = self.rows.pop().unwrap_or_default().join("\t");
                return self.put(&row, words);
            }
            _ => {}
        }
        Ok(())
    }

    fn end_paragraph(&mut self, words: &mut Words) -> Result<(), FileFault> {
        let Paragraph { line, look } = self.paragraphs.pop().unwrap_or_default();
        // An empty one is numbered, too.
        let mark = self.marks.of(&look);
        if line.trim().is_empty() { Ok(()) } else { self.put(&format!("{mark}{line}"), words) }
    }

    /// A line joins its cell, or what is said.
    fn put(&mut self, line: &str, words: &mut Words) -> Result<(), FileFault> {
        let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) else {
            return words.push(&format!("{}\n", line.trim_end()));
        };
        // In a row, a line's end and a tab would be read as the row's own.
        for word in line.split_whitespace() {
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(word);
        }
        words.go_on()
    }
}

/// The same words for older programs or where they stood before, how a paragraph looked before, and the
/// number of a slide, which its heading says.
fn is_skipped(tag: &Tag<'_>) -> bool {
    match tag.name() {
        "Fallback" | "moveFrom" | "pPrChange" => true,
        "fld" => tag.attribute("type").is_some_and(|what| what == "slidenum"),
        _ => false,
    }
}
