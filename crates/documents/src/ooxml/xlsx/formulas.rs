//! Formulas, of cells of which a file does not say what they came to: a program that only writes files
//! does not reckon.

use std::collections::HashMap;

use super::cell_position::{CellPosition, column_name};
use crate::ooxml::xml::StartTag;

/// The formula of a cell.
#[derive(Debug, Default)]
pub(super) struct Formula {
    /// Nothing where it is written in another cell, which shares it.
    pub text: String,
    /// The number under which cells share it.
    shared: Option<String>,
}

impl Formula {
    pub(super) fn new(tag: &StartTag<'_>) -> Self {
        Self { text: String::new(), shared: tag.attribute("si") }
    }
}

/// The formulas that cells of a sheet share: where each is written, by its number.
#[derive(Debug, Default)]
pub(super) struct Formulas(HashMap<String, String>);

impl Formulas {
    /// A formula as a user writes it. One that is written in another cell says in which: its own would
    /// name other cells.
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
