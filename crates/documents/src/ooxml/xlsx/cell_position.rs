//! Positions of cells: row and column numbers, and names such as `AB12`.

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

/// The letters of a column number, from 1.
pub(super) fn column_name(mut number: u32) -> String {
    let mut letters = Vec::new();
    while let Some(rest) = number.checked_sub(1) {
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or_default()));
        number = rest / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        for (number, name) in [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16_384, "XFD")] {
            assert_eq!(column_name(number), name);
            assert_eq!(column(&format!("{name}12")), Some(number));
        }
        assert_eq!(column("12"), None);
    }
}
