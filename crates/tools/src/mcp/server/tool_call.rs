//! Calls a tool of a server, with a timeout, cancellation, and one repetition after a lost session.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ErrorData, JsonObject,
    ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::McpServer;
use super::connection_handle::ConnectionHandle;
use crate::ToolOutcome;
use crate::error_chain::error_chain;
use crate::mcp::errors::ErrorClass;
use crate::mcp::tool::tool_result;
use crate::mcp::transport::message_check::unreadable;

const CALL_TIMEOUT: Duration = Duration::from_secs(600);
/// The time limit of waiting for a new session.
const SESSION_TIMEOUT: Duration = Duration::from_secs(15);

/// A call without a result.
struct CallFailure {
    error: ServiceError,
    /// The server reported progress, so the call may have had effects and is not repeated.
    has_progress: bool,
}

impl McpServer {
    /// Calls a tool. A cancelled call notifies the server and does not wait.
    pub(in crate::mcp) async fn call(
        &self,
        tool: &str,
        args: JsonObject,
        cancel: CancellationToken,
        progress: UnboundedSender<String>,
    ) -> ToolOutcome {
        let transport_closed =
            || CallFailure { error: ServiceError::TransportClosed, has_progress: false };
        let Some(line) = self.connection() else { return self.conclude(Err(transport_closed())) };
        let called = self.call_once(&line, tool, args.clone(), &cancel, &progress).await;
        let did_nothing = |missed: &CallFailure| {
            !missed.has_progress && self.meaning(&missed.error) == ErrorClass::NoSession
        };
        if !called.as_ref().is_err_and(did_nothing) {
            return self.conclude(called);
        }
        let next = tokio::select! {
            next = tokio::time::timeout(SESSION_TIMEOUT, self.next_line()) => next.ok().flatten(),
            () = cancel.cancelled() => {
                let error = ServiceError::Cancelled { reason: None };
                return self.conclude(Err(CallFailure { error, has_progress: false }));
            }
        };
        match next {
            Some(line) => {
                self.conclude(self.call_once(&line, tool, args, &cancel, &progress).await)
            }
            None => self.conclude(called),
        }
    }

    /// The connection after one whose session is lost.
    async fn next_line(&self) -> Option<ConnectionHandle> {
        let mut connections = self.line.subscribe();
        let is_known = |line: &Option<ConnectionHandle>| {
            line.as_ref().is_some_and(|line| !line.session_lost.is_cancelled())
        };
        connections.wait_for(is_known).await.ok()?.clone()
    }

    async fn call_once(
        &self,
        line: &ConnectionHandle,
        tool: &str,
        args: JsonObject,
        cancel: &CancellationToken,
        progress: &UnboundedSender<String>,
    ) -> Result<CallToolResult, CallFailure> {
        let without_progress = |error| CallFailure { error, has_progress: false };
        let _calling = line.call();
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::no_options();
        let mut missed = line.handler.missed.subscribe();
        let sent = tokio::select! {
            sent = line.peer.send_cancellable_request(request, options) => sent.map_err(without_progress)?,
            () = cancel.cancelled() => {
                return Err(without_progress(ServiceError::Cancelled { reason: None }));
            }
        };
        let progress_guard =
            line.handler.subscribe_progress(sent.progress_token.clone(), progress.clone());
        let mut sent = PendingCall(Some(sent));
        let seconds = self.config.timeout_seconds.map(u64::from).map(Duration::from_secs);
        let timeout = seconds.unwrap_or(CALL_TIMEOUT);
        let answer = tokio::select! {
            answer = sent.answer() => answer,
            () = cancel.cancelled() => Err(ServiceError::Cancelled { reason: None }),
            Ok(()) = missed.changed() => {
                let reason = unreadable(&missed.borrow());
                Err(ServiceError::McpError(ErrorData::parse_error(reason, None)))
            }
            () = tokio::time::sleep(timeout) => Err(ServiceError::Timeout { timeout }),
        };
        let result = match answer {
            Ok(ServerResult::CallToolResult(result)) => Ok(result),
            Ok(_) => Err(ServiceError::UnexpectedResponse),
            Err(error) => Err(error),
        };
        match &result {
            Ok(_) => self.note_accepted(line),
            Err(error) => self.handle_error(line, error),
        }
        result.map_err(|error| CallFailure { error, has_progress: progress_guard.has_progress() })
    }

    fn conclude(&self, called: Result<CallToolResult, CallFailure>) -> ToolOutcome {
        match called.map_err(|missed| missed.error) {
            Ok(answer) => match tool_result::outcome(answer) {
                ToolOutcome::Failed { message } => ToolOutcome::failed(self.log.redact(&message)),
                ToolOutcome::Done { text, pictures } => {
                    ToolOutcome::Done { text: self.log.redact_whole(text), pictures }
                }
            },
            Err(ServiceError::Cancelled { .. }) => ToolOutcome::failed("Cancelled."),
            Err(ServiceError::McpError(error)) => {
                ToolOutcome::failed(self.log.redact(&error.message))
            }
            Err(ServiceError::TransportClosed) => {
                ToolOutcome::failed(format!("The server {} is not running.", self.name()))
            }
            Err(error) => ToolOutcome::failed(self.log.redact(&error_chain(&error))),
        }
    }
}

/// A request in progress. Dropped before its response, it is cancelled at the server.
struct PendingCall(Option<RequestHandle<RoleClient>>);

impl PendingCall {
    async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.0 else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await;
        self.0 = None;
        answer.map_err(|_| ServiceError::TransportClosed)?
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        // Sent without waiting: some servers never confirm a cancellation, and one that does not
        // read would block.
        if let (Some(handle), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(handle.cancel(Some("the call was stopped".into())));
        }
    }
}
