//! Assembles the window: the exact request, from the conversation.
//!
//! [`assemble()`] selects the parts and adds up their tokens. It only borrows, so that it is cheap to call.
//! [`Window::prompt`] makes the request once it is to be sent; it shares the messages of the conversation and
//! copies only those that are shortened, joined or written by the program. Both use the same entries, and so
//! do the breakdown and "What the model sees": no second function describes a prompt.
//!
//! Not here: the wire formats of providers (`skein-providers`).

pub mod applied_points;
mod assemble;
mod context_window;
mod deferred_tools;
mod encrypted_items;
mod image_limit;
mod part_selection;
mod prefix;
mod preview;
mod prompt;
mod prompt_entry;
pub mod rounds;
mod superseded_reads;
mod tool_cleaning;
mod window_input;

pub use assemble::assemble;
pub use context_window::{AppliedRange, Window};
pub use deferred_tools::{DeferredTools, defers_tools, described_tool};
pub use encrypted_items::{has_readable_text, item_tokens};
pub use part_selection::{PartSelection, ReasoningReplay, SelectedMessage};
pub use prefix::{
    CountedTool, FixedTokens, Prefix, PrefixSection, SectionKind, SkillEntry, prefix_tokens,
};
pub use preview::{EntryLabel, PreviewEntry, PreviewPart};
pub use prompt::{Prompt, PromptMessage};
pub use prompt_entry::{EntryContent, PromptEntry};
pub use superseded_reads::folder_fingerprint;
pub(crate) use superseded_reads::read_same_file;
pub use tool_cleaning::BATCH_BYTES;
pub(crate) use window_input::path_index;
pub use window_input::{CountedDraft, CountedReminder, HistoryAccess, PointSummary, WindowInput};
