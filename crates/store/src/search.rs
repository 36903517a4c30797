//! Finding words in everything that was said. The index (`index`) says which texts are worth reading
//! (`proposals`), the texts (`found`) which of them fits best (`ranking`): what a search costs grows with
//! what is compared, not with what is stored.
//!
//! Not here: what a person or a model is shown of it beyond an extract (`excerpt`).

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Origin, Role};
use specta::Type;

use super::Store;
use super::counter::Counter;
use super::excerpt::{Piece, excerpt};
use super::found::{self, Found};
use super::index::{Scope, Source};
use super::proposals::{self, Unasked};
use super::ranking::{self, Counted};
use super::terms::{Terms, fold, terms};

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Words; those between double quotes stay together.
    pub text: String,
    /// Where to look: one session with its archived threads, or (`None`) everywhere.
    pub session: Option<SessionId>,
    /// In which of its threads alone; `None`: in all of them.
    pub thread: Option<ThreadId>,
    /// How many of the words must be there.
    pub matching: Matching,
    /// Who asks.
    pub reader: Reader,
    /// How many hits at most.
    pub limit: u32,
    /// How many characters are shown on each side of what was found.
    pub margin: u32,
}

impl Query {
    /// Whether it asks for what was said there, and may have it.
    fn asks_for(&self, found: &Found) -> bool {
        self.reader.may_read(found.left_out)
            && self.thread.is_none_or(|thread| found.place.thread_id == thread)
    }
}

/// How many of the words must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// All of them: a person searches.
    All,
    /// Any, the best first: a question is asked of the history.
    Any,
}

/// Who reads what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Whose it is: everything.
    Person,
    /// With its tools: nothing that is left out of the context.
    Model,
}

impl Reader {
    /// Whether it may read of a message, by whether that is left out.
    pub(super) fn may_read(self, left_out: bool) -> bool {
        match self {
            Self::Person => true,
            Self::Model => !left_out,
        }
    }
}

/// Something found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// In which session.
    pub session_id: SessionId,
    /// What it is called; `None`: it has no name.
    pub session_name: Option<String>,
    /// Where to jump; `None`: the title itself was found.
    pub place: Option<Place>,
    /// What was found and what stands around it.
    pub excerpt: Vec<Piece>,
}

/// A message something was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// In which thread.
    pub thread_id: ThreadId,
    /// The number of the thread in its session.
    pub thread_number: u32,
    /// Which message.
    pub message_id: MessageId,
    /// The number of the message in its thread.
    pub message_number: u32,
    /// Who the provider is told said it.
    pub role: Role,
    /// Who really said it.
    pub origin: Origin,
    /// When, in milliseconds since the epoch.
    pub at: i64,
}

/// Bytes that are compared for one search. What is left of the proposals comes after what was compared, in
/// its order.
const COMPARED: usize = 1 << 20;

/// One in so many hits may be a title before the first message: what many sessions are called hides
/// nothing that was said.
const TITLES_FIRST: usize = 3;

/// How many of the latest texts are read for a word too short for the index before it is asked which
/// texts hold it.
const LATEST: u32 = 2_000;

impl Store {
    /// What was found, the best first; a few titles, the messages, and where there is room the other titles.
    /// Of what very many texts hold, the newest of them are compared. Words of one or two characters
    /// alone: the latest first.
    pub async fn search(&self, query: Query) -> Result<Vec<Hit>> {
        self.read(move |tx| {
            let terms = terms(&query.text, query.matching);
            if terms.is_empty() {
                return Ok(Vec::new());
            }
            let limit = query.limit as usize;
            let mut hits = match (query.session, query.matching) {
                (None, Matching::All) => titles(tx, &query, &terms)?,
                (Some(_), Matching::All) | (_, Matching::Any) => Vec::new(),
            };
            let other_titles = hits.split_off(hits.len().min(limit.div_ceil(TITLES_FIRST)));
            hits.extend(messages(tx, &query, &terms)?);
            hits.extend(other_titles);
            hits.truncate(limit);
            Ok(hits)
        })
        .await
    }
}

fn titles(connection: &Connection, query: &Query, terms: &Terms) -> rusqlite::Result<Vec<Hit>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, title FROM sessions WHERE deleted_at IS NULL AND title IS NOT NULL
         ORDER BY used DESC",
    )?;
    let titles = statement.query_map([], |row| Ok((SessionId(row.get(0)?), row.get(1)?)))?;
    let hit = |(session_id, title): (SessionId, String)| Hit {
        session_id,
        excerpt: excerpt(&title, terms, query.margin),
        session_name: Some(title),
        place: None,
    };
    let fits = |titled: &rusqlite::Result<(SessionId, String)>| {
        titled.as_ref().map_or(true, |(_, title)| terms.are_in(&fold(title)))
    };
    titles.filter(fits).take(query.limit as usize).map(|titled| titled.map(hit)).collect()
}

fn messages(connection: &Connection, query: &Query, terms: &Terms) -> rusqlite::Result<Vec<Hit>> {
    let scope = Scope::of(query.session);
    if terms.long.is_empty() {
        return latest(connection, query, terms, scope);
    }
    let proposed = match query.matching {
        Matching::All => proposals::all(connection, terms, scope)?,
        Matching::Any => proposals::any(connection, terms, scope)?,
    };
    let mut rest = proposed.sources.iter();
    let counted = counted(connection, rest.by_ref(), proposed.unasked, terms)?;
    let mut hits = Hits::of(query, terms);
    for source in ranking::ranked(&counted, &proposed.weights) {
        if hits.are_enough() {
            return Ok(hits.hits);
        }
        hits.extend(found::of(connection, source)?);
    }
    for source in rest {
        if hits.are_enough() {
            break;
        }
        if fitting(connection, *source, proposed.unasked, terms)?.is_some() {
            hits.extend(found::of(connection, *source)?);
        }
    }
    Ok(hits.hits)
}

/// The first of these that are to be ranked.
fn counted<'a>(
    connection: &Connection,
    sources: impl Iterator<Item = &'a Source>,
    unasked: Unasked,
    terms: &Terms,
) -> rusqlite::Result<Vec<Counted>> {
    let words = Counter::of(&terms.long);
    let mut counted = Vec::new();
    let mut bytes = 0;
    for source in sources {
        if let Some(text) = fitting(connection, *source, unasked, terms)? {
            counted.push(Counted::of(*source, &text, &words));
            bytes += text.len();
        }
        if bytes >= COMPARED {
            break;
        }
    }
    Ok(counted)
}

/// A text, folded, if it is there and holds what the index was not asked for.
fn fitting(
    connection: &Connection,
    source: Source,
    unasked: Unasked,
    terms: &Terms,
) -> rusqlite::Result<Option<String>> {
    let text = found::text(connection, source)?.map(|text| fold(&text));
    Ok(text.filter(|text| match unasked {
        Unasked::Short => terms.short_are_in(text),
        Unasked::Everything => terms.are_in(text),
    }))
}

/// The latest texts that hold words too short for the index: what is common is soon met, what is rare
/// the index knows.
fn latest(
    connection: &Connection,
    query: &Query,
    terms: &Terms,
    scope: Scope,
) -> rusqlite::Result<Vec<Hit>> {
    let limit = query.limit as usize;
    let fits = |text: &str| terms.short_are_in(&fold(text));
    let wanted = |found: &Found| query.asks_for(found);
    let mut texts = found::newest(connection, scope, LATEST, limit, fits, wanted)?;
    if texts.len() < limit
        && let Some(held) = proposals::fewest(connection, &terms.short, scope)?
    {
        for source in held.sources() {
            if found::text(connection, source)?.is_some_and(|text| fits(&text)) {
                texts.extend(found::of(connection, source)?);
            }
        }
        texts.sort_by_key(|found| Reverse(found.part));
    }
    let mut hits = Hits::of(query, terms);
    hits.extend(texts);
    Ok(hits.hits)
}

/// Hits, each message once.
struct Hits<'a> {
    query: &'a Query,
    terms: &'a Terms,
    seen: HashSet<MessageId>,
    hits: Vec<Hit>,
}

impl<'a> Hits<'a> {
    fn of(query: &'a Query, terms: &'a Terms) -> Self {
        Self { query, terms, seen: HashSet::new(), hits: Vec::new() }
    }

    fn are_enough(&self) -> bool {
        self.hits.len() >= self.query.limit as usize
    }

    fn extend(&mut self, texts: impl IntoIterator<Item = Found>) {
        for found in texts {
            if !self.are_enough()
                && self.query.asks_for(&found)
                && self.seen.insert(found.place.message_id)
            {
                self.hits.push(hit(found, self.query, self.terms));
            }
        }
    }
}

fn hit(found: Found, query: &Query, terms: &Terms) -> Hit {
    Hit {
        session_id: found.session,
        session_name: found.name,
        place: Some(found.place),
        excerpt: excerpt(&found.text, terms, query.margin),
    }
}
