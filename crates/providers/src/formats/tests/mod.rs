//! Requests and replies of all wire formats.

mod billed_replies;
mod cache_fields;
mod compaction;
mod conversation;
mod decoded_reply;
mod deferred_tools;
mod encrypted_compaction;
mod golden_effort;
mod golden_reasoning;
mod golden_requests;
mod golden_tool_calls;
mod growing_conversation;
mod price_list;
mod recorded_streams;
mod streamed_replies;
mod streamed_usage;
