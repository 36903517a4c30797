//! A prompt as its provider's cache sees it: which tokens begin as those of the prompt before.

use skein_context::limits::scale;
use skein_context::window::{EntryContent, PartSelection};
use skein_domain::message::{ContentPart, Role, ToolState};

use crate::calls::{Call, ReplyCall};
use crate::server::Server;
use crate::thread::Thread;

/// A prompt as it was sent, in the program's tokens.
#[derive(Debug, Default)]
pub struct SentPrompt {
    /// All of it, before what the reports have taught.
    pub sent: u32,
    /// Tokens of system prompt and tools.
    pub always: u32,
    /// An identity of the bytes of each entry behind them, and its tokens.
    pub entries: Vec<(u64, u32)>,
    /// How many entries stay.
    pub stable: usize,
    /// Tokens of summary and facts.
    pub kept: u32,
    /// True where the answer to a tool's result is asked for.
    pub is_loop: bool,
}

impl SentPrompt {
    /// The call that sends it behind another prompt.
    pub fn call(&self, before: &Self, server: Server, pause: u32, output: u32) -> Call {
        let all = self.tokens(self.entries.len());
        let pairs = self.entries.iter().zip(&before.entries);
        let equal = pairs.take_while(|(one, other)| one.0 == other.0).count();
        let common = if before.always == 0 { 0 } else { self.tokens(equal) };
        let prompt = server.counts(self.sent);
        let part = |tokens: u32| scale(prompt, tokens, all);
        let last = if self.is_loop { all } else { 0 };
        Call::Reply(ReplyCall {
            pause,
            prompt,
            common: part(common),
            breakpoints: [self.always, self.tokens(self.stable), last].map(part),
            kept: part(self.kept),
            output,
        })
    }

    /// Tokens of system prompt, tools and so many entries.
    fn tokens(&self, entries: usize) -> u32 {
        self.always + self.entries.iter().take(entries).map(|entry| entry.1).sum::<u32>()
    }
}

impl Thread {
    /// The request, as its provider's cache sees it.
    pub fn request(&self) -> SentPrompt {
        let kept = |content: &EntryContent<'_>| {
            matches!(content, EntryContent::Summary { .. } | EntryContent::Facts { .. })
        };
        let last = self.messages.last().map(|said| said.message.role);
        self.see(|window| {
            let lines = window.entries.iter();
            let standing = lines.clone().filter(|line| kept(&line.content));
            SentPrompt {
                sent: self.sent(),
                always: self.calibration.apply(self.always),
                kept: standing.map(|line| line.tokens).sum(),
                entries: lines.map(|line| (identity(&line.content), line.tokens)).collect(),
                stable: window.stable_entries,
                is_loop: last == Some(Role::Assistant),
            }
        })
    }
}

/// Differs where the bytes of two entries do.
fn identity(content: &EntryContent<'_>) -> u64 {
    let (id, variant) = match content {
        EntryContent::Message { sent, .. } | EntryContent::Pinned { sent, .. } => {
            let keep = match sent.selection {
                PartSelection::Everything | PartSelection::WithoutReasoning => 0,
                PartSelection::WithoutReasoningAndTools => 1,
            };
            let calls = sent.counted.message.parts.iter().filter_map(ContentPart::as_call);
            let withheld = calls.filter(|call| match &call.state {
                ToolState::Done { output } => output.withheld,
                _ => false,
            });
            (sent.counted.message.id.0, keep + 2 * u64::from(withheld.count() > 0))
        }
        EntryContent::Summary { covered, .. } => (covered.point.id.0, 4),
        EntryContent::Facts { .. } => (0, 5),
        EntryContent::Opening => (0, 6),
        EntryContent::SearchHint { .. }
        | EntryContent::Passages { .. }
        | EntryContent::Reminder { .. }
        | EntryContent::Draft { .. }
        | EntryContent::ContinueReply { .. } => (0, 7),
    };
    id.unsigned_abs() * 8 + variant
}
