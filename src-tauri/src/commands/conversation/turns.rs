//! Sending messages, stopping, and answering questions of a turn.

use skein_app::events::TurnEvent;
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::TurnEnd;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::{QueuedMessage, WaitingId};
use skein_domain::model::ModelRef;
use skein_tools::permission::ApprovalDecision;
use tauri::ipc::Channel;

use crate::commands::commands;
use crate::event_channel::event_sink;

commands! {
    /// Sends a message. The promise resolves when the turn ends.
    fn send(session_id: SessionId, message: Draft, channel: Channel<TurnEvent>) -> TurnEnd
        => turns.run(session_id, message, event_sink(channel));

    /// Sends an edited message as a sibling of the original.
    fn resend(
        session_id: SessionId,
        edited: MessageId,
        message: Draft,
        channel: Channel<TurnEvent>,
    ) -> TurnEnd => turns.run(session_id, TurnStart::Resend { edited, message }, event_sink(channel));

    /// Requests another reply to the same message, as a sibling of this one, by the session's model or
    /// once by another.
    fn regenerate(
        session_id: SessionId,
        answer: MessageId,
        by: Option<ModelRef>,
        channel: Channel<TurnEvent>,
    ) -> TurnEnd => turns.run(session_id, TurnStart::Regenerate { answer, with: by }, event_sink(channel));

    /// Continues from the end of the path, after a limit, an interruption or an error.
    fn continue_reply(session_id: SessionId, channel: Channel<TurnEvent>) -> TurnEnd
        => turns.run(session_id, TurnStart::Continue, event_sink(channel));

    /// Queues the composer's content behind the running turn; false if none is running.
    fn wait_behind(session_id: SessionId, message: Draft) -> bool => turns.queue;

    /// Sends the queued messages, one after the other.
    fn send_waiting(session_id: SessionId, channel: Channel<TurnEvent>) -> TurnEnd
        => turns.run(session_id, TurnStart::Queued, event_sink(channel));

    /// Removes a message from the queue.
    fn remove_waiting(session_id: SessionId, waiting_id: WaitingId) -> () => turns.remove_queued;

    /// Puts a removed message back at its place in the queue.
    fn restore_waiting(session_id: SessionId, taken: QueuedMessage) -> () => turns.restore_queued;

    /// Watches a running turn until it ends; false at once if none is running.
    fn watch(session_id: SessionId, channel: Channel<TurnEvent>) -> bool
        => turns.watch(session_id, event_sink(channel));

    /// Stops the turn; received text is kept.
    fn stop(session_id: SessionId) -> () => turns.stop;

    /// Answers the question about a tool call.
    fn answer_tool(session_id: SessionId, call_id: String, answer: ApprovalDecision) -> ()
        => turns.answer_tool;

    /// Stops one running tool.
    fn cancel_tool(session_id: SessionId, call_id: String) -> () => turns.cancel_tool;
}
