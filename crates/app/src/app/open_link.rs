//! Links wait here until the window asks for them: the first comes before there is a window.

use std::sync::PoisonError;

use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;

use super::App;
use crate::deep_links::{self, DeepLink};
use crate::events::Topic;

impl App {
    /// Another program handed over an address.
    pub fn open_link(&self, address: &str) {
        self.pending_links
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(deep_links::parse(address));
        self.notify_changed([Topic::Links {}]);
    }

    /// Those that came since the last time, in order.
    pub fn take_links(&self) -> Vec<DeepLink> {
        std::mem::take(&mut *self.pending_links.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A session with a link's words for its box, and nothing sent. One that nobody has used is taken
    /// first: at its very first start the window makes one, and the link may come before or after.
    pub async fn new_chat(&self, prompt: String, model: Option<ModelRef>) -> Result<SessionId> {
        let words = Some(ContentPart::Text { text: prompt });
        let words =
            words.filter(|part| matches!(part, ContentPart::Text { text } if !text.is_empty()));
        let words = words.into_iter().collect();
        let session = self.store.session_for_draft(words, model, self.now()).await?;
        self.notify_session_changed(session);
        Ok(session)
    }
}
