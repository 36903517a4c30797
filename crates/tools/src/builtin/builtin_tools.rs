//! The built-in tools, in a fixed order.

use std::sync::Arc;

use skein_platform::http::HttpClient;

use super::fetch_page::FetchPage;
use super::grep::grep;
use super::history::{read_stored_result, search_history};
use super::list_files::{glob, list_directory};
use super::read_file::ReadFile;
use super::reminders::{AddReminder, clear_mind, delete_reminder, update_reminder};
use super::run_command::RunCommand;
use super::web_search::WebSearch;
use super::write_file::{EditFile, WriteFile};
use crate::Tool;
use crate::files::workspace::Workspace;
use crate::host::{SearchBackend, ToolHost};

/// The built-in tools of a session. `folder` is its workspace; `None` leaves out the file tools and
/// `run_command`. `search` is the search engine; `None` leaves out `web_search`.
pub fn builtin_tools(
    folder: Option<&Workspace>,
    host: Arc<dyn ToolHost>,
    net: HttpClient,
    search: Option<SearchBackend>,
) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    if let Some(folder) = folder {
        let folder = || folder.clone();
        tools.push(Arc::new(list_directory(folder())));
        tools.push(Arc::new(glob(folder())));
        tools.push(Arc::new(grep(folder())));
        tools.push(Arc::new(ReadFile { folder: folder() }));
        tools.push(Arc::new(WriteFile { folder: folder() }));
        tools.push(Arc::new(EditFile { folder: folder() }));
        tools.push(Arc::new(RunCommand { folder: folder() }));
    }
    tools.push(Arc::new(FetchPage { net: net.clone() }));
    if let Some(engine) = search {
        tools.push(Arc::new(WebSearch { net, engine }));
    }
    tools.push(Arc::new(search_history(host.clone())));
    tools.push(Arc::new(read_stored_result(host.clone())));
    tools.push(Arc::new(AddReminder { host: host.clone() }));
    tools.push(Arc::new(update_reminder(host.clone())));
    tools.push(Arc::new(delete_reminder(host.clone())));
    tools.push(Arc::new(clear_mind(host)));
    tools
}
