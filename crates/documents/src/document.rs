//! A document that was read.

use serde::{Deserialize, Serialize};

/// A document that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it says. A line in brackets stands before each page, sheet and slide, so that it can be cited.
    pub text: String,
    /// How many pages, sheets or slides it has; `None` where its kind has none.
    pub pages: Option<u32>,
}
