//! What stands before a paragraph's words: the mark of a heading, and the number or the dash of an item. Word
//! keeps both apart from the text, in its styles and lists.

mod lists;
mod spelled;
mod styles;

use skein_domain::error::FileFault;

use super::package::{Package, Relations};
use super::xml::Tag;
use lists::{LEVELS, Lists, Numbered};
use styles::Styles;

/// The deepest heading that Markdown has.
const DEEPEST: usize = 6;

/// How a paragraph says it is to look.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// The id of its style.
    style: Option<String>,
    /// How deep it stands in the outline, from 0; what is no heading is 9.
    outline: Option<usize>,
    item: Item,
}

/// Which list something is an item of, as far as it says that itself.
#[derive(Debug, Default)]
struct Item {
    /// The list's id; `0` is none.
    list: Option<String>,
    /// How deep it stands in the list, from 0.
    level: Option<usize>,
}

impl Look {
    /// Takes in a tag of the properties of a paragraph, or of a style.
    pub(super) fn take(&mut self, tag: &Tag<'_>) {
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

/// The marks of a document, and how far its lists have come. By default what a style's id tells.
#[derive(Debug, Default)]
pub(super) struct Marks {
    styles: Styles,
    lists: Lists,
}

impl Marks {
    /// Those of the document that names its other parts so.
    pub(super) fn read(
        package: &mut Package<'_>,
        relations: &Relations,
    ) -> Result<Self, FileFault> {
        let mut marks = Self::default();
        if let Some(part) = relations.of_kind("styles") {
            package.each(part, |piece| {
                marks.styles.take(&piece);
                Ok(())
            })?;
        }
        if let Some(part) = relations.of_kind("numbering") {
            package.each(part, |piece| {
                marks.lists.take(&piece);
                Ok(())
            })?;
        }
        Ok(marks)
    }

    /// The mark of the next paragraph, with what parts it from the words.
    pub(super) fn of(&mut self, look: &Look) -> String {
        let style = look.style.as_deref().unwrap_or_default();
        let heading = match look.outline {
            Some(outline) => styles::level(outline),
            None => self.styles.heading(style),
        };
        let mark = heading.map(|level| "#".repeat(level.min(DEEPEST)));
        match (mark, self.number(look, style)) {
            (Some(mark), Some(Numbered { mark: Some(number), .. })) => format!("{mark} {number} "),
            (Some(mark), _) => format!("{mark} "),
            (None, Some(Numbered { mark, level })) => {
                format!("{}{} ", "  ".repeat(level), mark.unwrap_or_else(|| "-".into()))
            }
            (None, None) => String::new(),
        }
    }

    fn number(&mut self, look: &Look, style: &str) -> Option<Numbered> {
        let list = look.item.list.clone().or_else(|| self.styles.list(style))?;
        if list == "0" {
            return None;
        }
        let level = look.item.level.or_else(|| match look.item.list {
            Some(_) => None,
            None => self.lists.level_of(&list, style).or_else(|| self.styles.list_level(style)),
        });
        self.lists.next(&list, level.unwrap_or_default())
    }
}
