//! The lists of a Word document: how their items are numbered, and how far each has come. Several lists may
//! be of one kind, and go on where the one before them ended.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::spelled::spelled;
use crate::xml::{Piece, Tag};

/// How deep a list may go.
pub(super) const LEVELS: usize = 9;

/// The lists by their ids, and their kinds by theirs.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: HashMap<String, List>,
    kinds: BTreeMap<String, Kind>,
    /// The number of the last item of each level, by the kind; `None`: none came yet.
    counts: HashMap<String, [Option<u32>; LEVELS]>,
    /// The levels of lists that began anew.
    begun: HashSet<(String, usize)>,
    open: Open,
}

/// What is read.
#[derive(Debug, Default)]
enum Open {
    #[default]
    Nothing,
    Kind(String, Kind),
    List(String, List),
}

#[derive(Debug, Default)]
struct List {
    /// The id of its kind.
    kind: String,
    /// Where it begins anew, and not where the list before it ended.
    starts: HashMap<usize, u32>,
    /// Levels that are not those of its kind.
    levels: HashMap<usize, Level>,
    /// The level that is read.
    at: usize,
}

#[derive(Debug, Default)]
struct Kind {
    levels: BTreeMap<usize, Level>,
    /// The style that it is of.
    style: Option<String>,
    /// The style whose kind is to be taken instead.
    instead: Option<String>,
    /// The level that is read.
    at: usize,
}

/// How the items of a level are numbered.
#[derive(Debug, Clone)]
struct Level {
    start: u32,
    /// As the file calls it: `decimal`, `bullet`.
    spelling: String,
    /// With `%1` for the number of the first level.
    text: String,
    /// Whatever the levels above it have, here it is in digits.
    in_digits: bool,
    /// It begins anew below each item of a level above it.
    restarts: bool,
    /// The style that makes items of it.
    style: Option<String>,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            start: 0,
            spelling: "decimal".into(),
            text: String::new(),
            in_digits: false,
            restarts: true,
            style: None,
        }
    }
}

/// An item of a list.
pub(super) struct Numbered {
    /// Its number as it is shown; `None`: it has a bullet.
    pub mark: Option<String>,
    /// How deep it stands in its list, from 0.
    pub level: usize,
}

impl Lists {
    /// Takes in a piece of the part they stand in.
    pub(super) fn take(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Open(tag) => match tag.name() {
                "abstractNum" => {
                    let id = tag.attribute("abstractNumId").unwrap_or_default();
                    self.open = Open::Kind(id, Kind::default());
                }
                "num" => {
                    let id = tag.attribute("numId").unwrap_or_default();
                    self.open = Open::List(id, List::default());
                }
                _ => match &mut self.open {
                    Open::Kind(_, kind) => kind.take(tag),
                    Open::List(_, list) => list.take(tag),
                    Open::Nothing => {}
                },
            },
            Piece::Close("abstractNum" | "num") => match std::mem::take(&mut self.open) {
                Open::Kind(id, kind) => {
                    self.kinds.insert(id, kind);
                }
                Open::List(id, list) => {
                    self.lists.insert(id, list);
                }
                Open::Nothing => {}
            },
            Piece::Close(_) | Piece::Words(_) => {}
        }
    }

    /// The kind of a list: its own, or that of the style it names.
    fn kind(&self, list: &List) -> Option<(&String, &Kind)> {
        let own = self.kinds.get_key_value(&list.kind)?;
        let Some(style) = &own.1.instead else { return Some(own) };
        self.kinds.iter().find(|(_, kind)| kind.style.as_ref() == Some(style)).or(Some(own))
    }

    /// The level of a list that a style makes items of.
    pub(super) fn level_of(&self, list: &str, style: &str) -> Option<usize> {
        let (_, kind) = self.kind(self.lists.get(list)?)?;
        let mut levels = kind.levels.iter();
        let found = levels.find(|(_, level)| level.style.as_deref() == Some(style))?;
        Some(*found.0)
    }

    /// Counts the next item of a list. One of a list that is not known has a bullet.
    pub(super) fn next(&mut self, id: &str, level: usize) -> Option<Numbered> {
        let bullet = Some(Numbered { mark: None, level });
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
            spelled(count, if own.in_digits { "decimal" } else { &level.spelling })
        };
        let mark = if own.spelling == "bullet" { None } else { Some(filled(&own.text, number)) };
        let kind_id = kind_id.clone();
        self.counts.insert(kind_id, counts);
        self.begun.insert((id.to_owned(), level));
        // It is there to set it off alone.
        mark.as_ref().is_none_or(|mark| !mark.is_empty()).then_some(Numbered { mark, level })
    }
}

impl Kind {
    fn take(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "styleLink" => self.style = tag.attribute("val"),
            "numStyleLink" => self.instead = tag.attribute("val"),
            "lvl" => self.at = number(tag, "ilvl"),
            _ => self.levels.entry(self.at).or_default().take(tag),
        }
    }
}

impl List {
    fn take(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "abstractNumId" => self.kind = tag.attribute("val").unwrap_or_default(),
            "lvlOverride" => self.at = number(tag, "ilvl"),
            "startOverride" => {
                self.starts.insert(self.at, number(tag, "val"));
            }
            "lvl" => {
                self.levels.insert(self.at, Level::default());
            }
            _ => {
                if let Some(level) = self.levels.get_mut(&self.at) {
                    level.take(tag);
                }
            }
        }
    }
}

impl Level {
    fn take(&mut self, tag: &Tag<'_>) {
        let value = tag.attribute("val");
        let is_off = || matches!(value.as_deref(), Some("0" | "false" | "off"));
        match tag.name() {
            "start" => self.start = number(tag, "val"),
            // One of its own making has another for programs that do not know it, which comes behind it.
            "numFmt" => self.spelling = value.unwrap_or_default(),
            "lvlText" => self.text = value.unwrap_or_default(),
            "isLgl" => self.in_digits = !is_off(),
            "lvlRestart" => self.restarts = !is_off(),
            "pStyle" => self.style = value,
            _ => {}
        }
    }
}

fn number<N: std::str::FromStr + Default>(tag: &Tag<'_>, name: &str) -> N {
    tag.attribute(name).and_then(|value| value.parse().ok()).unwrap_or_default()
}

/// A level's text with the numbers it names.
fn filled(text: &str, number: impl Fn(usize) -> String) -> String {
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
