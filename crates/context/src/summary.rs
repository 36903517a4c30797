//! What is written in the place of what a compaction covers: the requests to the model that writes
//! it, and the acceptance of what comes back.
//!
//! Its input is cut into pieces that fit that model's window, and the answers are merged, so that it
//! never fails because the conversation is too long. Not here: calling a model
//! (`app::compactor`), and facts found without one (`facts`).

mod extractive;
pub mod handoff;
mod job;
mod render;
mod title;
mod validation;

pub(crate) use extractive::excerpt;
pub use extractive::extractive_summary;
pub use job::{SummaryInput, SummaryJob, SummaryModel, SummaryRequest};
pub use title::{clean_title, provisional_title, strip_links, title_request};
pub use validation::{
    Completeness, Summary, SummaryRejection, is_thin, lacks_content, validate_summary,
};
