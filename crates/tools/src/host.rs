//! What the built-in tools need of the rest of the program, as the few operations they use.
//!
//! Each is bound to one session by whoever implements it (`app`, over the store), so that a tool
//! cannot reach another session whatever the model asks for.

use std::sync::Arc;

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ReminderId};
use skein_platform::http::HttpClient;

use crate::files::workspace::Workspace;

/// Everything the built-in tools of one session stand on.
#[derive(Clone)]
pub struct ToolHost {
    /// The folder the user chose; `None`: the file tools and `run_command` are not declared.
    pub folder: Option<Workspace>,
    /// What was said in this session.
    pub history: Arc<dyn History>,
    /// What its tools returned.
    pub results: Arc<dyn StoredResults>,
    /// Its reminders.
    pub reminders: Arc<dyn ReminderStore>,
    /// Its context.
    pub context: Arc<dyn ContextControl>,
    /// The way out.
    pub net: HttpClient,
    /// Where `web_search` asks; `None`: it is not declared.
    pub search: Option<SearchBackend>,
}

/// Searching what was said in this session, whether or not it is still in the context.
#[async_trait]
pub trait History: Send + Sync {
    /// The best `limit` places, in the order they were said.
    async fn search(&self, query: &str, limit: u32) -> Result<Vec<HistoryPassage>>;
}

/// Whose words a passage of the history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageAuthor {
    /// The user.
    User,
    /// The model.
    Model,
    /// The program: a notice.
    Program,
    /// Neither: a file or a tool's result, whoever's message it came with.
    Document,
}

/// A place in the session's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPassage {
    /// The number of its thread within the session.
    pub thread: u32,
    /// Which message.
    pub message: MessageId,
    /// Whose words it is.
    pub author: PassageAuthor,
    /// What was found, with what stands around it.
    pub text: String,
}

/// Reading what the tools of this session returned, long after it left the context.
#[async_trait]
pub trait StoredResults: Send + Sync {
    /// The newest results, newest first.
    async fn list(&self) -> Result<Vec<StoredResult>>;
    /// The whole text of one; `None` if this session has no such result.
    async fn read(&self, key: &str) -> Result<Option<String>>;
}

/// A tool result as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// What [`Results::read`] takes: the number of an output that was kept whole outside the
    /// context, else whatever finds the call again.
    pub key: String,
    /// The tool that returned it.
    pub tool: String,
    /// The arguments it was given, JSON.
    pub args: String,
    /// Its length in characters.
    pub chars: u32,
}

/// Keeping reminders (D13).
#[async_trait]
pub trait ReminderStore: Send + Sync {
    /// Adds one, for this session or for every session.
    async fn add(&self, content: &str, everywhere: bool, continuation: bool) -> Result<ReminderId>;
    /// Replaces the words of one of this session that the user did not write.
    async fn update(&self, id: ReminderId, content: &str) -> Result<()>;
    /// Removes one of this session that the user did not write.
    async fn delete(&self, id: ReminderId) -> Result<()>;
}

/// Beginning a new thread (D15).
#[async_trait]
pub trait ContextControl: Send + Sync {
    /// Notes that the thread shall end after this reply, with `package` kept as the continuation
    /// package if it is given. Whether it does is seen when every call of the reply has ended.
    async fn clear(&self, package: Option<&str>) -> Result<()>;
}

/// Where `web_search` asks.
#[derive(Clone)]
pub enum SearchBackend {
    /// Brave's search API.
    Brave {
        /// Its key; shown nowhere.
        key: String,
    },
    /// Tavily's search API.
    Tavily {
        /// Its key; shown nowhere.
        key: String,
    },
    /// A SearXNG instance with its JSON format enabled.
    Searxng {
        /// Where it is, for example `https://search.example.org`.
        url: String,
    },
}
