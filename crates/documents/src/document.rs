//! The text extracted from a document.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The text. A line in brackets precedes each page, sheet and slide, so that the model can cite
    /// it.
    pub text: String,
    /// The number of pages, sheets or slides; `None` if documents of this kind have none.
    pub pages: Option<u32>,
}
