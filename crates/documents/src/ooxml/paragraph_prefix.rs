//! The prefix of a paragraph: the Markdown mark of a heading, and the number or dash of a list
//! item. Word stores both apart from the text, in styles and numbering.

mod numbering;
mod numerals;
mod paragraph_properties;
mod styles;

use skein_domain::error::FileError;

use super::opc_package::{OpcPackage, Relationships};
use numbering::{NumberedItem, Numbering};
use styles::Styles;

pub(crate) use paragraph_properties::ParagraphProperties;

/// The deepest heading level of Markdown.
const DEEPEST: usize = 6;

/// The styles and numbering of a document. By default only the style's id tells a heading.
#[derive(Debug, Default)]
pub(crate) struct ParagraphPrefixes {
    styles: Styles,
    numbering: Numbering,
}

impl ParagraphPrefixes {
    /// Reads the styles and the numbering of a package.
    pub(crate) fn read(
        package: &mut OpcPackage<'_>,
        relations: &Relationships,
    ) -> Result<Self, FileError> {
        let mut marks = Self::default();
        if let Some(part) = relations.of_kind("styles") {
            package.for_each_event(part, |piece| {
                marks.styles.take(&piece);
                Ok(())
            })?;
        }
        if let Some(part) = relations.of_kind("numbering") {
            package.for_each_event(part, |piece| {
                marks.numbering.take(&piece);
                Ok(())
            })?;
        }
        Ok(marks)
    }

    /// The prefix of the next paragraph, including the space after it.
    pub(crate) fn prefix_for(&mut self, look: &ParagraphProperties) -> String {
        let style = look.style.as_deref().unwrap_or_default();
        let heading = match look.outline {
            Some(outline) => styles::heading_level(outline),
            None => self.styles.heading(style),
        };
        let mark = heading.map(|level| "#".repeat(level.min(DEEPEST)));
        match (mark, self.number(look, style)) {
            (Some(mark), Some(NumberedItem { mark: Some(number), .. })) => {
                format!("{mark} {number} ")
            }
            (Some(mark), _) => format!("{mark} "),
            (None, Some(NumberedItem { mark, level })) => {
                format!("{}{} ", "  ".repeat(level), mark.unwrap_or_else(|| "-".into()))
            }
            (None, None) => String::new(),
        }
    }

    fn number(&mut self, look: &ParagraphProperties, style: &str) -> Option<NumberedItem> {
        let list = look.item.list.clone().or_else(|| self.styles.list(style))?;
        if list == "0" {
            return None;
        }
        let level = look.item.level.or_else(|| match look.item.list {
            Some(_) => None,
            None => self.numbering.level_of(&list, style).or_else(|| self.styles.list_level(style)),
        });
        self.numbering.next(&list, level.unwrap_or_default())
    }
}
