//! A provider that can be called: what the rest of the program knows of this crate.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;

use crate::model_request::ModelRequest;
use crate::stream_event::StreamEvent;

/// A model as its provider lists it. `None` where the list does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedModel {
    pub id: String,
    /// A name for the user.
    pub name: Option<String>,
    /// Window in tokens, as the provider's list has it.
    pub window: Option<u32>,
    /// Window in tokens that a local server has loaded: stronger than `window`.
    pub loaded_window: Option<u32>,
    /// Longest prompt in tokens.
    pub max_input: Option<u32>,
    /// Longest answer in tokens.
    pub max_output: Option<u32>,
}

/// The events of one call.
pub type EventStream = BoxStream<'static, Result<StreamEvent>>;

/// A provider, ready to be called.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Sends the request and streams the answer. Faults before anything of an answer are retried
    /// here where they are passing, with a [`StreamEvent::Retrying`] each; a fault after it ends the
    /// stream with an error. An overflow is [`skein_domain::error::Error::TooLong`], wherever the provider
    /// says it. Any of these may be the stream's first item.
    async fn stream(&self, request: ModelRequest) -> Result<EventStream>;

    /// The models it offers, with what it says of their windows.
    async fn models(&self) -> Result<Vec<ListedModel>>;
}
