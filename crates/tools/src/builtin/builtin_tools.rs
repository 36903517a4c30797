//! The tools that come with the program, in their fixed order.

use std::sync::Arc;

use serde_json::Value;
use skein_context::window::{ToolDeclaration, ToolFamily};
use tokio_util::sync::CancellationToken;

use super::fetch_page::FetchPage;
use super::grep::Grep;
use super::history::{ReadStoredResult, SearchHistory};
use super::list_files::{Glob, ListDirectory};
use super::read_file::ReadFile;
use super::reminders::{AddReminder, ClearMindTool, DeleteReminder, UpdateReminder};
use super::run_command::RunCommand;
use super::web_search::WebSearch;
use super::write_file::{EditFile, WriteFile};
use crate::host::ToolHost;
use crate::{Tool, ToolInvocation, ToolOutcome};

/// The built-in tools of a session. Without a folder there is nothing they could touch; without a
/// search engine nowhere to ask: those are not there at all.
pub fn builtin_tools(desk: &ToolHost) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    if let Some(folder) = &desk.folder {
        let folder = || folder.clone();
        tools.push(Arc::new(ListDirectory { folder: folder() }));
        tools.push(Arc::new(Glob { folder: folder() }));
        tools.push(Arc::new(Grep { folder: folder() }));
        tools.push(Arc::new(ReadFile { folder: folder() }));
        tools.push(Arc::new(WriteFile { folder: folder() }));
        tools.push(Arc::new(EditFile { folder: folder() }));
        tools.push(Arc::new(RunCommand { folder: folder() }));
    }
    tools.push(Arc::new(FetchPage { net: desk.net.clone() }));
    if let Some(engine) = &desk.search {
        tools.push(Arc::new(WebSearch { net: desk.net.clone(), engine: engine.clone() }));
    }
    tools.push(Arc::new(SearchHistory { history: desk.history.clone() }));
    tools.push(Arc::new(ReadStoredResult { results: desk.results.clone() }));
    tools.push(Arc::new(AddReminder { reminders: desk.reminders.clone() }));
    tools.push(Arc::new(UpdateReminder { reminders: desk.reminders.clone() }));
    tools.push(Arc::new(DeleteReminder { reminders: desk.reminders.clone() }));
    tools.push(Arc::new(ClearMindTool { context: desk.context.clone() }));
    tools
}

/// Declares a built-in tool.
pub(crate) fn declare(name: &str, description: &str, parameters: Value) -> ToolDeclaration {
    ToolDeclaration {
        name: name.into(),
        description: description.trim_end().into(),
        parameters,
        family: ToolFamily::BuiltIn,
    }
}

/// Runs work that blocks, on a thread of its own. Cancelled, its result is not waited for; work
/// that goes through many files looks at the token itself.
pub(crate) async fn run_blocking_tool<F>(call: ToolInvocation, work: F) -> ToolOutcome
where
    F: FnOnce(&Value, &CancellationToken) -> Result<String, String> + Send + 'static,
{
    let ToolInvocation { args, cancel, progress: _ } = call;
    let stopped = cancel.clone();
    let done = tokio::task::spawn_blocking(move || work(&args, &stopped));
    tokio::select! {
        done = done => match done {
            Ok(Ok(text)) => ToolOutcome::done(text),
            Ok(Err(message)) => ToolOutcome::failed(message),
            Err(error) => ToolOutcome::failed(error),
        },
        () = cancel.cancelled() => ToolOutcome::failed("Cancelled."),
    }
}
