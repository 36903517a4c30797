//! Formulas of cells without a stored result. Programs that only write files do not calculate.

use std::collections::HashMap;

use super::cell_position::CellPosition;
use crate::ooxml::xml::StartTag;
use crate::sheet_table::column_name;

#[derive(Debug, Default)]
pub(super) struct Formula {
    /// The text; empty if another cell holds it for the whole group.
    pub text: String,
    /// The index of the group of cells that share the formula.
    shared: Option<String>,
}

impl Formula {
    pub(super) fn new(tag: &StartTag<'_>) -> Self {
        Self { text: String::new(), shared: tag.attribute("si") }
    }
}

/// The shared formulas of a sheet: the cell that holds each text, by index.
#[derive(Debug, Default)]
pub(super) struct Formulas(HashMap<String, String>);

impl Formulas {
    /// A formula as Excel displays it. A shared one names the cell that holds its text, because the
    /// references in that text are relative to that cell.
    pub(super) fn display_formula(&mut self, formula: Formula, at: &CellPosition) -> String {
        let text = formula.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match formula.shared {
            Some(shared) if text.is_empty() => match self.0.get(&shared) {
                Some(place) => format!("=(as in {place})"),
                None => String::new(),
            },
            Some(shared) => {
                self.0.insert(shared, format!("{}{}", column_name(at.column), at.row));
                format!("={text}")
            }
            None if text.is_empty() => String::new(),
            None => format!("={text}"),
        }
    }
}
