//! Reads a spreadsheet: a table for each sheet, with column letters and row numbers, so that the
//! model can cite a cell. Empty cells are left out. A formula is shown as its result, or as itself
//! if the file has no result. Hidden sheets are marked.

mod cell;
mod cell_position;
mod formulas;
mod number_formats;

use std::collections::BTreeSet;

use skein_domain::error::FileError;

use super::opc_package::OpcPackage;
use super::xml::XmlEvent;
use crate::document::Document;
use crate::text_builder::TextBuilder;
use cell::Cell;
use cell_position::{CellPosition, column_name};
use formulas::Formulas;
use number_formats::NumberFormats;

/// The assumed memory overhead of a held text, in bytes of the text limit.
const TEXT_OVERHEAD: usize = 8;

pub(crate) fn read(bytes: &[u8], mut words: TextBuilder) -> Result<Document, FileError> {
    let mut package = OpcPackage::open(bytes)?;
    let main = package.main_part()?.ok_or(FileError::Broken {})?;
    let relations = package.relations(&main)?;
    let mut sheets = Vec::new();
    let mut since_1904 = false;
    package.for_each_event(&main, |piece| {
        if let XmlEvent::Start(tag) = piece {
            match tag.name() {
                "workbookPr" => {
                    since_1904 =
                        tag.attribute("date1904").is_some_and(|it| it == "1" || it == "true");
                }
                "sheet" => {
                    let part = tag.prefixed_attribute("id").and_then(|id| relations.part(&id));
                    let is_hidden = tag.attribute("state").is_some_and(|state| state != "visible");
                    let hidden = if is_hidden { " (hidden)" } else { "" };
                    let name = tag.attribute("name").map(|name| name + hidden);
                    sheets.extend(name.zip(part.map(str::to_owned)));
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    let shared = match relations.of_kind("sharedStrings") {
        Some(part) => shared(&mut package, part, &words)?,
        None => Vec::new(),
    };
    let formats = match relations.of_kind("styles") {
        Some(part) => NumberFormats::read(&mut package, part, since_1904)?,
        None => NumberFormats::default(),
    };
    for (name, part) in &sheets {
        words.heading(&format!("Sheet {name}"))?;
        let rows = rows(&mut package, part, &shared, &formats, &words)?;
        say(&rows, &mut words)?;
    }
    words.document(Some(sheets.len()))
}

/// The shared strings, which cells refer to by index.
fn shared(
    package: &mut OpcPackage<'_>,
    part: &str,
    words: &TextBuilder,
) -> Result<Vec<String>, FileError> {
    let mut texts = Vec::new();
    let mut cell = Cell::default();
    let mut size = 0;
    package.for_each_event(part, |piece| {
        words.check_stopped()?;
        match &piece {
            XmlEvent::Start(tag) if tag.name() == "si" => cell = Cell::default(),
            XmlEvent::End("si") => {
                let text = std::mem::take(&mut cell).text();
                size += text.len() + TEXT_OVERHEAD;
                words.fits(size)?;
                texts.push(text);
            }
            piece => cell.take(piece),
        }
        Ok(())
    })?;
    Ok(texts)
}

/// Row numbers with the cells of each row that are not empty.
type Rows = Vec<(u32, Vec<(u32, String)>)>;

fn rows(
    package: &mut OpcPackage<'_>,
    part: &str,
    shared: &[String],
    formats: &NumberFormats,
    words: &TextBuilder,
) -> Result<Rows, FileError> {
    let mut rows = Rows::new();
    let mut cell = Cell::default();
    let mut place = CellPosition::default();
    let mut formulas = Formulas::default();
    let mut size = 0;
    package.for_each_event(part, |piece| {
        words.check_stopped()?;
        match &piece {
            XmlEvent::Start(tag) if tag.name() == "row" => {
                place.begin_row(tag.attribute("r").and_then(|row| row.parse().ok()));
            }
            XmlEvent::Start(tag) if tag.name() == "c" => {
                place.begin_cell(tag.attribute("r").as_deref());
                cell = Cell::new(tag);
            }
            XmlEvent::End("c") => {
                let mut cell = std::mem::take(&mut cell);
                let formula =
                    cell.formula.take().map(|formula| formulas.display_formula(formula, &place));
                let text = cell.display_value(shared, formats).or(formula).unwrap_or_default();
                if !text.is_empty() {
                    // They are held until all are read, and a million cells may share one text.
                    size += text.len() + TEXT_OVERHEAD;
                    words.fits(size)?;
                    match rows.last_mut() {
                        Some((row, cells)) if *row == place.row => cells.push((place.column, text)),
                        Some(_) | None => rows.push((place.row, vec![(place.column, text)])),
                    }
                }
            }
            piece => cell.take(piece),
        }
        Ok(())
    })?;
    rows.iter_mut().for_each(|(_, cells)| put_in_order(cells));
    Ok(rows)
}

/// Sorts the cells of a row by column and drops duplicates. Some programs write them in another
/// order, or a cell twice.
fn put_in_order(cells: &mut Vec<(u32, String)>) {
    cells.sort_by_key(|(column, _)| *column);
    cells.dedup_by(|(column, text), (before, first)| {
        let is_same_cell = column == before;
        if is_same_cell {
            first.push(' ');
            first.push_str(text);
        }
        is_same_cell
    });
}

fn say(rows: &Rows, words: &mut TextBuilder) -> Result<(), FileError> {
    if rows.is_empty() {
        return Ok(());
    }
    let used: BTreeSet<u32> =
        rows.iter().flat_map(|(_, cells)| cells.iter().map(|(column, _)| *column)).collect();
    let names: Vec<String> = used.iter().map(|column| column_name(*column)).collect();
    words.push(&format!("\t{}\n", names.join("\t")))?;
    for (row, cells) in rows {
        words.push(&row.to_string())?;
        let mut cells = cells.iter().peekable();
        for column in &used {
            if cells.peek().is_none() {
                break;
            }
            words.push("\t")?;
            if let Some((_, text)) = cells.next_if(|(own, _)| own <= column) {
                words.push(text)?;
            }
        }
        words.push("\n")?;
    }
    Ok(())
}
