//! What attached files say. A long document takes a while to read, and is asked for several times on its
//! way: those asked for last are held.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use skein_context::message::BlobId;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::App;
use super::attachments::broke_off;
use crate::attach;
use crate::documents::Document;
use crate::error::Result;

/// So many files are held: mostly those of one message.
const HELD: usize = 8;

type Reading = Arc<OnceCell<Arc<Document>>>;

/// The files that were asked for last, the newest at the end.
#[derive(Default)]
pub(super) struct Said(Mutex<VecDeque<(BlobId, Reading)>>);

impl Said {
    fn of(&self, file: BlobId) -> Reading {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = held.iter().position(|(id, _)| *id == file);
        let known = place.and_then(|place| held.remove(place));
        let reading = known.map(|(_, reading)| reading).unwrap_or_default();
        held.push_back((file, Arc::clone(&reading)));
        if held.len() > HELD {
            held.pop_front();
        }
        reading
    }

    /// Holds what was read of a file when it was taken in.
    pub(super) fn hold(&self, file: BlobId, says: Document) {
        // One that is read already says the same.
        let _ = self.of(file).set(Arc::new(says));
    }
}

impl App {
    /// What an attached file says.
    pub async fn attached_text(&self, file: BlobId, name: String) -> Result<String> {
        Ok(self.said(file, name).await?.text.clone())
    }

    /// How many pages, sheets or slides an attached file has; `None` where its kind has none.
    pub async fn attached_pages(&self, file: BlobId, name: String) -> Result<Option<u32>> {
        Ok(self.said(file, name).await?.pages)
    }

    pub(super) async fn said(&self, file: BlobId, name: String) -> Result<Arc<Document>> {
        let reading = self.said.of(file);
        let read = || async {
            let bytes = self.store.blob(file).await?;
            let says = spawn_blocking(move || attach::read(&name, &bytes)).await;
            says.map_err(broke_off)?.map(Arc::new)
        };
        reading.get_or_try_init(read).await.cloned()
    }
}
