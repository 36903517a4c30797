//! Reads a spreadsheet: a table for each sheet. A formula is shown as its result, or as itself if the file
//! has no result. Hidden sheets are marked.
//!
//! Not here: the text of the table (`sheet_table`), and the other formats of spreadsheets (`workbook`).

mod cell;
mod cell_position;
mod formulas;
mod number_formats;

use skein_domain::error::FileError;

use super::opc_package::OpcPackage;
use super::xml::XmlEvent;
use crate::document::Document;
use crate::sheet_table::{SheetTable, TEXT_OVERHEAD};
use crate::text_builder::TextBuilder;
use cell::Cell;
use cell_position::CellPosition;
use formulas::Formulas;
use number_formats::NumberFormats;
pub(crate) use number_formats::plain_number;

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
        table(&mut package, part, &shared, &formats, &words)?.write(&mut words)?;
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

/// The cells of a sheet that are not empty.
fn table(
    package: &mut OpcPackage<'_>,
    part: &str,
    shared: &[String],
    formats: &NumberFormats,
    words: &TextBuilder,
) -> Result<SheetTable, FileError> {
    let mut table = SheetTable::default();
    let mut cell = Cell::default();
    let mut place = CellPosition::default();
    let mut formulas = Formulas::default();
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
                table.push(place.row, place.column, text, words)?;
            }
            piece => cell.take(piece),
        }
        Ok(())
    })?;
    Ok(table)
}
