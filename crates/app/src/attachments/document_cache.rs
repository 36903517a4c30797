//! Caches the text of attached files. A long document takes a while to read, and is needed several times
//! before it is sent.

use std::sync::Arc;

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_documents::{Document, attachment};
use skein_domain::error::Result;
use skein_domain::ids::BlobId;
use skein_platform::blocking::run_blocking;
use tokio::sync::OnceCell;

use super::Attachments;

/// The number of cached files: mostly those of one message.
const CAPACITY: usize = 8;
/// The largest total size of the text of all cached files, in bytes. The latest file is cached whatever its
/// size.
const MAX_BYTES: usize = 64 << 20;

type DocumentCell = Arc<OnceCell<Arc<Document>>>;

/// The cached files.
pub(super) struct DocumentCache(Mutex<LruCache<BlobId, DocumentCell>>);

impl Default for DocumentCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(CAPACITY)))
    }
}

impl DocumentCache {
    fn of(&self, file: BlobId) -> DocumentCell {
        let mut cells = self.0.lock();
        let cell = cells.remove(&file).unwrap_or_default();
        cells.insert(file, Arc::clone(&cell));
        cell
    }

    /// Caches the text that was read when the file was attached.
    pub(super) fn insert(&self, file: BlobId, document: Document) {
        // A text that is cached already is the same.
        let _ = self.of(file).set(Arc::new(document));
        self.evict();
    }

    /// Evicts the least recently used files while the cache is too large.
    fn evict(&self) {
        let mut cells = self.0.lock();
        while cells.len() > 1 && bytes(&cells) > MAX_BYTES {
            cells.remove_lru();
        }
    }
}

/// The size of the cached text, in bytes.
fn bytes(cells: &LruCache<BlobId, DocumentCell>) -> usize {
    cells.iter().filter_map(|(_, cell)| cell.get()).map(|document| document.text.len()).sum()
}

impl Attachments {
    pub async fn attached_text(&self, file: BlobId, name: String) -> Result<String> {
        Ok(self.attached_document(file, name).await?.text.clone())
    }

    /// The number of pages, sheets or slides of an attached file; `None`: its kind has none.
    pub async fn attached_pages(&self, file: BlobId, name: String) -> Result<Option<u32>> {
        Ok(self.attached_document(file, name).await?.pages)
    }

    pub(super) async fn attached_document(
        &self,
        file: BlobId,
        name: String,
    ) -> Result<Arc<Document>> {
        let cell = self.documents.of(file);
        let read = || async {
            let bytes = self.store.blob(file).await?;
            let document =
                run_blocking("reading a file", move || attachment::extract_document(&name, &bytes))
                    .await?;
            document.map(Arc::new)
        };
        let document = cell.get_or_try_init(read).await.cloned();
        self.documents.evict();
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held_after(megabytes: &[usize]) -> Vec<i64> {
        let said = DocumentCache::default();
        for (file, megabytes) in (1..).zip(megabytes) {
            let text = String::from_utf8(vec![0; megabytes << 20]).unwrap();
            said.insert(BlobId(file), Document { text, pages: None });
        }
        said.0.lock().iter().map(|(file, _)| file.0).collect()
    }

    #[test]
    fn of_what_files_say_so_much_is_held_and_the_last_however_long_it_is() {
        assert_eq!(held_after(&[1; 10]), [3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(held_after(&[40, 20, 40, 20]), [3, 4]);
        assert_eq!(held_after(&[1, 80]), [2]);
        assert_eq!(held_after(&[80, 1]), [2]);
    }
}
