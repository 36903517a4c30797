//! Numbering of a Word document: the number format of each list level, and the current count. Lists
//! with the same abstract numbering continue one another.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::numerals::format_number;
use crate::ooxml::xml::{StartTag, XmlEvent};

/// The number of list levels.
pub(super) const LEVELS: usize = 9;

/// The lists by id, and the abstract numberings by theirs.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, NumberingInstance>,
    kinds: BTreeMap<String, AbstractNumbering>,
    /// The number of the last item of each level, by abstract numbering; `None` before the first
    /// item.
    counts: HashMap<String, [Option<u32>; LEVELS]>,
    /// The levels of lists that have restarted.
    begun: HashSet<(String, usize)>,
    open: OpenElement,
}

/// The element that is being read.
#[derive(Debug, Default)]
enum OpenElement {
    #[default]
    Nothing,
    Kind(String, AbstractNumbering),
    List(String, NumberingInstance),
}

#[derive(Debug, Default)]
struct NumberingInstance {
    /// The id of its abstract numbering.
    kind: String,
    /// Start numbers by level, where the list does not continue the one before it.
    starts: HashMap<usize, u32>,
    /// Levels that override those of the abstract numbering.
    levels: HashMap<usize, NumberingLevel>,
    /// The current level.
    at: usize,
}

#[derive(Debug, Default)]
struct AbstractNumbering {
    levels: BTreeMap<usize, NumberingLevel>,
    /// The style that it belongs to.
    style: Option<String>,
    /// The style whose abstract numbering replaces this one.
    instead: Option<String>,
    /// The current level.
    at: usize,
}

/// The number format of a list level.
#[derive(Debug, Clone)]
struct NumberingLevel {
    start: u32,
    /// The OOXML name: `decimal`, `bullet`.
    format: String,
    /// The text of the number; `%1` stands for the number of the first level.
    text: String,
    /// True if the numbers of all levels above are shown in digits.
    in_digits: bool,
    /// True if the count restarts after each item of a level above.
    restarts: bool,
    /// The paragraph style linked to the level.
    style: Option<String>,
}

impl Default for NumberingLevel {
    fn default() -> Self {
        Self {
            start: 0,
            format: "decimal".into(),
            text: String::new(),
            in_digits: false,
            restarts: true,
            style: None,
        }
    }
}

/// A list item.
pub(super) struct NumberedItem {
    /// The number as it is shown; `None` for a bullet.
    pub mark: Option<String>,
    /// The level in the list, from 0.
    pub level: usize,
}

impl Numbering {
    /// Handles an event of the numbering part.
    pub(super) fn take(&mut self, piece: &XmlEvent<'_>) {
        match piece {
            XmlEvent::Start(tag) => match tag.name() {
                "abstractNum" => {
                    let id = tag.attribute("abstractNumId").unwrap_or_default();
                    self.open = OpenElement::Kind(id, AbstractNumbering::default());
                }
                "num" => {
                    let id = tag.attribute("numId").unwrap_or_default();
                    self.open = OpenElement::List(id, NumberingInstance::default());
                }
                _ => match &mut self.open {
                    OpenElement::Kind(_, kind) => kind.take(tag),
                    OpenElement::List(_, list) => list.take(tag),
                    OpenElement::Nothing => {}
                },
            },
            XmlEvent::End("abstractNum" | "num") => match std::mem::take(&mut self.open) {
                OpenElement::Kind(id, kind) => {
                    self.kinds.insert(id, kind);
                }
                OpenElement::List(id, list) => {
                    self.lists.insert(id, list);
                }
                OpenElement::Nothing => {}
            },
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }

    /// The abstract numbering of a list: its own, or that of its style.
    fn kind(&self, list: &NumberingInstance) -> Option<(&String, &AbstractNumbering)> {
        let own = self.kinds.get_key_value(&list.kind)?;
        let Some(style) = &own.1.instead else { return Some(own) };
        self.kinds.iter().find(|(_, kind)| kind.style.as_ref() == Some(style)).or(Some(own))
    }

    /// The level of a list that a style is linked to.
    pub(super) fn level_of(&self, list: &str, style: &str) -> Option<usize> {
        let (_, kind) = self.kind(self.lists.get(list)?)?;
        // The level sets the indentation, and a file may state any number.
        let mut levels = kind.levels.range(..LEVELS);
        let found = levels.find(|(_, level)| level.style.as_deref() == Some(style))?;
        Some(*found.0)
    }

    /// Counts the next item of a list. An item of an unknown list gets a bullet.
    pub(super) fn next(&mut self, id: &str, level: usize) -> Option<NumberedItem> {
        let bullet = Some(NumberedItem { mark: None, level });
        let Some(list) = self.lists.get(id) else { return bullet };
        let Some((kind_id, kind)) = self.kind(list) else { return bullet };
        let how = |level: usize| list.levels.get(&level).or_else(|| kind.levels.get(&level));
        let Some(own) = how(level).cloned() else { return bullet };
        let mut counts = self.counts.get(kind_id).copied().unwrap_or_default();
        let anew = list.starts.get(&level).copied();
        let anew = anew.filter(|_| !self.begun.contains(&(id.to_owned(), level)));
        for (at, count) in counts.iter_mut().enumerate() {
            if at == level {
                let next = count.map_or(own.start, |count| count.saturating_add(1));
                *count = Some(anew.unwrap_or(next));
            } else if at > level && how(at).is_none_or(|level| level.restarts) {
                *count = None;
            }
        }
        let number = |at: usize| {
            let level = how(at).cloned().unwrap_or_default();
            let count = counts.get(at).copied().flatten().unwrap_or(level.start);
            format_number(count, if own.in_digits { "decimal" } else { &level.format })
        };
        let mark =
            if own.format == "bullet" { None } else { Some(fill_placeholders(&own.text, number)) };
        let kind_id = kind_id.clone();
        self.counts.insert(kind_id, counts);
        self.begun.insert((id.to_owned(), level));
        // A number of empty text is there for its indentation alone.
        mark.as_ref().is_none_or(|mark| !mark.is_empty()).then_some(NumberedItem { mark, level })
    }
}

impl AbstractNumbering {
    fn take(&mut self, tag: &StartTag<'_>) {
        match tag.name() {
            "styleLink" => self.style = tag.attribute("val"),
            "numStyleLink" => self.instead = tag.attribute("val"),
            "lvl" => self.at = number(tag, "ilvl"),
            _ => self.levels.entry(self.at).or_default().take(tag),
        }
    }
}

impl NumberingInstance {
    fn take(&mut self, tag: &StartTag<'_>) {
        match tag.name() {
            "abstractNumId" => self.kind = tag.attribute("val").unwrap_or_default(),
            "lvlOverride" => self.at = number(tag, "ilvl"),
            "startOverride" => {
                self.starts.insert(self.at, number(tag, "val"));
            }
            "lvl" => {
                self.levels.insert(self.at, NumberingLevel::default());
            }
            _ => {
                if let Some(level) = self.levels.get_mut(&self.at) {
                    level.take(tag);
                }
            }
        }
    }
}

impl NumberingLevel {
    fn take(&mut self, tag: &StartTag<'_>) {
        let value = tag.attribute("val");
        let is_off = || matches!(value.as_deref(), Some("0" | "false" | "off"));
        match tag.name() {
            "start" => self.start = number(tag, "val"),
            // A custom format is followed by a fallback for other programs; the first one wins.
            "numFmt" => self.format = value.unwrap_or_default(),
            "lvlText" => self.text = value.unwrap_or_default(),
            "isLgl" => self.in_digits = !is_off(),
            "lvlRestart" => self.restarts = !is_off(),
            "pStyle" => self.style = value,
            _ => {}
        }
    }
}

fn number<N: std::str::FromStr + Default>(tag: &StartTag<'_>, name: &str) -> N {
    tag.attribute(name).and_then(|value| value.parse().ok()).unwrap_or_default()
}

/// The text of a level with its placeholders replaced by numbers.
fn fill_placeholders(text: &str, number: impl Fn(usize) -> String) -> String {
    let mut parts = text.split('%');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let named = part.chars().next().and_then(|digit| digit.to_digit(10));
        match named.and_then(|digit| (digit as usize).checked_sub(1)).filter(|at| *at < LEVELS) {
            Some(at) => {
                filled.push_str(&number(at));
                filled.extend(part.chars().skip(1));
            }
            None => {
                filled.push('%');
                filled.push_str(part);
            }
        }
    }
    filled.trim().to_owned()
}
