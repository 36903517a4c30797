//! Tables of message content: parts, bytes, tool outputs, token counts; and the requests of replies.

pub(crate) mod blobs;
mod cache_misses;
pub(crate) mod first_line;
pub(crate) mod generations;
pub(crate) mod parts;
pub(crate) mod read_access;
pub(crate) mod requests;
pub(crate) mod scaled_images;
pub(crate) mod stream_chunks;
pub(crate) mod token_counts;
pub(crate) mod tool_outputs;
