//! Full-text search over messages and titles.

pub(crate) mod bm25;
pub(crate) mod full_text_search;
pub(crate) mod search_candidates;
pub(crate) mod search_document;
pub(crate) mod search_index;
pub(crate) mod search_query;
pub(crate) mod search_snippet;
pub(crate) mod term_counter;
