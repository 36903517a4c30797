//! The built-in tools, one module for each group.

pub mod builtin_tools;
pub(crate) mod declare;
pub mod describe_and_call_tool;
pub mod fetch_page;
pub(crate) mod grep;
pub(crate) mod history;
pub(crate) mod list_files;
pub(crate) mod read_file;
pub(crate) mod reminders;
pub(crate) mod run_command;
pub mod web_search;
pub(crate) mod write_file;
