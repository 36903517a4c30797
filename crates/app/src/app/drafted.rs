//! What stands in the box beside its tokens. It is counted apart from what else goes on, and a file once:
//! what is typed beside it changes nothing of that.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use skein_context::counting::{Counts, MessageTokens, count_parts};
use skein_context::tokens::TokenCounter;
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::Result;
use skein_domain::ids::{BlobId, SessionId};
use skein_domain::message::ContentPart;
use skein_platform::blocking::apart;
use tokio::sync::OnceCell;

use super::App;
use super::attachments::words_of;
use crate::view::DraftSize;

/// What an attached file says, and the family of tokenisers it is counted by.
type Counting = (BlobId, String);

/// The tokens of what attached files say, as far as they were asked for since the start.
#[derive(Default)]
pub(crate) struct FileCounts(Mutex<HashMap<Counting, Arc<OnceCell<u32>>>>);

impl FileCounts {
    fn of(&self, counting: Counting) -> Arc<OnceCell<u32>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(counting).or_default())
    }
}

/// A draft with its tokens; empty when nothing is written.
pub(super) struct Drafted {
    /// What its files say is left out: their tokens are known.
    parts: Vec<ContentPart>,
    tokens: MessageTokens,
}

impl Drafted {
    /// The same with all that it says.
    pub fn saying(self, parts: Vec<ContentPart>) -> Self {
        Self { parts, ..self }
    }

    pub fn as_draft(&self) -> Option<(&[ContentPart], &MessageTokens)> {
        (!self.parts.is_empty()).then_some((self.parts.as_slice(), &self.tokens))
    }
}

impl App {
    /// What a draft takes by itself, and what the model of the session takes as a prompt at all.
    pub async fn draft_size(&self, session: SessionId, draft: Draft) -> Result<DraftSize> {
        let model = self.model_of(&self.store.session(session).await?);
        let counter = self.counter(&model).await?;
        let tokens = self.drafted(&counter, draft).await?.tokens;
        let spec = self.spec(&model).await?;
        Ok(DraftSize {
            tokens: tokens.total().saturating_sub(tokens.overhead),
            limit: spec.ceiling().map(|limit| limit.value),
        })
    }

    /// Counts a draft.
    pub(super) async fn drafted(&self, counter: &TokenCounter, draft: Draft) -> Result<Drafted> {
        let mut parts = words_of(draft.text);
        let words = parts.len();
        parts.extend(draft.attachments.iter().map(|it| it.clone().part(String::new())));
        let own = *counter;
        let counting = apart("counting a draft", move || (count_parts(&own, &parts), parts));
        let (mut tokens, parts) = counting.await?;
        for (part, attachment) in tokens.parts.iter_mut().skip(words).zip(&draft.attachments) {
            if let Attachment::File { blob, name, .. } = attachment {
                *part = part.saturating_add(self.file_tokens(counter, *blob, name).await?);
            }
        }
        Ok(Drafted { parts, tokens })
    }

    async fn file_tokens(&self, counter: &TokenCounter, blob: BlobId, name: &str) -> Result<u32> {
        let known = self.file_counts.of((blob, counter.family()));
        let count = || async {
            let says = self.said(blob, name.to_owned()).await?;
            let own = *counter;
            apart("counting a file", move || own.text(&says.text)).await
        };
        known.get_or_try_init(count).await.copied()
    }
}
