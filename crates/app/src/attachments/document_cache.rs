//! What attached files say. A long document takes a while to read, and is asked for several times on its
//! way: those asked for last are held.

use std::sync::Arc;

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_documents::{Document, attachment};
use skein_domain::error::Result;
use skein_domain::ids::BlobId;
use skein_platform::blocking::run_blocking;
use tokio::sync::OnceCell;

use super::Attachments;

/// So many files are held: mostly those of one message.
const HELD: usize = 8;
/// What those say together, in bytes. The one that was asked for last is held however long it is.
const BYTES: usize = 64 << 20;

type DocumentCell = Arc<OnceCell<Arc<Document>>>;

/// The files that were asked for last.
pub(super) struct DocumentCache(Mutex<LruCache<BlobId, DocumentCell>>);

impl Default for DocumentCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(HELD)))
    }
}

impl DocumentCache {
    fn of(&self, file: BlobId) -> DocumentCell {
        let mut held = self.0.lock();
        let reading = held.remove(&file).unwrap_or_default();
        held.insert(file, Arc::clone(&reading));
        reading
    }

    /// Holds what was read of a file when it was taken in.
    pub(super) fn insert(&self, file: BlobId, says: Document) {
        // One that is read already says the same.
        let _ = self.of(file).set(Arc::new(says));
        self.let_go();
    }

    /// Lets go of those that were asked for longest ago, where more is held than may be.
    fn let_go(&self) {
        let mut held = self.0.lock();
        while held.len() > 1 && bytes(&held) > BYTES {
            held.remove_lru();
        }
    }
}

/// What files say that are read by now.
fn bytes(held: &LruCache<BlobId, DocumentCell>) -> usize {
    held.iter().filter_map(|(_, reading)| reading.get()).map(|says| says.text.len()).sum()
}

impl Attachments {
    /// What an attached file says.
    pub async fn attached_text(&self, file: BlobId, name: String) -> Result<String> {
        Ok(self.attached_document(file, name).await?.text.clone())
    }

    /// How many pages, sheets or slides an attached file has; `None` where its kind has none.
    pub async fn attached_pages(&self, file: BlobId, name: String) -> Result<Option<u32>> {
        Ok(self.attached_document(file, name).await?.pages)
    }

    pub(super) async fn attached_document(
        &self,
        file: BlobId,
        name: String,
    ) -> Result<Arc<Document>> {
        let reading = self.said.of(file);
        let read = || async {
            let bytes = self.store.blob(file).await?;
            let says =
                run_blocking("reading a file", move || attachment::extract_document(&name, &bytes))
                    .await?;
            says.map(Arc::new)
        };
        let says = reading.get_or_try_init(read).await.cloned();
        self.said.let_go();
        says
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
