//! The context of one call, counted: the engine assembles the request from it and decides by it.
//!
//! Not here: collecting it (`turn_contexts`), any decision (`gate`), or applying one (`turn`).

use std::collections::BTreeSet;
use std::sync::Arc;

use skein_context::compaction::{LowHeadroom, low_headroom, pinned_limit, pinned_tokens};
use skein_context::cost::estimate::TokenRange;
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{MessageTokens, Tokenizer};
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::{
    CountedDraft, CountedReminder, HistoryAccess, Prefix, Prompt, ReasoningReplay, Window,
    WindowInput, assemble,
};
use skein_domain::generation::Generation;
use skein_domain::health::HealthLevel;
use skein_domain::message::{ContentPart, OutputCap, OutputCapReason};
use skein_domain::model::{ModelRef, ModelSpec, ReasoningEffort};
use skein_domain::reminder::Reminder;
use skein_domain::session::Session;
use skein_domain::strategy::Strategy;
use skein_store::{MessageParent, PromptView, ThreadStatus};
use skein_tools::tool_set::ToolSet;

use super::loaded_thread::LoadedThread;
use super::passages::RetrievedPassages;
use crate::view::{BlockReason, PinUsage};

/// The context of one call.
pub(crate) struct TurnContext {
    pub session: Session,
    pub model: ModelRef,
    pub spec: ModelSpec,
    /// The reasoning effort that the request asks for.
    pub effort: ReasoningEffort,
    /// How long the provider is asked to keep the prompt.
    pub cache_lifetime: CacheLifetime,
    pub policy: Policy,
    /// When old tool calls leave: as the policy says, or as it costs least.
    pub tool_cleaning: ToolCleaning,
    pub limits: Limits,
    pub counter: Arc<TokenCounter>,
    pub loaded: Arc<LoadedThread>,
    /// The end of the path: the new message becomes its child.
    pub path_end: MessageParent,
    /// The number of compactions of the thread that were applied before this context was built.
    pub compactions_applied: u32,
    pub toolbox: ToolSet,
    /// Tools of MCP servers that are on but not declared, because all servers together exceed their budget.
    pub left_out_tools: BTreeSet<String>,
    pub(super) prefix: Arc<Prefix>,
    pub(super) reminders: Vec<Reminder>,
    /// The stored state of the thread, read together with the session.
    pub(super) status: ThreadStatus,
    pub(super) history_access: HistoryAccess,
    /// Tokens that `search_history` will add when it is first declared; 0 if it is declared already or never
    /// will be.
    pub(super) search_tool_tokens: u32,
    pub(super) reasoning_replay: ReasoningReplay,
    /// The origin of the encrypted summaries that the model reads; `None`: it reads none.
    pub encrypted_origin: Option<String>,
    pub passages: Option<RetrievedPassages>,
}

/// The request of a call.
pub(crate) struct OutgoingPrompt {
    pub prompt: Prompt,
    /// The estimated tokens of the prompt.
    pub tokens: u32,
    /// The longest reply to ask for, in tokens; `None`: the provider decides.
    pub max_output: Option<u32>,
    /// The reason why that is less than the model can give; `None`: it is not less.
    pub shortened: Option<OutputCap>,
}

impl TurnContext {
    /// Tokens of the declarations of tools.
    pub fn tool_tokens(&self) -> u32 {
        self.prefix.tools.iter().fold(0, |sum, tool| sum.saturating_add(tool.tokens))
    }

    /// The least and the most tokens that the provider may count where Skein counts this many.
    pub fn provider_tokens(&self, tokens: u32) -> TokenRange {
        let count = TokenCount { tokens, basis: self.counter.basis() };
        TokenRange::around(count, self.counter.error_percent())
    }

    /// The least and most tokens that the provider may count where Skein counts `range`.
    pub fn provider_range(&self, range: TokenRange) -> TokenRange {
        let (least, most) = (self.provider_tokens(range.least), self.provider_tokens(range.most));
        TokenRange { least: least.least, most: most.most }
    }

    /// Assembles the window and passes it to `look`. `draft` is an unsent message.
    pub fn with_window<R>(
        &self,
        draft: Option<(&[ContentPart], &MessageTokens)>,
        look: impl FnOnce(&Window<'_>) -> R,
    ) -> R {
        let counter = self.counter.as_ref();
        let origin = self.encrypted_origin.as_deref();
        let (path, points) = (self.loaded.counted(), self.loaded.covered(origin));
        let reminders: Vec<_> =
            self.reminders.iter().map(|it| CountedReminder::new(counter, it)).collect();
        look(&assemble(WindowInput {
            prefix: &self.prefix,
            path: &path,
            points: &points,
            history_access: &self.history_access,
            passages: self.passages.as_ref().map(|passages| &passages.text),
            reminders: &reminders,
            draft: draft.map(|(parts, tokens)| CountedDraft { parts, tokens }),
            policy: &self.policy,
            tool_cleaning: self.tool_cleaning,
            reasoning_replay: self.reasoning_replay,
        }))
    }

    /// The request of a call, as it would leave now.
    pub fn outgoing(&self) -> OutgoingPrompt {
        self.with_window(None, |window| {
            let max_output = self.max_output(window.used.tokens);
            OutgoingPrompt {
                prompt: window.prompt(),
                tokens: window.used.tokens,
                max_output,
                shortened: self.output_cap(max_output),
            }
        })
    }

    /// The reason why a longest reply is less than the model can give; `None`: it is not less.
    pub fn output_cap(&self, max_output: Option<u32>) -> Option<OutputCap> {
        let most = self.spec.max_output.map(|most| most.value);
        let shorter = max_output.filter(|tokens| Some(*tokens) != most);
        shorter.map(|tokens| OutputCap { tokens, by: OutputCapReason::Window })
    }

    /// The request of a call now, line by line. `draft` is an unsent message.
    pub fn prompt_view(&self, draft: Option<(&[ContentPart], &MessageTokens)>) -> PromptView {
        let left_out = self.loaded.messages().filter(|message| message.is_left_out()).count();
        self.with_window(draft, |window| PromptView {
            lines: window.preview(),
            total: window.used,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
            removed: 0,
        })
    }

    /// Lowers the window to the limit that an error named; `None`: the error named none.
    pub fn limited_to(mut self, named: Option<u32>) -> Self {
        let window = self.limits.window;
        self.limits.window =
            named.map_or(window, |named| Some(window.map_or(named, |window| window.min(named))));
        self
    }

    /// The longest reply that the model can give and the window has room for, in tokens; `None`: unknown.
    pub fn max_output(&self, used: u32) -> Option<u32> {
        let most = self.spec.max_output.map(|most| most.value)?;
        let left = self.limits.window.map(|window| window.saturating_sub(used));
        Some(left.map_or(most, |left| most.min(left.max(256))))
    }

    /// The provider's last report on this thread.
    pub fn last_report(&self) -> LastReport {
        let report = |last: &Generation| {
            Some(UsageReport {
                message_id: last.message_id?,
                at: last.place?,
                point: last.point,
                prefix: last.prefix.clone(),
                model: last.model.clone(),
                usage: last.usage,
            })
        };
        LastReport { report: self.status.last_reply().and_then(report) }
    }

    /// Law 7: the last reply of this thread, if its report still describes this window. It does not after a
    /// new point, an edit, a deletion, a clear, or a change of the model or of the prefix.
    pub fn reply_reported_in(&self, window: &Window<'_>) -> Option<&Generation> {
        let holds = self.last_report().current(window, &self.model).is_some();
        self.status.last_reply().filter(|_| holds)
    }

    /// The last reply of this thread, if its report still describes this context.
    pub fn reported(&self) -> Option<&Generation> {
        self.with_window(None, |window| self.reply_reported_in(window))
    }

    /// Law 7: the health level of this context by the last report; `None`: no report applies.
    pub fn health_level(&self) -> Option<HealthLevel> {
        Some(self.reported()?.health.as_ref()?.level)
    }

    /// Tokens of the conversation that the provider last reported as cached; 0 if no report applies.
    pub fn cached_tokens(&self) -> u32 {
        self.reported().and_then(|reply| reply.usage.cached).unwrap_or_default()
    }

    /// The reason to show if automatic compaction has hardly any room; `None`: it has room, or is off.
    pub(super) fn low_headroom_reason(&self, window: &Window<'_>) -> Option<BlockReason> {
        let compacts = self.policy.automatic && self.policy.strategy == Strategy::Summarize;
        let tight = compacts.then(|| low_headroom(window, self.limits)).flatten();
        tight.map(|LowHeadroom { floor, limit }| BlockReason::Tight { floor, limit })
    }

    /// The number and the tokens of the pinned messages, and their limit.
    pub fn pin_usage(&self) -> PinUsage {
        let path = self.loaded.counted();
        let pinned = path.iter().filter(|counted| counted.message.is_pinned()).count();
        PinUsage {
            messages: u32::try_from(pinned).unwrap_or(u32::MAX),
            tokens: pinned_tokens(&path),
            limit: pinned_limit(&self.prefix, &self.policy, self.limits),
        }
    }
}
