//! Reads spreadsheets of the formats before 2007 (`.xls`), of Excel's binary format (`.xlsb`) and of
//! OpenDocument (`.ods`). A cell is shown as its value; a formula is its result.
//!
//! Not here: `.xlsx` (`ooxml::xlsx`), which also shows formulas without a result and formatted numbers.

use std::fmt::Debug;
use std::io::{Cursor, Read, Seek};

use calamine::{
    Data, ExcelDateTime, Ods, Range, Reader, SheetType, SheetVisible, Xls, Xlsb,
    open_workbook_from_rs,
};
use skein_domain::error::FileError;

use crate::document::Document;
use crate::ooxml::xlsx::plain_number;
use crate::sheet_table::SheetTable;
use crate::text_builder::TextBuilder;

/// The formats that `calamine` reads: `.xls`, `.xlsb` and `.ods`. `.xlsx` has its own reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkbookFormat {
    Excel97,
    ExcelBinary,
    OpenDocument,
}

pub(crate) fn read(
    format: WorkbookFormat,
    bytes: &[u8],
    words: TextBuilder,
) -> Result<Document, FileError> {
    let file = Cursor::new(bytes);
    match format {
        WorkbookFormat::Excel97 => read_sheets(opened::<Xls<_>, _>(file)?, words),
        WorkbookFormat::ExcelBinary => read_sheets(opened::<Xlsb<_>, _>(file)?, words),
        WorkbookFormat::OpenDocument => read_sheets(opened::<Ods<_>, _>(file)?, words),
    }
}

fn opened<R: Reader<RS>, RS: Read + Seek>(file: RS) -> Result<R, FileError> {
    open_workbook_from_rs(file).map_err(|error| broken(&error))
}

fn read_sheets<R: Reader<RS>, RS: Read + Seek>(
    mut book: R,
    mut words: TextBuilder,
) -> Result<Document, FileError> {
    let sheets = book.sheets_metadata().to_vec();
    for sheet in &sheets {
        let hidden = if sheet.visible == SheetVisible::Visible { "" } else { " (hidden)" };
        words.heading(&format!("Sheet {}{hidden}", sheet.name))?;
        // Others are charts and macros, which have no cells.
        if sheet.typ == SheetType::WorkSheet {
            let cells = book.worksheet_range(&sheet.name).map_err(|error| broken(&error))?;
            table(&cells, &words)?.write(&mut words)?;
        }
    }
    words.document(Some(sheets.len()))
}

fn table(cells: &Range<Data>, words: &TextBuilder) -> Result<SheetTable, FileError> {
    let (top, left) = cells.start().unwrap_or_default();
    let mut table = SheetTable::default();
    for (row, column, value) in cells.used_cells() {
        words.check_stopped()?;
        let number = |start: u32, at: usize| {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            start.saturating_add(at).saturating_add(1)
        };
        table.push(number(top, row), number(left, column), shown(value), words)?;
    }
    Ok(table)
}

/// The text of a cell.
fn shown(value: &Data) -> String {
    match value {
        Data::Empty => String::new(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => plain_number(*number),
        // Line breaks and tabs would break the table.
        Data::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Data::Bool(value) => value.to_string().to_uppercase(),
        Data::DateTime(time) => date_or_time(time),
        Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Error(error) => error.to_string(),
    }
}

/// A date, a time, or both, as for example `2026-11-27 16:02:08`.
fn date_or_time(time: &ExcelDateTime) -> String {
    let seconds = (time.as_f64() * 86_400.0).round();
    if time.is_duration() && (0.0..1e15).contains(&seconds) {
        let seconds = seconds as u64;
        return format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year}-{month:02}-{day:02}");
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    match (time.as_f64() < 1.0, time.as_f64().fract() == 0.0) {
        (true, _) => clock,
        (false, true) => date,
        (false, false) => format!("{date} {clock}"),
    }
}

fn broken(error: &impl Debug) -> FileError {
    tracing::info!(?error, "a workbook cannot be read");
    FileError::Broken {}
}

#[cfg(test)]
mod tests {
    use calamine::Cell;

    use super::*;

    #[test]
    fn r07_a_cell_of_the_last_row_that_a_file_can_state_is_shown() {
        let cells = Range::from_sparse(vec![Cell::new((u32::MAX, 0), Data::Int(7))]);
        let (mut words, _stop) = TextBuilder::new();
        table(&cells, &words).unwrap().write(&mut words).unwrap();
        assert_eq!(words.document(None).unwrap().text, format!("\tA\n{}\t7\n", u32::MAX));
    }
}
