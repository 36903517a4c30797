//! Positions of cells: row and column numbers, read from names such as `AB12`.

/// Row and column of a cell, from 1. A cell without a stated position follows the one before it.
#[derive(Debug, Default)]
pub(super) struct CellPosition {
    pub row: u32,
    pub column: u32,
}

impl CellPosition {
    pub(super) fn begin_row(&mut self, named: Option<u32>) {
        self.row = named.unwrap_or(self.row.saturating_add(1));
        self.column = 0;
    }

    /// Moves to the cell with this name, for example `B12`.
    pub(super) fn begin_cell(&mut self, named: Option<&str>) {
        self.column = named.and_then(column).unwrap_or(self.column.saturating_add(1));
    }
}

/// The column number of a name such as `AB12`, from 1.
fn column(place: &str) -> Option<u32> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters.map(|letter| u32::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.reduce(|all, one| all.saturating_mul(26).saturating_add(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_columns() {
        for (number, name) in [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16_384, "XFD")] {
            assert_eq!(column(&format!("{name}12")), Some(number));
        }
        assert_eq!(column("12"), None);
    }
}
