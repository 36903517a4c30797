//! Reads documents of Word and PowerPoint before 2007 (`.doc`, `.ppt`): headings, lists, tables and notes,
//! written as those of `.docx` and `.pptx` are. Text that was deleted while changes were tracked is left out.
//!
//! Not here: `.xls` (`workbook`).

use skein_domain::error::FileError;
use undoc::model::RevisionType;
use undoc::{Block, ErrorKind, Paragraph, Section, Table};

use crate::document::Document;
use crate::text_builder::TextBuilder;

pub(crate) fn read_word(bytes: &[u8], mut words: TextBuilder) -> Result<Document, FileError> {
    for section in parse(bytes)?.sections {
        write_section(&section, &mut words)?;
    }
    words.document(None)
}

pub(crate) fn read_slides(bytes: &[u8], mut words: TextBuilder) -> Result<Document, FileError> {
    let slides = parse(bytes)?.sections;
    for (number, slide) in (1..).zip(&slides) {
        words.heading(&format!("Slide {number}"))?;
        write_section(slide, &mut words)?;
        if let Some(notes) = &slide.notes {
            words.heading(&format!("Notes of slide {number}"))?;
            write_paragraphs(notes, &mut words)?;
        }
    }
    words.document(Some(slides.len()))
}

fn parse(bytes: &[u8]) -> Result<undoc::Document, FileError> {
    undoc::parse_bytes(bytes).map_err(|error| {
        tracing::info!(?error, "a document of Office 97 cannot be read");
        if error.kind() == ErrorKind::Encrypted {
            FileError::Locked {}
        } else {
            FileError::Broken {}
        }
    })
}

fn write_section(section: &Section, words: &mut TextBuilder) -> Result<(), FileError> {
    for block in &section.content {
        match block {
            Block::Paragraph(paragraph) => write_paragraph(paragraph, words)?,
            Block::Table(table) => write_table(table, words)?,
            Block::Note { label, content } => {
                words.push(&format!("[^{label}] "))?;
                write_paragraphs(content, words)?;
            }
            Block::PageBreak | Block::SectionBreak | Block::Image { .. } => {}
        }
    }
    Ok(())
}

fn write_paragraphs(paragraphs: &[Paragraph], words: &mut TextBuilder) -> Result<(), FileError> {
    paragraphs.iter().try_for_each(|paragraph| write_paragraph(paragraph, words))
}

fn write_paragraph(paragraph: &Paragraph, words: &mut TextBuilder) -> Result<(), FileError> {
    let text = text(paragraph);
    if text.trim().is_empty() {
        Ok(())
    } else {
        words.push(&format!("{}{text}\n", prefix(paragraph)))
    }
}

/// The mark of a heading, or the number or dash of a list item.
fn prefix(paragraph: &Paragraph) -> String {
    if paragraph.is_heading() {
        return format!("{} ", "#".repeat(paragraph.heading.level().into()));
    }
    let Some(item) = &paragraph.list_info else { return String::new() };
    let mark = item.number.map_or_else(|| "-".to_owned(), |number| format!("{number}."));
    format!("{}{mark} ", "  ".repeat(item.level.into()))
}

fn text(paragraph: &Paragraph) -> String {
    let mut text = String::new();
    for run in paragraph.runs.iter().filter(|run| run.revision != RevisionType::Deleted) {
        text.push_str(&run.text);
        text.extend(run.note.iter().map(|label| format!("[^{label}]")));
        text.push_str(if run.line_break { "\n" } else { "" });
    }
    text
}

fn write_table(table: &Table, words: &mut TextBuilder) -> Result<(), FileError> {
    for row in &table.rows {
        let cells = row.cells.iter().map(|cell| {
            let paragraphs: Vec<String> = cell.content.iter().map(text).collect();
            // Line breaks and tabs would break the table.
            paragraphs.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
        });
        words.push(&format!("{}\n", cells.collect::<Vec<_>>().join("\t")))?;
        let nested = row.cells.iter().flat_map(|cell| &cell.nested_tables);
        nested.into_iter().try_for_each(|table| write_table(table, words))?;
    }
    Ok(())
}
