//! Counts the tokens of the composer's draft, on a blocking thread. A file is counted once, however often the
//! text beside it changes.

use std::sync::Arc;

use hashlink::LruCache;
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

/// The number of counted files: those of some drafts.
const CAPACITY: usize = 64;

/// An attached file, and the family of tokenisers it is counted by.
type FileTokenKey = (BlobId, String);

/// The tokens of the files that were counted last.
pub(crate) struct FileTokenCache(Mutex<LruCache<FileTokenKey, Arc<OnceCell<u32>>>>);

impl Default for FileTokenCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(CAPACITY)))
    }
}

impl FileTokenCache {
    fn of(&self, file: FileTokenKey) -> Arc<OnceCell<u32>> {
        let mut counted = self.0.lock();
        let tokens = counted.remove(&file).unwrap_or_default();
        counted.insert(file, Arc::clone(&tokens));
        tokens
    }
}

/// A draft and its tokens; empty if nothing is written.
pub(crate) struct DraftTokens {
    /// The parts without the text of files, whose tokens are known.
    parts: Vec<ContentPart>,
    tokens: MessageTokens,
}

impl DraftTokens {
    /// The same draft with the text of its files.
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
        let text_count = parts.len();
        parts.extend(draft.attachments.iter().map(|it| it.clone().part(String::new())));
        let own = *counter;
        let counting = run_blocking("counting a draft", move || (count_parts(&own, &parts), parts));
        let (mut tokens, parts) = counting.await?;
        for (part, attachment) in tokens.parts.iter_mut().skip(text_count).zip(&draft.attachments) {
            if let Attachment::File { blob, name, .. } = attachment {
                *part = part.saturating_add(self.file_tokens(counter, *blob, name).await?);
            }
        }
        Ok(DraftTokens { parts, tokens })
    }

    async fn file_tokens(&self, counter: &TokenCounter, blob: BlobId, name: &str) -> Result<u32> {
        let known = self.file_tokens.of((blob, counter.family()));
        let count = || async {
            let document = self.attached_document(blob, name.to_owned()).await?;
            let own = *counter;
            run_blocking("counting a file", move || own.text(&document.text)).await
        };
        known.get_or_try_init(count).await.copied()
    }
}
