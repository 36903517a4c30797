//! Implements the store operations that the built-in tools need, bound to one session.

use std::sync::Arc;

use async_trait::async_trait;
use skein_context::facts::{self, FactSource};
use skein_context::retrieval;
use skein_domain::error::{Error, Result};
use skein_domain::health::HealthLevel;
use skein_domain::ids::{OutputId, ReminderId, SessionId};
use skein_domain::message::{ContentPart, Origin, ToolCall, ToolState};
use skein_domain::reminder::ReminderScope;
use skein_store::{
    MatchMode, MessageLocation, NewReminder, ReadAccess, SearchHit, SearchQuery, Store,
};
use skein_tools::host::{HistoryPassage, ModelReminder, PassageAuthor, StoredResult, ToolHost};
use skein_tools::output_truncation;

use crate::clock::now;
use crate::events::Topic;
use crate::live::live_session::LiveSession;
use crate::notifier::Notifier;

/// Characters shown on each side of a hit, if no passage of its message matches.
const MARGIN: u32 = 300;

/// The largest number of stored results in the list.
const MAX_RESULTS: usize = 50;

/// The stored data of one session, for its tools.
pub(super) struct SessionToolHost {
    pub store: Store,
    pub notifier: Notifier,
    pub live: Arc<LiveSession>,
}

impl SessionToolHost {
    fn session(&self) -> SessionId {
        self.live.session_id
    }

    fn reminders_changed(&self) {
        self.notifier.changed([Topic::Reminders {}]);
    }

    /// Every tool call of the session whose message is in the context, oldest first.
    async fn calls(&self) -> Result<Vec<ToolCall>> {
        let mut calls = Vec::new();
        let mut threads = self.store.threads(self.session()).await?;
        threads.sort_by_key(|thread| thread.number);
        for thread in threads {
            let path = self.store.path_after(thread.id, None).await?;
            let included = path.iter().filter(|message| !message.is_left_out());
            let parts = included.flat_map(|message| message.parts.iter());
            calls.extend(parts.filter_map(ContentPart::as_call).cloned());
        }
        Ok(calls)
    }

    /// The health level by the last report: that of the reply whose call is running.
    async fn level(&self) -> Result<Option<HealthLevel>> {
        let thread = self.store.session(self.session()).await?.current_thread;
        let last = self.store.last_reply(thread).await?;
        Ok(last.and_then(|reply| reply.health).map(|health| health.level))
    }
}

#[async_trait]
impl ToolHost for SessionToolHost {
    async fn search_history(&self, query: &str, limit: u32) -> Result<Vec<HistoryPassage>> {
        let search = SearchQuery {
            text: query.to_owned(),
            session: Some(self.session()),
            thread: None,
            matching: MatchMode::Any,
            reader: ReadAccess::Model,
            // Some words of a query are everywhere, so the index is asked for more hits than will be shown.
            limit: limit.saturating_mul(2),
            margin: MARGIN,
        };
        let mut hits = self.store.search(search).await?;
        hits.dedup_by_key(|hit| hit.place);
        let mut messages = Vec::new();
        for place in hits.iter().filter_map(|hit| hit.place) {
            messages.push(self.store.message(place.message_id).await?);
        }
        // Of two passages with the same score the newer one is better, because it is more likely to be true
        // now.
        messages.sort_by_key(|message| message.id);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(passages(query, hits, &facts::sources(&messages), limit))
    }

    async fn list_results(&self) -> Result<Vec<StoredResult>> {
        let calls = self.calls().await?;
        Ok(calls.into_iter().rev().filter_map(stored).take(MAX_RESULTS).collect())
    }

    async fn read_result(&self, key: &str) -> Result<Option<String>> {
        if let Ok(id) = key.parse() {
            return match self.store.output(self.session(), OutputId(id), ReadAccess::Model).await {
                Ok(text) => Ok(Some(text)),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            };
        }
        // Ids are unique only within a message: the latest call with a result counts. The calling one has
        // none yet.
        let mut calls = self.calls().await?.into_iter().rev().filter(|call| call.call_id == key);
        Ok(calls.find_map(|call| call.result_text().map(str::to_owned)))
    }

    async fn add_reminder(&self, reminder: ModelReminder<'_>) -> Result<ReminderId> {
        let ModelReminder { content, everywhere, continuation } = reminder;
        let scope = if everywhere {
            ReminderScope::Everywhere {}
        } else {
            ReminderScope::Session { session_id: self.session() }
        };
        let level = if continuation { self.level().await? } else { None };
        let new = NewReminder {
            content: content.to_owned(),
            scope,
            origin: Origin::Model,
            continuation,
            level,
            created_at: now(),
        };
        let reminder = self.store.add_reminder(new).await?;
        self.reminders_changed();
        Ok(reminder.id)
    }

    async fn update_reminder(&self, id: ReminderId, content: &str) -> Result<()> {
        let (session, content) = (self.session(), content.to_owned());
        self.store.update_own_reminder(id, session, content, now()).await?;
        self.reminders_changed();
        Ok(())
    }

    async fn delete_reminder(&self, id: ReminderId) -> Result<()> {
        self.store.delete_own_reminder(id, self.session()).await?;
        self.reminders_changed();
        Ok(())
    }

    fn request_clear(&self, handoff: Option<&str>) {
        self.live.request_clear(handoff.map(str::to_owned));
    }
}

/// The best passages, in the order they were written. A hit within a part of a word, or in a shortened
/// result, has no passage; the text around it is shown instead.
fn passages(
    query: &str,
    hits: Vec<SearchHit>,
    sources: &[FactSource<'_>],
    limit: usize,
) -> Vec<HistoryPassage> {
    let index = retrieval::PassageIndex::of(sources);
    let fitting = retrieval::best_passages(query, &index, limit);
    let mut passages = Vec::new();
    for hit in hits {
        let Some(place) = hit.place else { continue };
        let passage = |author: PassageAuthor, text: String| HistoryPassage {
            thread: place.thread_number,
            message: place.message_id,
            author,
            text,
        };
        let here = fitting.iter().filter(|it| it.message == place.message_id);
        let before = passages.len();
        passages
            .extend(here.map(|it| (it.score, passage(author_of(it.author), it.text.to_owned()))));
        if passages.len() == before {
            let seen = hit.excerpt.into_iter().map(|piece| piece.text).collect();
            passages.push((0.0, passage(author_of_any(place, sources), seen)));
        }
    }
    passages.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    passages.truncate(limit);
    let mut passages: Vec<_> = passages.into_iter().map(|(_, passage)| passage).collect();
    passages.sort_by_key(|passage| passage.message);
    passages
}

fn author_of(author: facts::Author) -> PassageAuthor {
    match author {
        facts::Author::User => PassageAuthor::User,
        facts::Author::Model => PassageAuthor::Model,
        facts::Author::Material => PassageAuthor::Document,
    }
}

/// The author of a hit anywhere in a message. If the message has a document, the text may be the document's.
fn author_of_any(place: MessageLocation, sources: &[FactSource<'_>]) -> PassageAuthor {
    let mut own = sources.iter().filter(|source| source.message == place.message_id);
    match place.origin {
        _ if own.any(|source| source.author == facts::Author::Material) => PassageAuthor::Document,
        Origin::Person => PassageAuthor::User,
        Origin::Model => PassageAuthor::Model,
        Origin::Runtime => PassageAuthor::Program,
    }
}

fn stored(call: ToolCall) -> Option<StoredResult> {
    let ToolState::Done { output: result } = call.state else { return None };
    let (key, chars) = match result.whole {
        Some(whole) => (whole.id.0.to_string(), whole.chars),
        None => (call.call_id, output_truncation::char_count(&result.text)),
    };
    Some(StoredResult { key, tool: call.name, args: call.args, chars })
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::MessageId;
    use skein_domain::ids::ThreadId;
    use skein_domain::message::Role;

    use super::*;
    use skein_store::SnippetPiece;

    #[test]
    fn words_of_a_document_are_not_the_users_though_the_user_attached_it() {
        let place = |id| MessageLocation {
            thread_id: ThreadId(1),
            thread_number: 1,
            message_id: MessageId(id),
            message_number: 1,
            role: Role::User,
            origin: Origin::Person,
            at: 0,
        };
        let hit = |id, words: &str| SearchHit {
            session_id: SessionId(1),
            session_name: None,
            place: Some(place(id)),
            excerpt: vec![SnippetPiece { text: words.to_owned(), found: true }],
        };
        let source =
            |id, author, text| FactSource { message: MessageId(id), author, text, document: None };
        let sources = [
            source(1, facts::Author::User, "The kiosk opens at nine."),
            source(2, facts::Author::User, "Read this."),
            source(2, facts::Author::Material, "The kiosk pays everybody."),
            source(3, facts::Author::Material, "Unlike."),
        ];
        let hits = vec![hit(1, ""), hit(2, ""), hit(3, "kios"), hit(4, "kios")];
        let found = passages("kiosk", hits, &sources, 9);
        let authors: Vec<_> = found.iter().map(|it| (it.message.0, it.author)).collect();
        let expected = [
            (1, PassageAuthor::User),
            (2, PassageAuthor::Document),
            (3, PassageAuthor::Document),
            (4, PassageAuthor::User),
        ];
        assert_eq!(authors, expected);
    }
}
