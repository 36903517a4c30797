//! Full-text search. The index (`search_index`) proposes texts (`search_candidates`), which are read
//! (`search_document`) and ranked (`bm25`). The cost depends on the number of compared texts, not
//! of stored ones.
//!
//! Both the index entries read for a word and the compared texts are limited. A word that many
//! texts contain is searched in the newest ones.
//!
//! Not here: the excerpt of a hit (`search_snippet`).

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId};
use specta::Type;

use super::bm25::{self, TermFrequencies};
use super::search_candidates::{self, UncheckedTerms};
use super::search_document::{self, MessageLocation, SearchDocument};
use super::search_index::{SearchScope, TextSource};
use super::search_query::{MatchMode, QueryTerms, SearchQuery, fold_case, parse_query};
use super::search_snippet::{SnippetPiece, snippet};
use super::term_counter::TermCounter;
use crate::db::store::Store;

/// A message that matches a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    pub session_id: SessionId,
    /// The title of the session; `None` if it has none.
    pub session_name: Option<String>,
    /// The location of the hit; `None`: the title itself.
    pub place: Option<MessageLocation>,
    /// The hit with the text around it.
    pub excerpt: Vec<SnippetPiece>,
}

/// Bytes compared in one search. Further candidates follow the compared ones in their own order.
const MAX_COMPARED: usize = 1 << 20;

/// Of this many hits, one may be a title before the first message: a common title must not hide
/// messages.
const HITS_PER_TITLE: usize = 3;

/// Latest texts read for a word too short for the index, before the index is queried.
const MAX_LATEST: u32 = 2_000;

impl Store {
    /// Hits, best first: a few titles, the messages, and then further titles. For a query that very
    /// many texts match, only the newest are compared. Queries of one- or two-character words list
    /// the latest hits first.
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
            let other_titles = hits.split_off(hits.len().min(limit.div_ceil(HITS_PER_TITLE)));
            hits.extend(messages(tx, &query, &terms)?);
            hits.extend(other_titles);
            hits.truncate(limit);
            Ok(hits)
        })
        .await
    }
}

fn titles(
    tx: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<SearchHit>> {
    let mut statement = tx.prepare_cached(
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
    tx: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<SearchHit>> {
    let scope = SearchScope::of(query.session);
    if terms.long.is_empty() {
        return latest_texts(tx, query, terms, scope);
    }
    let proposed = match query.matching {
        MatchMode::All => search_candidates::matching_all(tx, terms, scope)?,
        MatchMode::Any => search_candidates::matching_any(tx, terms, scope)?,
    };
    let mut rest = proposed.sources.iter();
    let counted = candidate_frequencies(tx, rest.by_ref(), proposed.unchecked, terms)?;
    let mut hits = HitCollector::of(query, terms);
    for source in bm25::rank(&counted, &proposed.weights) {
        if hits.are_enough() {
            return Ok(hits.into_hits());
        }
        hits.extend(search_document::load_document(tx, source)?);
    }
    for source in rest {
        if hits.are_enough() {
            break;
        }
        if matching_text(tx, *source, proposed.unchecked, terms)?.is_some() {
            hits.extend(search_document::load_document(tx, *source)?);
        }
    }
    Ok(hits.into_hits())
}

/// The term frequencies of the first candidates.
fn candidate_frequencies<'a>(
    tx: &Connection,
    sources: impl Iterator<Item = &'a TextSource>,
    unchecked: UncheckedTerms,
    terms: &QueryTerms,
) -> rusqlite::Result<Vec<TermFrequencies>> {
    let counter = TermCounter::of(&terms.long);
    let mut counted = Vec::new();
    let mut bytes = 0;
    for source in sources {
        if let Some(text) = matching_text(tx, *source, unchecked, terms)? {
            counted.push(TermFrequencies::of(*source, &text, &counter));
            bytes += text.len();
        }
        if bytes >= MAX_COMPARED {
            break;
        }
    }
    Ok(counted)
}

/// The folded text of a source, if it exists and contains the terms that the index did not check.
fn matching_text(
    tx: &Connection,
    source: TextSource,
    unchecked: UncheckedTerms,
    terms: &QueryTerms,
) -> rusqlite::Result<Option<String>> {
    let text = search_document::load_text(tx, source)?.map(|text| fold_case(&text));
    Ok(text.filter(|text| match unchecked {
        UncheckedTerms::Short => terms.short_are_in(text),
        UncheckedTerms::Everything => terms.are_in(text),
    }))
}

/// The latest texts with words too short for the index. A common word is found here soon; a rare
/// one is found by the index.
fn latest_texts(
    tx: &Connection,
    query: &SearchQuery,
    terms: &QueryTerms,
    scope: SearchScope,
) -> rusqlite::Result<Vec<SearchHit>> {
    let limit = query.limit as usize;
    let fits = |text: &str| terms.short_are_in(&fold_case(text));
    let wanted = |document: &SearchDocument| query.covers(document);
    let mut texts = search_document::newest_documents(tx, scope, MAX_LATEST, limit, fits, wanted)?;
    if texts.len() < limit
        && let Some(entries) = search_candidates::rarest_short(tx, &terms.short, scope)?
    {
        for source in entries.sources() {
            if search_document::load_text(tx, source)?.is_some_and(|text| fits(&text)) {
                texts.extend(search_document::load_document(tx, source)?);
            }
        }
        texts.sort_by_key(|document| Reverse(document.part));
    }
    let mut hits = HitCollector::of(query, terms);
    hits.extend(texts);
    Ok(hits.into_hits())
}

/// Collects hits, each message once. For a question, hits that differ from an earlier one only in
/// digits come last: the output of a daily command would otherwise take all places.
struct HitCollector<'a> {
    query: &'a SearchQuery,
    terms: &'a QueryTerms,
    seen: HashSet<MessageId>,
    texts_without_digits: HashSet<String>,
    hits: Vec<SearchHit>,
    repeated: Vec<SearchHit>,
}

impl<'a> HitCollector<'a> {
    fn of(query: &'a SearchQuery, terms: &'a QueryTerms) -> Self {
        let (seen, texts_without_digits) = (HashSet::new(), HashSet::new());
        Self { query, terms, seen, texts_without_digits, hits: Vec::new(), repeated: Vec::new() }
    }

    fn are_enough(&self) -> bool {
        self.hits.len() >= self.query.limit as usize
    }

    /// The hits up to the limit, repeated ones last.
    fn into_hits(self) -> Vec<SearchHit> {
        let wanted = self.query.limit as usize;
        self.hits.into_iter().chain(self.repeated).take(wanted).collect()
    }

    /// True if the text differs from all before it in more than digits.
    fn is_new(&mut self, text: &str) -> bool {
        match self.query.matching {
            MatchMode::All => true,
            MatchMode::Any => {
                self.texts_without_digits.insert(text.replace(|c: char| c.is_ascii_digit(), ""))
            }
        }
    }

    fn extend(&mut self, texts: impl IntoIterator<Item = SearchDocument>) {
        for document in texts {
            if !self.are_enough()
                && self.query.covers(&document)
                && self.seen.insert(document.place.message_id)
            {
                let hits = match self.is_new(&document.text) {
                    true => &mut self.hits,
                    false => &mut self.repeated,
                };
                hits.push(hit(document, self.query, self.terms));
            }
        }
    }
}

fn hit(document: SearchDocument, query: &SearchQuery, terms: &QueryTerms) -> SearchHit {
    SearchHit {
        session_id: document.session,
        session_name: document.name,
        place: Some(document.place),
        excerpt: snippet(&document.text, terms, query.margin),
    }
}
