//! The styles of a Word document: which are headings, and which are items of a list. A style's id is in the
//! language of whoever made it; how deep it stands in the outline is not.

use std::collections::HashMap;
use std::iter::successors;

use super::paragraph_properties::ParagraphProperties;
use crate::ooxml::xml::{StartTag, XmlEvent};

/// So many styles are each made from another, at most.
const MADE_FROM: usize = 16;

/// What the styles say, by their ids.
#[derive(Debug, Default)]
pub(super) struct Styles {
    all: HashMap<String, Style>,
    /// The one that is read.
    open: Option<(String, Style)>,
}

#[derive(Debug, Default)]
struct Style {
    /// For those that every Word has in English: `heading 1`.
    name: String,
    /// The id of the one it is made from.
    base: Option<String>,
    look: ParagraphProperties,
}

impl Styles {
    /// Takes in a piece of the part they stand in.
    pub(super) fn take(&mut self, piece: &XmlEvent<'_>) {
        match piece {
            XmlEvent::Start(tag) if tag.name() == "style" => {
                self.open = tag.attribute("styleId").map(|id| (id, Style::default()));
            }
            XmlEvent::Start(tag) => {
                if let Some((_, style)) = &mut self.open {
                    style.take(tag);
                }
            }
            XmlEvent::End("style") => self.all.extend(self.open.take()),
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }

    /// A style, and those it is made from.
    fn of(&self, id: &str) -> impl Iterator<Item = &Style> {
        let base = move |style: &&Style| self.all.get(style.base.as_deref()?);
        successors(self.all.get(id), base).take(MADE_FROM)
    }

    /// The level of the heading it makes, from 1; `None`: it makes none.
    pub(super) fn heading(&self, id: &str) -> Option<usize> {
        match self.of(id).find_map(|style| style.look.outline) {
            Some(outline) => heading_level(outline),
            None => named(self.all.get(id).map_or(id, |style| &style.name)),
        }
    }

    /// The list it makes an item of.
    pub(super) fn list(&self, id: &str) -> Option<String> {
        self.of(id).find_map(|style| style.look.item.list.clone())
    }

    /// How deep in its list it makes an item, from 0.
    pub(super) fn list_level(&self, id: &str) -> Option<usize> {
        self.of(id).find_map(|style| style.look.item.level)
    }
}

impl Style {
    fn take(&mut self, tag: &StartTag<'_>) {
        match tag.name() {
            "name" => self.name = tag.attribute("val").unwrap_or_default(),
            "basedOn" => self.base = tag.attribute("val"),
            _ => self.look.take(tag),
        }
    }
}

/// The level of a heading by how deep it stands in the outline; the text of a document stands deepest.
pub(super) fn heading_level(outline: usize) -> Option<usize> {
    (outline < 9).then_some(outline + 1)
}

/// `Heading2` and `heading 2` are of the second level.
fn named(style: &str) -> Option<usize> {
    if style.eq_ignore_ascii_case("title") {
        return Some(1);
    }
    let level = style.to_ascii_lowercase().strip_prefix("heading")?.trim().parse().ok()?;
    (1..=9).contains(&level).then_some(level)
}
