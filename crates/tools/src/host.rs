//! The operations of the program that built-in tools need.
//!
//! `app` implements them for one session, so that a tool cannot reach another session whatever the
//! model asks for.

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ReminderId};

/// The stored data and the context of one session.
#[async_trait]
pub trait ToolHost: Send + Sync {
    /// The best `limit` passages of earlier messages, in or out of the context, in chronological
    /// order.
    async fn search_history(&self, query: &str, limit: u32) -> Result<Vec<HistoryPassage>>;
    /// The newest tool results, newest first, in or out of the context.
    async fn list_results(&self) -> Result<Vec<StoredResult>>;
    /// The whole text of a result; `None` if this session has no such result.
    async fn read_result(&self, key: &str) -> Result<Option<String>>;
    /// Adds a reminder for this session or for every session (D13).
    async fn add_reminder(&self, reminder: ModelReminder<'_>) -> Result<ReminderId>;
    /// Replaces the text of a reminder of this session that the user did not write.
    async fn update_reminder(&self, id: ReminderId, content: &str) -> Result<()>;
    /// Removes a reminder of this session that the user did not write.
    async fn delete_reminder(&self, id: ReminderId) -> Result<()>;
    /// Requests a new thread after this reply (D15), with `handoff` carried into it if given. The
    /// request is decided when every call of the reply has ended.
    fn request_clear(&self, handoff: Option<&str>);
}

/// A reminder that the model writes.
#[derive(Debug, Clone, Copy)]
pub struct ModelReminder<'a> {
    pub content: &'a str,
    /// True if it is for every session, not only this one.
    pub everywhere: bool,
    /// True if it is a handoff for the next thread.
    pub continuation: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageAuthor {
    User,
    Model,
    /// The program, in a notice.
    Program,
    /// A file or a tool result, in anybody's message.
    Document,
}

/// A passage of the session's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPassage {
    /// The number of its thread in the session.
    pub thread: u32,
    pub message: MessageId,
    pub author: PassageAuthor,
    /// The text of the passage with some context.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The argument of [`ToolHost::read_result`]: the number of a stored output, or else a key that
    /// identifies the call.
    pub key: String,
    pub tool: String,
    /// The arguments, JSON.
    pub args: String,
    pub chars: u32,
}

#[derive(Clone)]
pub enum SearchBackend {
    Brave {
        /// The API key; shown nowhere.
        key: String,
    },
    Tavily {
        /// The API key; shown nowhere.
        key: String,
    },
    /// A SearXNG instance with its JSON format enabled.
    Searxng {
        /// The address, for example `https://search.example.org`.
        url: String,
    },
}
