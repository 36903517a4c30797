//! What is written in the place of what a compaction covers: the requests to the model that writes
//! it, and the acceptance of what comes back.
//!
//! Its input is cut into pieces that fit that model's window, and the answers are merged, so that it
//! never fails because the conversation is too long. Not here: calling a model
//! (`runtime::compact`), and facts found without one (`anchors`).

mod accept;
mod job;
mod local;
mod material;
mod title;

pub use accept::{Ending, NotAccepted, Summary, accept, is_thin, says_nothing};
pub use job::{Material, SummaryJob, SummaryRequest, Writer};
pub(crate) use local::excerpt;
pub use local::local_summary;
pub use title::{clean_title, opening, title_request, without_links};
