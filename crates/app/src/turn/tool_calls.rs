//! The tool calls of one reply: asked about, run side by side where they only read, and stored at
//! every step.
//!
//! A call that fails, hangs or floods harms nothing but its own result. Not here: what a tool does
//! (`tools`), what comes after the calls (`turn`), or storing later what cannot be stored now
//! (`messages::unstored`).
//!
//! Images that a tool returns are stored; they are counted and sent only if the model is known to see.
//! Otherwise the model reads the line of text that names them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::stream::{FuturesOrdered, StreamExt};
use skein_documents::image_info::ImageFile;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{GrantKey, MessageId, ThreadId};
use skein_domain::message::{ToolCall, ToolState};
use skein_store::Grant;
use skein_tools::permission::{ApprovalDecision, Permission, check_permission};
use skein_tools::tool_set::ToolSet;
use skein_tools::{
    ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome, output_truncation,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::repeated_calls::RepeatedCalls;
use crate::clock::now;
use crate::events::{ApprovalRequest, TurnEvent};
use crate::live::live_session::LiveSession;
use crate::messages::tool_result::ToolResult;
use crate::turn::turn_env::TurnEnv;

/// How often the progress of a call is shown.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// How long a call that is stopped may take to leave nothing behind.
const LETTING_GO: Duration = Duration::from_millis(500);
/// Characters of it that are shown.
const PROGRESS_LIMIT: u32 = 500;

/// Everything the calls of one reply have in common.
pub(super) struct ToolCallRunner<'a> {
    pub env: &'a TurnEnv,
    pub live: &'a LiveSession,
    pub thread: ThreadId,
    pub message_id: MessageId,
    pub toolbox: &'a ToolSet,
    pub cancel: CancellationToken,
    pub repeated: &'a RepeatedCalls,
    /// The first write that failed, and what could not be stored. From then on nothing more is begun.
    pub unstored: Mutex<Option<UnstoredCalls>>,
}

/// Why calls could not be stored, and those of their results that are to be stored first.
pub(super) struct UnstoredCalls {
    pub error: Error,
    pub results: Vec<ToolResult>,
}

impl ToolCallRunner<'_> {
    /// Runs them all and returns them with their final states, in the same order.
    pub async fn run(&self, calls: Vec<ToolCall>) -> Result<Vec<ToolCall>> {
        let mut done = Vec::with_capacity(calls.len());
        let mut readers: Vec<ToolCall> = Vec::new();
        for call in calls {
            if self.only_reads(&call) {
                readers.push(call);
                continue;
            }
            done.extend(self.run_side_by_side(std::mem::take(&mut readers)).await?);
            done.push(self.run_one(call).await?);
        }
        done.extend(self.run_side_by_side(readers).await?);
        Ok(done)
    }

    async fn run_side_by_side(&self, calls: Vec<ToolCall>) -> Result<Vec<ToolCall>> {
        let running: FuturesOrdered<_> = calls.into_iter().map(|call| self.run_one(call)).collect();
        running.collect::<Vec<_>>().await.into_iter().collect()
    }

    fn only_reads(&self, call: &ToolCall) -> bool {
        let tool = self.toolbox.get(&call.name);
        let args = serde_json::from_str(&call.args).ok();
        match (tool, args) {
            (Some(tool), Some(args)) => tool.effect(&args) == ToolEffect::ReadOnly,
            _ => false,
        }
    }

    async fn run_one(&self, mut call: ToolCall) -> Result<ToolCall> {
        let state = match self.final_state(&call).await {
            Ok(state) => self.repeated.record_result(&call, state),
            // The call was not begun: what it waits for could not be stored.
            Err(error) if error.is_unwritable() => {
                self.note_unstored(error, None);
                ToolState::Cancelled {}
            }
            Err(error) => return Err(error),
        };
        match self.enter(&mut call, state.clone()).await {
            Err(error) if error.is_unwritable() => {
                self.note_unstored(error, None);
                self.enter(&mut call, state).await?;
            }
            entered => entered?,
        }
        Ok(call)
    }

    async fn final_state(&self, call: &ToolCall) -> Result<ToolState> {
        if self.lock_unstored().is_some() {
            return Ok(ToolState::Cancelled {});
        }
        match self.may_be_repeated(call).await? {
            Some(ApprovalDecision::Deny) => Ok(ToolState::Denied {}),
            Some(ApprovalDecision::Once | ApprovalDecision::Session | ApprovalDecision::Always) => {
                self.settle(call).await
            }
            None => Ok(ToolState::Cancelled {}),
        }
    }

    fn note_unstored(&self, error: Error, result: Option<ToolResult>) {
        let mut unstored = self.lock_unstored();
        let first = || UnstoredCalls { error, results: Vec::new() };
        unstored.get_or_insert_with(first).results.extend(result);
    }

    fn lock_unstored(&self) -> MutexGuard<'_, Option<UnstoredCalls>> {
        self.unstored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What could not be stored of the calls; `None`: all of it is.
    pub fn into_unstored(self) -> Option<UnstoredCalls> {
        self.unstored.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The user's answer to whether a call that failed time and again is tried once more; `None` when the
    /// turn was stopped instead. A call that did not is simply tried.
    async fn may_be_repeated(&self, call: &ToolCall) -> Result<Option<ApprovalDecision>> {
        let asks = self.repeated.failures_to_approve(call).filter(|_| !self.cancel.is_cancelled());
        let Some(times) = asks else { return Ok(Some(ApprovalDecision::Once)) };
        let question = ApprovalRequest {
            message_id: self.message_id,
            call_id: call.call_id.clone(),
            tool: call.name.clone(),
            effect: ToolEffect::ReadOnly,
            grant: GrantKey::new(call.name.clone()),
            preview: Some(ApprovalPreview::Repeated { times, args: call.args.clone() }),
        };
        self.enter(&mut call.clone(), ToolState::AwaitingApproval {}).await?;
        Ok(self.put(question).await)
    }

    /// From a pending call to its final state.
    async fn settle(&self, call: &ToolCall) -> Result<ToolState> {
        if self.cancel.is_cancelled() {
            return Ok(ToolState::Cancelled {});
        }
        let Some(tool) = self.toolbox.get(&call.name) else {
            let message = format!("There is no tool named {}.", call.name);
            return Ok(ToolState::Failed { message });
        };
        let args = match parse(&call.args) {
            Ok(args) => args,
            Err(message) => return Ok(ToolState::Failed { message }),
        };
        if self.is_allowed(tool.as_ref(), &args).await? {
            return self.execute(call, Arc::clone(tool), args).await;
        }
        // What would come to nothing is not asked about.
        let preview = match tool.preview(&args).await {
            Ok(preview) => preview,
            Err(message) => return Ok(ToolState::Failed { message }),
        };
        match self.ask(call, tool.as_ref(), &args, preview.clone()).await? {
            Some(ApprovalDecision::Deny) => return Ok(ToolState::Denied {}),
            Some(ApprovalDecision::Once | ApprovalDecision::Session | ApprovalDecision::Always) => {
            }
            None => return Ok(ToolState::Cancelled {}),
        }
        if let Some(shown) = &preview
            && let Err(message) = tool.check_preview(&args, shown).await
        {
            return Ok(ToolState::Failed { message });
        }
        self.execute(call, Arc::clone(tool), args).await
    }

    /// Whether the person need not be asked.
    async fn is_allowed(&self, tool: &dyn Tool, args: &serde_json::Value) -> Result<bool> {
        // Read for each call: the answer to the one before may hold for this one, too.
        let session = self.live.session_id;
        let (grants, grant) = (self.env.tool_grants.grants(session).await?, tool.grant(args));
        if check_permission(tool.effect(args), &grant, &grants) == Permission::Allowed {
            return Ok(true);
        }
        match tool.grant_by_name() {
            Some(named) => self.env.tool_grants.has_grant_by_name(session, &named, grant).await,
            None => Ok(false),
        }
    }

    /// The person's answer; `None` when the turn was stopped instead.
    async fn ask(
        &self,
        call: &ToolCall,
        tool: &dyn Tool,
        args: &serde_json::Value,
        mut preview: Option<ApprovalPreview>,
    ) -> Result<Option<ApprovalDecision>> {
        let (effect, grant, named) = (tool.effect(args), tool.grant(args), tool.grant_by_name());
        if let (Some(ApprovalPreview::Foreign { changed, .. }), Some(named)) =
            (&mut preview, &named)
        {
            *changed = self.env.tool_grants.had_grant(self.live.session_id, named).await?;
        }
        let question = ApprovalRequest {
            message_id: self.message_id,
            call_id: call.call_id.clone(),
            tool: call.name.clone(),
            effect,
            grant: grant.clone(),
            preview,
        };
        self.enter(&mut call.clone(), ToolState::AwaitingApproval {}).await?;
        let answer = self.put(question).await;
        match answer {
            Some(ApprovalDecision::Session) => {
                let session = Some(self.live.session_id);
                self.env.tool_grants.save_grant(named, Grant { tool: grant, session }).await?;
            }
            Some(ApprovalDecision::Always) => {
                self.env
                    .tool_grants
                    .save_grant(named, Grant { tool: grant, session: None })
                    .await?;
            }
            Some(ApprovalDecision::Once | ApprovalDecision::Deny) | None => {}
        }
        Ok(answer)
    }

    /// Waits for the person's answer; `None` when the turn is stopped before one. Who shows what the
    /// session is doing hears that it waits for them, and that it does no longer.
    async fn put(&self, question: ApprovalRequest) -> Option<ApprovalDecision> {
        let (session, call_id) = (self.live.session_id, question.call_id.clone());
        let asked = self.live.request_approval(question);
        self.env.notifier.session_changed(session);
        let answer = tokio::select! {
            answer = asked => answer.ok(),
            () = self.cancel.cancelled() => None,
        };
        self.live.approvals.close(&call_id);
        self.env.notifier.session_changed(session);
        answer
    }

    async fn execute(
        &self,
        call: &ToolCall,
        tool: Arc<dyn Tool>,
        args: serde_json::Value,
    ) -> Result<ToolState> {
        let running = ToolState::Running { started_at: now() };
        self.enter(&mut call.clone(), running.clone()).await?;
        let cancel = self.live.calls.register(&call.call_id, &self.cancel);
        let (progress, mut words) = mpsc::unbounded_channel();
        let run = ToolInvocation { args, cancel: cancel.clone(), progress };
        // On a task of its own: a tool that panics must not take the turn with it.
        let mut task = tokio::spawn(async move { tool.run(run).await });
        let (mut latest, mut frame) = (None, tokio::time::interval(PROGRESS_EVERY));
        let outcome = loop {
            tokio::select! {
                ended = &mut task => break Some(ended.unwrap_or_else(|_| ToolOutcome::failed("The tool crashed."))),
                // Some servers tell thousands of times a second: of these the latest is shown.
                Some(word) = words.recv() => latest = Some(output_truncation::truncate_end(&word, PROGRESS_LIMIT)),
                _ = frame.tick(), if latest.is_some() => {
                    self.tell(call, running.clone(), latest.take());
                }
                () = cancel.cancelled() => {
                    task.abort();
                    // What it has started goes with it. One that does not let go is not waited for.
                    let _ = tokio::time::timeout(LETTING_GO, &mut task).await;
                    break None;
                }
            }
        };
        self.live.calls.unregister(&call.call_id);
        match outcome {
            Some(ToolOutcome::Done { text, pictures }) => self.store(call, text, pictures).await,
            // A tool may hear of it first, and end with words about it.
            Some(ToolOutcome::Failed { .. }) if cancel.is_cancelled() => {
                Ok(ToolState::Cancelled {})
            }
            Some(ToolOutcome::Failed { message }) => Ok(ToolState::Failed { message }),
            None => Ok(ToolState::Cancelled {}),
        }
    }

    /// Stores a result. One that cannot be stored stays in memory.
    async fn store(
        &self,
        call: &ToolCall,
        text: String,
        pictures: Vec<ImageFile>,
    ) -> Result<ToolState> {
        let limit = self.toolbox.output_limit(&call.name);
        let (call_id, tool) = (call.call_id.clone(), call.name.clone());
        let result = ToolResult { call_id, tool, limit, text, pictures };
        let (store, attachments) = (&self.env.store, &self.env.attachments);
        match result.store(store, attachments, self.live.session_id, self.thread).await {
            Err(error) if error.is_unwritable() => {
                let state = result.unstored_state();
                self.note_unstored(error, Some(result));
                Ok(state)
            }
            state => state,
        }
    }

    /// Stores a state and shows it; only shows it once something cannot be stored.
    async fn enter(&self, call: &mut ToolCall, state: ToolState) -> Result<()> {
        if self.lock_unstored().is_none() {
            let call_id = call.call_id.clone();
            self.env.store.set_tool_state(self.message_id, call_id, state.clone()).await?;
        }
        self.tell(call, state.clone(), None);
        call.state = state;
        Ok(())
    }

    fn tell(&self, call: &ToolCall, state: ToolState, progress: Option<String>) {
        self.live.stage.send(&TurnEvent::Tool {
            message_id: self.message_id,
            call_id: call.call_id.clone(),
            state,
            progress,
        });
    }
}

/// The arguments as JSON; a call without any is a call with an empty object.
fn parse(args: &str) -> Result<serde_json::Value, String> {
    if args.trim().is_empty() {
        return Ok(serde_json::Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(args)
        .map_err(|error| format!("The arguments are not valid JSON ({error}). Nothing was done."))
}
