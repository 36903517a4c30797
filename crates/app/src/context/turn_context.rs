//! Everything one call is made of, counted: what the engine borrows to assemble, decide and explain.
//!
//! Not here: how it is gathered (`turn_contexts`), any decision (`gate`), or the acts that follow it
//! (`turn`).

use std::collections::BTreeSet;
use std::sync::Arc;

use skein_context::compaction::{LowHeadroom, low_headroom, pinned_limit, pinned_tokens};
use skein_context::cost::estimate::TokenRange;
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::limits::Limits;
use skein_context::limits::policy::Policy;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{MessageTokens, Tokenizer};
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::{
    CountedDraft, CountedReminder, HistoryAccess, Prefix, Prompt, ReasoningReplay, Window,
    WindowInput, assemble,
};
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::health::HealthLevel;
use skein_domain::message::{ContentPart, OutputCap, OutputCapReason};
use skein_domain::model::{ModelRef, ModelSpec, ReasoningEffort};
use skein_domain::reminder::Reminder;
use skein_domain::session::Session;
use skein_domain::strategy::Strategy;
use skein_store::{MessageParent, Store};
use skein_tools::tool_set::ToolSet;

use super::passages::RetrievedPassages;
use super::thread_cache::LoadedThread;
use crate::view::{BlockReason, PinUsage};

/// Everything one call is made of.
pub(crate) struct TurnContext {
    pub session: Session,
    pub model: ModelRef,
    pub spec: ModelSpec,
    /// How hard the model is asked to think.
    pub effort: ReasoningEffort,
    pub policy: Policy,
    pub limits: Limits,
    pub counter: Arc<TokenCounter>,
    pub loaded: Arc<LoadedThread>,
    /// Where its path ends: what comes of it hangs there.
    pub path_end: MessageParent,
    /// How many compactions of the thread had put their point in place when this was built.
    pub compactions_applied: u32,
    pub toolbox: ToolSet,
    /// Tools of servers that are on and not declared: all servers together have no room for them.
    pub left_out_tools: BTreeSet<String>,
    pub(super) prefix: Arc<Prefix>,
    pub(super) reminders: Vec<Reminder>,
    pub(super) recall: HistoryAccess,
    /// Tokens of the tool that is declared once something has left the context: 0 where it is already, or
    /// never is.
    pub(super) search_tool_tokens: u32,
    pub(super) reasoning_back: ReasoningReplay,
    pub passages: Option<RetrievedPassages>,
}

/// What a call sends.
pub(crate) struct OutgoingPrompt {
    pub prompt: Prompt,
    /// Its tokens, by the own estimate.
    pub tokens: u32,
    /// The longest answer to ask for, in tokens; `None` leaves it to the provider.
    pub max_output: Option<u32>,
    /// Where that is less than the model gives: what for.
    pub shortened: Option<OutputCap>,
}

impl TurnContext {
    /// Tokens of the declarations of tools.
    pub fn tool_tokens(&self) -> u32 {
        self.prefix.tools.iter().fold(0, |sum, tool| sum.saturating_add(tool.tokens))
    }

    /// The tokens that the provider may count where we count so many.
    pub fn provider_tokens(&self, tokens: u32) -> TokenRange {
        let count = TokenCount { tokens, basis: self.counter.basis() };
        TokenRange::around(count, self.counter.error_percent())
    }

    /// Looks at the window, with a draft that is not sent yet.
    pub fn with_window<R>(
        &self,
        draft: Option<(&[ContentPart], &MessageTokens)>,
        look: impl FnOnce(&Window<'_>) -> R,
    ) -> R {
        let counter = self.counter.as_ref();
        let (path, points) = (self.loaded.counted(), self.loaded.covered());
        let reminders: Vec<_> =
            self.reminders.iter().map(|it| CountedReminder::new(counter, it)).collect();
        look(&assemble(WindowInput {
            prefix: &self.prefix,
            path: &path,
            points: &points,
            history_access: &self.recall,
            passages: self.passages.as_ref().map(|passages| &passages.text),
            reminders: &reminders,
            draft: draft.map(|(parts, tokens)| CountedDraft { parts, tokens }),
            policy: &self.policy,
            reasoning_replay: self.reasoning_back,
        }))
    }

    /// What a call sends now.
    pub fn outgoing(&self) -> OutgoingPrompt {
        self.with_window(None, |window| {
            let most = self.spec.max_output.map(|most| most.value);
            let max_output = self.max_output(window.used.tokens);
            let shorter = max_output.filter(|tokens| Some(*tokens) != most);
            OutgoingPrompt {
                prompt: window.prompt(),
                tokens: window.used.tokens,
                max_output,
                shortened: shorter.map(|tokens| OutputCap { tokens, by: OutputCapReason::Window }),
            }
        })
    }

    /// The same, within a limit that a refusal named, whoever else said more of the window. `None`: the
    /// refusal named none.
    pub fn limited_to(mut self, named: Option<u32>) -> Self {
        let window = self.limits.window;
        self.limits.window =
            named.map_or(window, |named| Some(window.map_or(named, |window| window.min(named))));
        self
    }

    /// What the model can give, within what the window leaves.
    pub(super) fn max_output(&self, used: u32) -> Option<u32> {
        let most = self.spec.max_output.map(|most| most.value)?;
        let left = self.limits.window.map(|window| window.saturating_sub(used));
        Some(left.map_or(most, |left| most.min(left.max(256))))
    }

    /// The last report of this thread.
    pub async fn last_report(&self, store: &Store) -> Result<LastReport> {
        let last = store.last_reply(self.loaded.thread.id).await?;
        Ok(last_report(last.as_ref()))
    }

    /// Law 7: the last reply of this thread, while what was reported of it tells of this context: no
    /// point, edit, deletion, clear or change of model came since, nor is something else sent always.
    pub fn current_report(&self, last: Option<Generation>) -> Option<Generation> {
        let report = last_report(last.as_ref());
        let holds = self.with_window(None, |window| report.current(window, &self.model).is_some());
        last.filter(|_| holds)
    }

    /// The stored report that still tells of this context.
    pub async fn reported(&self, store: &Store) -> Result<Option<Generation>> {
        Ok(self.current_report(store.last_reply(self.loaded.thread.id).await?))
    }

    /// Law 7: how this context stands by the report of its last reply; `None`: none holds.
    pub async fn health_level(&self, store: &Store) -> Result<Option<HealthLevel>> {
        let reported = self.reported(store).await?;
        Ok(reported.and_then(|reply| reply.health).map(|health| health.level))
    }

    /// Tokens of the conversation that the provider last said it had cached; 0 where it said nothing
    /// that still holds.
    pub async fn cached_tokens(&self, store: &Store) -> Result<u32> {
        let reported = self.reported(store).await?;
        Ok(reported.and_then(|reply| reply.usage.cached).unwrap_or_default())
    }

    /// Whether compaction by itself has hardly any room to work with.
    pub(super) fn tight(&self) -> Option<BlockReason> {
        let compacts = self.policy.automatic && self.policy.strategy == Strategy::Summarize;
        let tight =
            compacts.then(|| self.with_window(None, |window| low_headroom(window, self.limits)))?;
        tight.map(|LowHeadroom { floor, limit }| BlockReason::Tight { floor, limit })
    }

    /// What the pinned messages take of what they may.
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

/// What a thread's last reply reported of its context.
fn last_report(last: Option<&Generation>) -> LastReport {
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
    LastReport { report: last.and_then(report) }
}
