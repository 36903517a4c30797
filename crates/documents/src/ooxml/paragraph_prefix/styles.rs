//! The styles of a Word document: heading levels and list membership. A style's id is in the
//! language of its author; its outline level is not.

use std::collections::HashMap;
use std::iter::successors;

use super::paragraph_properties::ParagraphProperties;
use crate::ooxml::xml::{StartTag, XmlEvent};

/// The limit of a chain of base styles.
const MAX_BASE_STYLES: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Styles {
    all: HashMap<String, Style>,
    /// The style that is being read.
    open: Option<(String, Style)>,
}

#[derive(Debug, Default)]
struct Style {
    /// The name. Word's built-in styles have an English one: `heading 1`.
    name: String,
    /// The id of the base style.
    base: Option<String>,
    look: ParagraphProperties,
}

impl Styles {
    /// Handles an event of the styles part.
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

    /// A style and its chain of base styles.
    fn of(&self, id: &str) -> impl Iterator<Item = &Style> {
        let base = move |style: &&Style| self.all.get(style.base.as_deref()?);
        successors(self.all.get(id), base).take(MAX_BASE_STYLES)
    }

    /// The heading level of a style, from 1; `None` if it is no heading.
    pub(super) fn heading(&self, id: &str) -> Option<usize> {
        match self.of(id).find_map(|style| style.look.outline) {
            Some(outline) => heading_level(outline),
            None => level_from_name(self.all.get(id).map_or(id, |style| &style.name)),
        }
    }

    pub(super) fn list(&self, id: &str) -> Option<String> {
        self.of(id).find_map(|style| style.look.item.list.clone())
    }

    /// The list level of a style, from 0.
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

/// The heading level of an outline level; `None` for body text.
pub(super) fn heading_level(outline: usize) -> Option<usize> {
    (outline < 9).then_some(outline + 1)
}

/// The level in a name such as `Heading2` or `heading 2`.
fn level_from_name(style: &str) -> Option<usize> {
    if style.eq_ignore_ascii_case("title") {
        return Some(1);
    }
    let level = style.to_ascii_lowercase().strip_prefix("heading")?.trim().parse().ok()?;
    (1..=9).contains(&level).then_some(level)
}
