//! The text of a sheet: a table with column letters and row numbers, so that the model can cite a cell. Empty
//! cells are left out.

use std::collections::BTreeSet;

use skein_domain::error::FileError;

use crate::text_builder::TextBuilder;

/// The assumed memory overhead of a held text, in bytes of the text limit.
pub(crate) const TEXT_OVERHEAD: usize = 8;

/// The cells of a sheet that are not empty.
#[derive(Debug, Default)]
pub(crate) struct SheetTable {
    /// Row numbers, each with its cells by column number; both count from 1.
    rows: Vec<(u32, Vec<(u32, String)>)>,
    size: usize,
}

impl SheetTable {
    /// Adds a cell; rows come in order.
    ///
    /// # Errors
    /// The text is too long.
    pub(crate) fn push(
        &mut self,
        row: u32,
        column: u32,
        text: String,
        words: &TextBuilder,
    ) -> Result<(), FileError> {
        if text.is_empty() {
            return Ok(());
        }
        // The texts are held until all are read, and a million cells may share one text.
        self.size += text.len() + TEXT_OVERHEAD;
        words.fits(self.size)?;
        match self.rows.last_mut() {
            Some((last, cells)) if *last == row => cells.push((column, text)),
            Some(_) | None => self.rows.push((row, vec![(column, text)])),
        }
        Ok(())
    }

    /// Writes the table.
    ///
    /// # Errors
    /// The text is too long, or the reader was told to stop.
    pub(crate) fn write(mut self, words: &mut TextBuilder) -> Result<(), FileError> {
        self.rows.iter_mut().for_each(|(_, cells)| put_in_order(cells));
        if self.rows.is_empty() {
            return Ok(());
        }
        let cells = self.rows.iter().flat_map(|(_, cells)| cells);
        let used: BTreeSet<u32> = cells.map(|(column, _)| *column).collect();
        let names: Vec<String> = used.iter().map(|column| column_name(*column)).collect();
        words.push(&format!("\t{}\n", names.join("\t")))?;
        for (row, cells) in &self.rows {
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
}

/// Sorts the cells of a row by column and joins those of one place. Some programs write them in another
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

/// The letters of a column number, from 1.
pub(crate) fn column_name(mut number: u32) -> String {
    let mut letters = Vec::new();
    while let Some(rest) = number.checked_sub(1) {
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or_default()));
        number = rest / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::column_name;

    #[test]
    fn columns_have_letters() {
        for (number, name) in [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16_384, "XFD")] {
            assert_eq!(column_name(number), name);
        }
    }
}
