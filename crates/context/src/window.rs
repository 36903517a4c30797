//! What the model will see: one function from the conversation to the exact request.
//!
//! [`assemble()`] chooses and adds up, borrowing everything, so that asking costs next to nothing;
//! [`Window::prompt`] makes the request itself, once it is to be sent, of the conversation's own
//! messages: only one that is cleaned, joined or written here is made anew. Both come from the same
//! lines, and so do the breakdown and "What the model sees": there is no second account of a prompt.
//!
//! Not here: how a provider spells it on the wire (`skein-providers`).

mod assemble;
mod context_window;
mod image_budget;
mod part_selection;
mod prefix;
mod preview;
mod prompt;
mod prompt_entry;
pub mod rounds;
mod window_input;

pub use assemble::assemble;
pub use context_window::Window;
pub use part_selection::{PartSelection, ReasoningReplay, SelectedMessage};
pub use prefix::{
    CountedTool, FixedTokens, Prefix, PrefixSection, SectionKind, SkillEntry, prefix_tokens,
};
pub use preview::{EntryLabel, PreviewEntry, PreviewPart};
pub use prompt::{Prompt, PromptMessage};
pub use prompt_entry::{EntryContent, PromptEntry};
pub(crate) use window_input::path_index;
pub use window_input::{CountedDraft, CountedReminder, HistoryAccess, PointSummary, WindowInput};
