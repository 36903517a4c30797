//! A desk with nothing on it but a folder, and one way to call a tool.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // Each test file uses a part of it.

pub mod mcp;

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, ReminderId};
use skein_platform::http::{Net, NetworkSettings, ProxySetting};
use skein_tools::desk::{Author, Desk, History, Mind, Passage, Reminders, Results, StoredResult};
use skein_tools::folder::Folder;
use skein_tools::web_search::SearchEngine;
use skein_tools::{Call, Outcome, Tool, builtin};
use tokio_util::sync::CancellationToken;

/// Notes, results and history of one session, held in memory.
#[derive(Default)]
pub struct Notebook {
    pub reminders: Mutex<Vec<(i64, String, bool, bool)>>,
    pub cleared: Mutex<Vec<Option<String>>>,
    pub results: Vec<(StoredResult, String)>,
}

#[async_trait]
impl History for Notebook {
    async fn search(&self, query: &str, limit: u32) -> Result<Vec<Passage>> {
        let told = Passage {
            thread: 1,
            message: MessageId(7),
            author: Author::User,
            text: format!("we said {query}"),
        };
        Ok(vec![told; (limit as usize).min(2)])
    }
}

#[async_trait]
impl Results for Notebook {
    async fn list(&self) -> Result<Vec<StoredResult>> {
        Ok(self.results.iter().map(|(result, _)| result.clone()).collect())
    }

    async fn read(&self, key: &str) -> Result<Option<String>> {
        Ok(self.results.iter().find(|(result, _)| result.key == key).map(|(_, text)| text.clone()))
    }
}

#[async_trait]
impl Reminders for Notebook {
    async fn add(&self, content: &str, everywhere: bool, continuation: bool) -> Result<ReminderId> {
        let mut reminders = self.reminders.lock().unwrap();
        let id = reminders.len() as i64 + 1;
        reminders.push((id, content.into(), everywhere, continuation));
        Ok(ReminderId(id))
    }

    async fn update(&self, id: ReminderId, content: &str) -> Result<()> {
        let mut reminders = self.reminders.lock().unwrap();
        let found = reminders.iter_mut().find(|reminder| reminder.0 == id.0);
        let found = found.ok_or(Error::NotFound { what: "reminder".into() })?;
        found.1 = content.into();
        Ok(())
    }

    async fn delete(&self, id: ReminderId) -> Result<()> {
        let mut reminders = self.reminders.lock().unwrap();
        let before = reminders.len();
        reminders.retain(|reminder| reminder.0 != id.0);
        if reminders.len() == before {
            return Err(Error::NotFound { what: "reminder".into() });
        }
        Ok(())
    }
}

#[async_trait]
impl Mind for Notebook {
    async fn clear(&self, package: Option<&str>) -> Result<()> {
        self.cleared.lock().unwrap().push(package.map(str::to_owned));
        Ok(())
    }
}

/// The built-in tools of a session with that folder.
pub fn tools(folder: Option<&Path>, notebook: Arc<Notebook>) -> Vec<Arc<dyn Tool>> {
    tools_with(folder, notebook, None)
}

pub fn tools_with(
    folder: Option<&Path>,
    notebook: Arc<Notebook>,
    search: Option<SearchEngine>,
) -> Vec<Arc<dyn Tool>> {
    builtin::tools(&Desk {
        folder: folder.map(|folder| Folder::open(folder).unwrap()),
        history: notebook.clone(),
        results: notebook.clone(),
        reminders: notebook.clone(),
        mind: notebook,
        net: net(),
        search,
    })
}

/// The way out, without a proxy.
pub fn net() -> Net {
    let settings = NetworkSettings { proxy: ProxySetting::None {} };
    Net::new(&settings, Arc::new(())).unwrap()
}

pub fn named(tools: &[Arc<dyn Tool>], name: &str) -> Arc<dyn Tool> {
    let found = tools.iter().find(|tool| tool.declaration().name == name);
    found.unwrap_or_else(|| panic!("no tool {name}")).clone()
}

/// Calls a tool and waits for it.
pub async fn call(tool: &Arc<dyn Tool>, args: Value) -> Outcome {
    call_until(tool, args, CancellationToken::new()).await
}

pub async fn call_until(tool: &Arc<dyn Tool>, args: Value, cancel: CancellationToken) -> Outcome {
    let (progress, _heard) = tokio::sync::mpsc::unbounded_channel();
    tool.run(Call { args, cancel, progress }).await
}

pub fn done(outcome: Outcome) -> String {
    match outcome {
        Outcome::Done { text, .. } => text,
        Outcome::Failed { message } => panic!("failed: {message}"),
    }
}

pub fn failed(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed { message } => message,
        Outcome::Done { text, .. } => panic!("did not fail: {text}"),
    }
}
