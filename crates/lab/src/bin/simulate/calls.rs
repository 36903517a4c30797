//! The calls of a conversation, in the tokens of their servers.

/// A call, in the tokens of its server.
#[derive(Debug, Clone, Copy)]
pub enum Call {
    Reply(ReplyCall),
    Summary(SummaryCall),
}

#[derive(Debug, Clone, Copy)]
pub struct ReplyCall {
    /// Seconds since the call before it.
    pub pause: u32,
    pub prompt: u32,
    /// The beginning that it has in common with the prompt of the call before it.
    pub common: u32,
    /// The ends of the beginnings that a provider is asked to write to its cache, where it waits to be
    /// asked: system prompt and tools, what stays, and in a tool loop all of it.
    pub breakpoints: [u32; 3],
    /// Tokens of summary and facts, which stand right behind system prompt and tools.
    pub kept: u32,
    /// The answer; 0: the call was refused.
    pub output: u32,
}

#[derive(Debug, Clone, Copy)]
pub struct SummaryCall {
    /// The prompt of one that is sent the messages anew.
    pub fresh: u32,
    /// The prompt of one that goes on with the conversation itself; `None`: it lacks something.
    pub in_place: Option<u32>,
    /// Tokens that the summary stands for.
    pub replaced: u32,
    pub output: u32,
}
