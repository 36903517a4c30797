//! The tool calls of one reply: approved by the user where needed, run in parallel where they only read, and
//! stored at every step.
//!
//! A call that fails, hangs or returns too much affects only its own result. Not here: the tools (`tools`),
//! the work after the calls (`turn`), or storing later what cannot be stored now (`messages::unstored`).
//!
//! Images that a tool returns are stored. They are counted and sent only if the model is known to take
//! images; otherwise the model reads the line of text that names them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::stream::{FuturesOrdered, StreamExt};
use skein_context::window::folder_fingerprint;
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

/// Interval between updates of a call's progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// Time that a stopped call gets to clean up.
const CANCEL_GRACE: Duration = Duration::from_millis(500);
/// Length of a progress text as it is shown, in characters.
const PROGRESS_LIMIT: u32 = 500;

/// The data that the calls of one reply share.
pub(super) struct ToolCallRunner<'a> {
    pub env: &'a TurnEnv,
    pub live: &'a LiveSession,
    pub thread: ThreadId,
    pub message_id: MessageId,
    pub toolbox: &'a ToolSet,
    pub cancel: CancellationToken,
    pub repeated: &'a RepeatedCalls,
    /// The first write that failed, and the results that could not be stored. After it no call begins.
    pub unstored: Mutex<Option<UnstoredCalls>>,
}

/// The error that keeps results from being stored, and these results in the order to store them.
pub(super) struct UnstoredCalls {
    pub error: Error,
    pub results: Vec<ToolResult>,
}

impl ToolCallRunner<'_> {
    /// Runs the calls. Returns them with their final states, in the same order.
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
            // The call did not begin: its state before the run could not be stored.
            Err(error) if error.is_unwritable() => {
                self.note_unstored(error, None);
                ToolState::Cancelled {}
            }
            Err(error) => return Err(error),
        };
        match self.set_state(&mut call, state.clone()).await {
            Err(error) if error.is_unwritable() => {
                self.note_unstored(error, None);
                self.set_state(&mut call, state).await?;
            }
            entered => entered?,
        }
        Ok(call)
    }

    async fn final_state(&self, call: &ToolCall) -> Result<ToolState> {
        if self.lock_unstored().is_some() {
            return Ok(ToolState::Cancelled {});
        }
        match self.approve_repetition(call).await? {
            Some(ApprovalDecision::Deny) => Ok(ToolState::Denied {}),
            Some(ApprovalDecision::Once | ApprovalDecision::Session | ApprovalDecision::Always) => {
                self.approve_and_run(call).await
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

    /// The results that could not be stored; `None`: all were stored.
    pub fn into_unstored(self) -> Option<UnstoredCalls> {
        self.unstored.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the user before a call that failed repeatedly runs again; other calls are approved at once.
    /// `None`: the turn was stopped before an answer.
    async fn approve_repetition(&self, call: &ToolCall) -> Result<Option<ApprovalDecision>> {
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
        self.set_state(&mut call.clone(), ToolState::AwaitingApproval {}).await?;
        Ok(self.wait_for_answer(question).await)
    }

    /// Takes a pending call to its final state: checks, asks the user if needed, and runs it.
    async fn approve_and_run(&self, call: &ToolCall) -> Result<ToolState> {
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
        if let Some(message) = self.toolbox.argument_error(&call.name, &args) {
            return Ok(ToolState::Failed { message });
        }
        if self.is_allowed(tool.as_ref(), &args).await? {
            return self.execute(call, Arc::clone(tool), args).await;
        }
        // A call that would fail is not put to the user.
        let preview = match tool.preview(&args).await {
            Ok(preview) => preview,
            Err(message) => return Ok(ToolState::Failed { message }),
        };
        match self.ask_for_approval(call, tool.as_ref(), &args, preview.clone()).await? {
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

    /// True if a grant or the tool's effect allows the call without a question.
    async fn is_allowed(&self, tool: &dyn Tool, args: &serde_json::Value) -> Result<bool> {
        // The grants are read for each call: the answer to the call before may have added one.
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

    /// The user's answer; `None`: the turn was stopped before one.
    async fn ask_for_approval(
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
        self.set_state(&mut call.clone(), ToolState::AwaitingApproval {}).await?;
        let answer = self.wait_for_answer(question).await;
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

    /// Shows a question and waits for the user's answer; `None`: the turn was stopped before one. The sidebar
    /// hears that the session waits for the user, and when it no longer does.
    async fn wait_for_answer(&self, question: ApprovalRequest) -> Option<ApprovalDecision> {
        let (session, call_id) = (self.live.session_id, question.call_id.clone());
        let decision = self.live.request_approval(question);
        self.env.notifier.session_changed(session);
        let answer = tokio::select! {
            answer = decision => answer.ok(),
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
        self.set_state(&mut call.clone(), running.clone()).await?;
        let cancel = self.live.calls.register(&call.call_id, &self.cancel);
        let (progress, mut progress_texts) = mpsc::unbounded_channel();
        let folder = tool.folder().map(|it| folder_fingerprint(it.as_os_str().as_encoded_bytes()));
        let run = ToolInvocation { args, cancel: cancel.clone(), progress };
        // On a task of its own: a tool that panics must not take the turn with it.
        let mut task = tokio::spawn(async move { tool.run(run).await });
        let (mut latest, mut frame) = (None, tokio::time::interval(PROGRESS_INTERVAL));
        let outcome = loop {
            tokio::select! {
                ended = &mut task => break Some(ended.unwrap_or_else(|_| ToolOutcome::failed("The tool crashed."))),
                // Some servers report progress thousands of times a second: only the latest is shown.
                Some(word) = progress_texts.recv() => latest = Some(output_truncation::truncate_end(&word, PROGRESS_LIMIT)),
                _ = frame.tick(), if latest.is_some() => {
                    self.send_state(call, running.clone(), latest.take());
                }
                () = cancel.cancelled() => {
                    task.abort();
                    // The abort ends what the tool started. A tool that does not react is left behind.
                    let _ = tokio::time::timeout(CANCEL_GRACE, &mut task).await;
                    break None;
                }
            }
        };
        self.live.calls.unregister(&call.call_id);
        match outcome {
            Some(ToolOutcome::Done { text, pictures }) => {
                self.store_result(call, text, pictures, folder).await
            }
            // A tool may notice the cancellation itself and end with an error about it.
            Some(ToolOutcome::Failed { .. }) if cancel.is_cancelled() => {
                Ok(ToolState::Cancelled {})
            }
            Some(ToolOutcome::Failed { message }) => Ok(ToolState::Failed { message }),
            None => Ok(ToolState::Cancelled {}),
        }
    }

    /// Stores a result. If the store refuses it, it stays in memory.
    async fn store_result(
        &self,
        call: &ToolCall,
        text: String,
        pictures: Vec<ImageFile>,
        folder: Option<String>,
    ) -> Result<ToolState> {
        let limit = self.toolbox.output_limit(&call.name);
        let (call_id, tool) = (call.call_id.clone(), call.name.clone());
        let result = ToolResult { call_id, tool, limit, text, pictures, folder };
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

    /// Stores a state and shows it. After a failed write it only shows it.
    async fn set_state(&self, call: &mut ToolCall, state: ToolState) -> Result<()> {
        if self.lock_unstored().is_none() {
            let call_id = call.call_id.clone();
            self.env.store.set_tool_state(self.message_id, call_id, state.clone()).await?;
        }
        self.send_state(call, state.clone(), None);
        call.state = state;
        Ok(())
    }

    fn send_state(&self, call: &ToolCall, state: ToolState, progress: Option<String>) {
        self.live.stage.send(&TurnEvent::Tool {
            message_id: self.message_id,
            call_id: call.call_id.clone(),
            state,
            progress,
        });
    }
}

/// The arguments as JSON; empty arguments become an empty object.
fn parse(args: &str) -> Result<serde_json::Value, String> {
    if args.trim().is_empty() {
        return Ok(serde_json::Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str(args)
        .map_err(|error| format!("The arguments are not valid JSON ({error}). Nothing was done."))
}
