//! The tools that come with the program, in their fixed order.

use std::sync::Arc;

use super::fetch_page::FetchPage;
use super::grep::Grep;
use super::history::{ReadStoredResult, SearchHistory};
use super::list_files::{Glob, ListDirectory};
use super::read_file::ReadFile;
use super::reminders::{AddReminder, ClearMindTool, DeleteReminder, UpdateReminder};
use super::run_command::RunCommand;
use super::web_search::WebSearch;
use super::write_file::{EditFile, WriteFile};
use crate::Tool;
use crate::host::ToolHost;

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
