//! Finding words in everything that was said. The index (`fts`) says which texts are worth reading
//! (`search_candidates`), the texts (`search_document`) which of them fits best (`bm25`): what a search costs
//! grows with what is compared, not with what is stored.
//!
//! The index entries read for a word and the texts compared are bounded. A word that many texts hold is
//! looked for among the newest.
//!
//! Not here: what a user or a model is shown of it beyond an extract (`search_snippet`).

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId};
use specta::Type;

use super::bm25::{self, TermFrequencies};
use super::fts::{SearchScope, TextSource};
use super::search_candidates::{self, UncheckedTerms};
use super::search_document::{self, MessageLocation, SearchDocument};
use super::search_query::{MatchMode, QueryTerms, SearchQuery, fold_case, parse_query};
use super::search_snippet::{SnippetPiece, snippet};
use super::term_counter::TermCounter;
use crate::db::store::Store;

/// Something found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// In which session.
    pub session_id: SessionId,
    /// Title of the session; `None`: it has no name.
    pub session_name: Option<String>,
    /// Location of the hit; `None`: the title itself.
    pub place: Option<MessageLocation>,
    /// The hit with the text around it.
    pub excerpt: Vec<SnippetPiece>,
}

/// Bytes that are compared for one search. What is left of the proposals comes after what was compared, in
/// its order.
const COMPARED: usize = 1 << 20;

/// One in so many hits may be a title before the first message: what many sessions are called hides
/// nothing that was said.
const TITLES_FIRST: usize = 3;

/// Latest texts that are read for a word too short for the index, before the index is asked which texts
/// hold it.
const LATEST: u32 = 2_000;

impl Store {
    /// Hits, the best first: a few titles, the messages, and then further titles where there is room. For a
    /// query that very many texts match, only the newest are compared. Queries of one- or two-character
    /// words list the latest hits first.
    pub async fn search(&self, query: SearchQuery) -> Result<Vec<SearchHit>> {
        self.read(move |tx| {
            let terms = parse_query(&query.text, query.matching);
            if terms.is_empty() {
                return Ok(Vec::new());
            }
            let limit = query.limit as usize;
            let mut hits = match (query.session, query.matching) {
                (None, MatchMode::All) => titles(tx, &query, &terms)?,
                (Some(_), MatchMode::All) | (_, MatchMode::Any) => Vec::new(),
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

fn titles(
    connection: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<SearchHit>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, title FROM sessions WHERE deleted_at IS NULL AND title IS NOT NULL
         ORDER BY used DESC",
    )?;
    let titles = statement.query_map([], |row| Ok((SessionId(row.get(0)?), row.get(1)?)))?;
    let hit = |(session_id, title): (SessionId, String)| SearchHit {
        session_id,
        excerpt: snippet(&title, terms, query.margin),
        session_name: Some(title),
        place: None,
    };
    let fits = |titled: &rusqlite::Result<(SessionId, String)>| {
        titled.as_ref().map_or(true, |(_, title)| terms.are_in(&fold_case(title)))
    };
    titles.filter(fits).take(query.limit as usize).map(|titled| titled.map(hit)).collect()
}

fn messages(
    connection: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<SearchHit>> {
    let scope = SearchScope::of(query.session);
    if terms.long.is_empty() {
        return latest(connection, query, terms, scope);
    }
    let proposed = match query.matching {
        MatchMode::All => search_candidates::matching_all(connection, terms, scope)?,
        MatchMode::Any => search_candidates::matching_any(connection, terms, scope)?,
    };
    let mut rest = proposed.sources.iter();
    let counted = counted(connection, rest.by_ref(), proposed.unasked, terms)?;
    let mut hits = HitCollector::of(query, terms);
    for source in bm25::rank(&counted, &proposed.weights) {
        if hits.are_enough() {
            return Ok(hits.into_hits());
        }
        hits.extend(search_document::load_document(connection, source)?);
    }
    for source in rest {
        if hits.are_enough() {
            break;
        }
        if fitting(connection, *source, proposed.unasked, terms)?.is_some() {
            hits.extend(search_document::load_document(connection, *source)?);
        }
    }
    Ok(hits.into_hits())
}

/// The first of these that are to be ranked.
fn counted<'a>(
    connection: &Connection,
    sources: impl Iterator<Item = &'a TextSource>,
    unasked: UncheckedTerms,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<TermFrequencies>> {
    let words = TermCounter::of(&terms.long);
    let mut counted = Vec::new();
    let mut bytes = 0;
    for source in sources {
        if let Some(text) = fitting(connection, *source, unasked, terms)? {
            counted.push(TermFrequencies::of(*source, &text, &words));
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
    source: TextSource,
    unasked: UncheckedTerms,
    terms: &QueryTerms,
) -> rusqlite::Result<Option<String>> {
    let text = search_document::load_text(connection, source)?.map(|text| fold_case(&text));
    Ok(text.filter(|text| match unasked {
        UncheckedTerms::Short => terms.short_are_in(text),
        UncheckedTerms::Everything => terms.are_in(text),
    }))
}

/// The latest texts that hold words too short for the index: what is common is soon met, what is rare
/// the index knows.
fn latest(
    connection: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
    scope: SearchScope,
) -> rusqlite::Result<Vec<SearchHit>> {
    let limit = query.limit as usize;
    let fits = |text: &str| terms.short_are_in(&fold_case(text));
    let wanted = |found: &SearchDocument| query.asks_for(found);
    let mut texts =
        search_document::newest_documents(connection, scope, LATEST, limit, fits, wanted)?;
    if texts.len() < limit
        && let Some(held) = search_candidates::rarest_short(connection, &terms.short, scope)?
    {
        for source in held.sources() {
            if search_document::load_text(connection, source)?.is_some_and(|text| fits(&text)) {
                texts.extend(search_document::load_document(connection, source)?);
            }
        }
        texts.sort_by_key(|found| Reverse(found.part));
    }
    let mut hits = HitCollector::of(query, terms);
    hits.extend(texts);
    Ok(hits.into_hits())
}

/// Hits, each message once. For a question, what differs from a hit before it in its digits alone comes
/// last: the output of a command that runs each day would leave no place for anything else.
struct HitCollector<'a> {
    query: &'a SearchQuery,
    terms: &'a QueryTerms,
    seen: HashSet<MessageId>,
    said: HashSet<String>,
    hits: Vec<SearchHit>,
    repeated: Vec<SearchHit>,
}

impl<'a> HitCollector<'a> {
    fn of(query: &'a SearchQuery, terms: &'a QueryTerms) -> Self {
        let (seen, said) = (HashSet::new(), HashSet::new());
        Self { query, terms, seen, said, hits: Vec::new(), repeated: Vec::new() }
    }

    fn are_enough(&self) -> bool {
        self.hits.len() >= self.query.limit as usize
    }

    /// As many as are wanted, what is repeated last.
    fn into_hits(self) -> Vec<SearchHit> {
        let wanted = self.query.limit as usize;
        self.hits.into_iter().chain(self.repeated).take(wanted).collect()
    }

    /// Whether a text tells more than one before it.
    fn is_new(&mut self, text: &str) -> bool {
        match self.query.matching {
            MatchMode::All => true,
            MatchMode::Any => self.said.insert(text.replace(|c: char| c.is_ascii_digit(), "")),
        }
    }

    fn extend(&mut self, texts: impl IntoIterator<Item = SearchDocument>) {
        for found in texts {
            if !self.are_enough()
                && self.query.asks_for(&found)
                && self.seen.insert(found.place.message_id)
            {
                let hits = match self.is_new(&found.text) {
                    true => &mut self.hits,
                    false => &mut self.repeated,
                };
                hits.push(hit(found, self.query, self.terms));
            }
        }
    }
}

fn hit(found: SearchDocument, query: &SearchQuery, terms: &QueryTerms) -> SearchHit {
    SearchHit {
        session_id: found.session,
        session_name: found.name,
        place: Some(found.place),
        excerpt: snippet(&found.text, terms, query.margin),
    }
}
