//! Heading level and list membership that a paragraph, or its style, states.

use super::numbering::LEVELS;
use crate::ooxml::xml::StartTag;

/// The heading and list properties of a paragraph (`w:pPr`, `a:pPr`) or of a style. `None`: the element does
/// not state the property.
#[derive(Debug, Default)]
pub(crate) struct ParagraphProperties {
    pub(super) style: Option<String>,
    /// Outline level from 0; 9 is body text.
    pub(super) outline: Option<usize>,
    pub(super) item: NumberingReference,
}

/// The list and level of an item, as far as the element itself states them.
#[derive(Debug, Default)]
pub(crate) struct NumberingReference {
    /// Id of the list; `0` takes the paragraph out of any list.
    pub(super) list: Option<String>,
    /// Level in the list, from 0.
    pub(super) level: Option<usize>,
}

impl ParagraphProperties {
    /// Reads one tag of the properties of a paragraph or style.
    pub(crate) fn take(&mut self, tag: &StartTag<'_>) {
        let number = || tag.attribute("val").and_then(|value| value.parse().ok());
        match tag.name() {
            "pStyle" => self.style = tag.attribute("val"),
            "outlineLvl" => self.outline = number(),
            "numId" => self.item.list = tag.attribute("val"),
            "ilvl" => self.item.level = number().filter(|level| *level < LEVELS),
            _ => {}
        }
    }
}
