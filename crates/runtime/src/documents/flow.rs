//! Paragraphs and tables, as Word and PowerPoint both write them: a paragraph is a line, and so is a row
//! of a table, with tabs between its cells.

use super::words::Words;
use super::xml::{Piece, Tag};
use crate::error::FileFault;

/// What is gathered of a part while its pieces pass by.
#[derive(Default)]
pub(super) struct Flow {
    line: String,
    /// What stands before a line's words: a heading's mark, or an item's.
    mark: String,
    /// The rows that are open: a table may stand in a cell.
    rows: Vec<Vec<String>>,
    /// Between a tag for words and its end.
    in_words: bool,
    /// How a paragraph looks: a tab there is where tabs stop.
    in_look: bool,
    /// Open tags of what is said elsewhere already, or by the program that shows it.
    skipped: u32,
}

impl Flow {
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
                    self.line.push_str(found);
                }
                words.go_on()
            }
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "t" => self.in_words = true,
            "pPr" => self.in_look = true,
            "tab" if !self.in_look => self.line.push('\t'),
            "br" | "cr" => self.line.push('\n'),
            "noBreakHyphen" => self.line.push('-'),
            "pStyle" => {
                let level = tag.attribute("val").and_then(|style| heading(&style));
                self.mark = level.map(|level| "#".repeat(level) + " ").unwrap_or_default();
            }
            "numPr" if self.mark.is_empty() => self.mark = "- ".into(),
            "footnoteReference" | "endnoteReference" => {
                if let Some(id) = tag.attribute("id") {
                    self.line.push_str(&format!("[^{id}]"));
                }
            }
            "tr" => self.rows.push(Vec::new()),
            "tc" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {}
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
        let line = std::mem::take(&mut self.line);
        let mark = std::mem::take(&mut self.mark);
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

/// The same words for older programs or where they stood before, and the number of a slide, which its
/// heading says.
fn is_skipped(tag: &Tag<'_>) -> bool {
    match tag.name() {
        "Fallback" | "moveFrom" => true,
        "fld" => tag.attribute("type").is_some_and(|what| what == "slidenum"),
        _ => false,
    }
}

/// `Heading2` and `heading 2` are of the second level.
fn heading(style: &str) -> Option<usize> {
    if style.eq_ignore_ascii_case("title") {
        return Some(1);
    }
    let level = style.to_ascii_lowercase().strip_prefix("heading")?.trim().parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}
