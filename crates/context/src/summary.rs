//! The summary that replaces the covered messages: the requests to the model that writes it, and the
//! validation of its replies.
//!
//! The input is divided into pieces that fit the model's window, and the replies are merged, so that a
//! summary never fails because the conversation is too long. Not here: calling a model (`app::compactor`),
//! and facts found without one (`facts`).

mod extractive;
pub mod handoff;
mod job;
mod render;
mod title;
mod validation;

pub(crate) use extractive::excerpt;
pub use extractive::extractive_summary;
pub use job::{
    ProviderCompaction, SummaryForm, SummaryInput, SummaryJob, SummaryModel, SummaryRequest,
};
pub use title::{clean_title, provisional_title, strip_links, title_request};
pub use validation::{
    Completeness, Summary, SummaryRejection, is_thin, lacks_content, validate_summary,
};
