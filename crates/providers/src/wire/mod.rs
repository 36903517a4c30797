//! The parts that wire formats share: the trait that each implements, a conversation as role turns,
//! and the reading of a streamed reply.

mod billing;
pub(crate) mod decoder_state;
pub(crate) mod deferred_tool_calls;
pub(crate) mod function_tool;
pub(crate) mod image_encoding;
pub(crate) mod openai_cache;
pub(crate) mod part_text;
pub(crate) mod reasoning_effort;
pub(crate) mod response_decoder;
pub(crate) mod role_turn_builder;
pub(crate) mod role_turns;
pub(crate) mod sse;
pub(crate) mod stream_reader;
pub(crate) mod think_tags;
pub(crate) mod wire_format;
