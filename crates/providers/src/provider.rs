//! The provider trait, which the rest of the program calls.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;

use crate::model_request::ModelRequest;
use crate::stream_event::StreamEvent;

/// A model in a provider's list. A field is `None` if the list does not state it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedModel {
    pub id: String,
    /// The display name.
    pub name: Option<String>,
    /// Context window, in tokens.
    pub window: Option<u32>,
    /// The window that a local server has loaded, in tokens. Takes precedence over `window`.
    pub loaded_window: Option<u32>,
    /// Longest prompt in tokens.
    pub max_input: Option<u32>,
    /// Longest reply in tokens.
    pub max_output: Option<u32>,
}

pub type EventStream = BoxStream<'static, Result<StreamEvent>>;

#[async_trait]
pub trait Provider: Send + Sync {
    /// Sends the request and streams the reply. Temporary errors before any part of the reply are
    /// retried here, with a [`StreamEvent::Retrying`] each; a later error ends the stream. An
    /// overflow is [`skein_domain::error::Error::TooLong`] in every format. An error may be the
    /// stream's first item.
    async fn stream(&self, request: ModelRequest) -> Result<EventStream>;

    /// The models that it offers, with the windows that it states.
    async fn models(&self) -> Result<Vec<ListedModel>>;
}
