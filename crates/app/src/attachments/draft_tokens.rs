//! What stands in the box beside its tokens. It is counted apart from what else goes on, and a file once:
//! what is typed beside it changes nothing of that.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{MessageTokens, Tokenizer, count_parts};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::Result;
use skein_domain::ids::BlobId;
use skein_domain::message::ContentPart;
use skein_platform::blocking::run_blocking;
use tokio::sync::OnceCell;

use super::{Attachments, text_parts};

/// What an attached file says, and the family of tokenisers it is counted by.
type FileTokenKey = (BlobId, String);

/// The tokens of what attached files say, as far as they were asked for since the start.
#[derive(Default)]
pub(crate) struct FileTokenCache(Mutex<HashMap<FileTokenKey, Arc<OnceCell<u32>>>>);

impl FileTokenCache {
    fn of(&self, counting: FileTokenKey) -> Arc<OnceCell<u32>> {
        let mut known = self.0.lock();
        Arc::clone(known.entry(counting).or_default())
    }
}

/// A draft with its tokens; empty when nothing is written.
pub(crate) struct DraftTokens {
    /// What its files say is left out: their tokens are known.
    parts: Vec<ContentPart>,
    tokens: MessageTokens,
}

impl DraftTokens {
    /// The same with all that it says.
    pub fn with_parts(self, parts: Vec<ContentPart>) -> Self {
        Self { parts, ..self }
    }

    pub fn tokens(&self) -> &MessageTokens {
        &self.tokens
    }

    pub fn as_draft(&self) -> Option<(&[ContentPart], &MessageTokens)> {
        (!self.parts.is_empty()).then_some((self.parts.as_slice(), &self.tokens))
    }
}

impl Attachments {
    pub(crate) async fn count_draft(
        &self,
        counter: &TokenCounter,
        draft: Draft,
    ) -> Result<DraftTokens> {
        let mut parts = text_parts(draft.text);
        let words = parts.len();
        parts.extend(draft.attachments.iter().map(|it| it.clone().part(String::new())));
        let own = *counter;
        let counting = run_blocking("counting a draft", move || (count_parts(&own, &parts), parts));
        let (mut tokens, parts) = counting.await?;
        for (part, attachment) in tokens.parts.iter_mut().skip(words).zip(&draft.attachments) {
            if let Attachment::File { blob, name, .. } = attachment {
                *part = part.saturating_add(self.file_tokens(counter, *blob, name).await?);
            }
        }
        Ok(DraftTokens { parts, tokens })
    }

    async fn file_tokens(&self, counter: &TokenCounter, blob: BlobId, name: &str) -> Result<u32> {
        let known = self.file_tokens.of((blob, counter.family()));
        let count = || async {
            let says = self.attached_document(blob, name.to_owned()).await?;
            let own = *counter;
            run_blocking("counting a file", move || own.text(&says.text)).await
        };
        known.get_or_try_init(count).await.copied()
    }
}
