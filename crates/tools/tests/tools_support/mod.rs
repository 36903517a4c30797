//! A tool host for tests, and a way to call a tool.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // Each test file uses a part of it.

pub mod mcp;

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, ReminderId};
use skein_platform::http::{HttpClient, NetworkSettings, ProxySetting};
use skein_tools::builtin::builtin_tools;
use skein_tools::files::workspace::Workspace;
use skein_tools::host::{
    HistoryPassage, ModelReminder, PassageAuthor, SearchBackend, StoredResult, ToolHost,
};
use skein_tools::{Tool, ToolInvocation, ToolOutcome};
use tokio_util::sync::CancellationToken;

/// Notes, results and history of one session, in memory.
#[derive(Default)]
pub struct Notebook {
    pub reminders: Mutex<Vec<(i64, String, bool, bool)>>,
    pub cleared: Mutex<Vec<Option<String>>>,
    pub results: Vec<(StoredResult, String)>,
}

#[async_trait]
impl ToolHost for Notebook {
    async fn search_history(&self, query: &str, limit: u32) -> Result<Vec<HistoryPassage>> {
        let told = HistoryPassage {
            thread: 1,
            message: MessageId(7),
            author: PassageAuthor::User,
            text: format!("we said {query}"),
        };
        Ok(vec![told; (limit as usize).min(2)])
    }

    async fn list_results(&self) -> Result<Vec<StoredResult>> {
        Ok(self.results.iter().map(|(result, _)| result.clone()).collect())
    }

    async fn read_result(&self, key: &str) -> Result<Option<String>> {
        Ok(self.results.iter().find(|(result, _)| result.key == key).map(|(_, text)| text.clone()))
    }

    async fn add_reminder(&self, reminder: ModelReminder<'_>) -> Result<ReminderId> {
        let ModelReminder { content, everywhere, continuation } = reminder;
        let mut reminders = self.reminders.lock().unwrap();
        let id = reminders.len() as i64 + 1;
        reminders.push((id, content.into(), everywhere, continuation));
        Ok(ReminderId(id))
    }

    async fn update_reminder(&self, id: ReminderId, content: &str) -> Result<()> {
        let mut reminders = self.reminders.lock().unwrap();
        let found = reminders.iter_mut().find(|reminder| reminder.0 == id.0);
        let found = found.ok_or(Error::NotFound { what: "reminder".into() })?;
        found.1 = content.into();
        Ok(())
    }

    async fn delete_reminder(&self, id: ReminderId) -> Result<()> {
        let mut reminders = self.reminders.lock().unwrap();
        let before = reminders.len();
        reminders.retain(|reminder| reminder.0 != id.0);
        if reminders.len() == before {
            return Err(Error::NotFound { what: "reminder".into() });
        }
        Ok(())
    }

    fn request_clear(&self, handoff: Option<&str>) {
        self.cleared.lock().unwrap().push(handoff.map(str::to_owned));
    }
}

/// The built-in tools of a session with this workspace.
pub fn tools(folder: Option<&Path>, notebook: Arc<Notebook>) -> Vec<Arc<dyn Tool>> {
    tools_with(folder, notebook, None)
}

pub fn tools_with(
    folder: Option<&Path>,
    notebook: Arc<Notebook>,
    search: Option<SearchBackend>,
) -> Vec<Arc<dyn Tool>> {
    let folder = folder.map(|folder| Workspace::open(folder).unwrap());
    builtin_tools::builtin_tools(folder.as_ref(), notebook, net(), search)
}

/// An HTTP client without a proxy.
pub fn net() -> HttpClient {
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    HttpClient::new(&settings, Arc::new(())).unwrap()
}

pub fn named(tools: &[Arc<dyn Tool>], name: &str) -> Arc<dyn Tool> {
    let found = tools.iter().find(|tool| tool.declaration().name == name);
    found.unwrap_or_else(|| panic!("no tool {name}")).clone()
}

/// Calls a tool and waits for the result.
pub async fn call(tool: &Arc<dyn Tool>, args: Value) -> ToolOutcome {
    call_until(tool, args, CancellationToken::new()).await
}

pub async fn call_until(
    tool: &Arc<dyn Tool>,
    args: Value,
    cancel: CancellationToken,
) -> ToolOutcome {
    let (progress, _heard) = tokio::sync::mpsc::unbounded_channel();
    tool.run(ToolInvocation { args, cancel, progress }).await
}

pub fn done(outcome: ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Done { text, .. } => text,
        ToolOutcome::Failed { message } => panic!("failed: {message}"),
    }
}

pub fn failed(outcome: ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Failed { message } => message,
        ToolOutcome::Done { text, .. } => panic!("did not fail: {text}"),
    }
}
