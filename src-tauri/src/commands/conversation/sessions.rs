//! Sessions, and the drafts of their composers.

use skein_app::view::{SessionItem, SessionView, SwitchPreview};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::FolderError;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::WaitingId;
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_store::{DeletedSession, MessageEdit};

use crate::commands::commands;

commands! {
    /// The sessions of the sidebar: pinned ones first, then the latest.
    fn sessions() -> Vec<SessionItem> => sessions.list;

    /// A session in full.
    fn session(session_id: SessionId) -> SessionView => sessions.get;

    /// Marks a session as the one that is shown.
    fn open_session(session_id: SessionId) -> () => sessions.open;

    /// Creates an empty session with the default model.
    fn create_session() -> SessionId => sessions.create;

    /// An unused session, or a new one. Its model stays.
    fn unused_session() -> SessionId => sessions.unused;

    /// The first session of the sidebar; creates one if there is none.
    fn first_session() -> SessionId => sessions.first;

    /// A session with the prompt of a link, or with opened files, in its composer: an unused one, or a
    /// new one.
    fn new_chat(prompt: String, attachments: Vec<Attachment>, model: Option<ModelRef>) -> SessionId
        => sessions.new_chat;

    /// Sets the user's title.
    fn rename_session(session_id: SessionId, title: String) -> () => sessions.rename;

    /// Pins a session to the top of the sidebar, or unpins it.
    fn pin_session(session_id: SessionId, pinned: bool) -> () => sessions.pin;

    /// Deletes sessions, all at once; `restore_sessions` undoes it.
    fn delete_sessions(session_ids: Vec<SessionId>) -> () => sessions.delete;

    /// Undoes a deletion.
    fn restore_sessions(session_ids: Vec<SessionId>) -> () => sessions.restore;

    /// Deleted sessions that can be restored, latest first.
    fn deleted_sessions() -> Vec<DeletedSession> => store.deleted_sessions;

    /// Deletes a deleted session for good.
    fn purge_session(session_id: SessionId) -> () => sessions.purge;

    /// Sets the model of the next message.
    fn set_model(session_id: SessionId, model: ModelRef) -> () => sessions.set_model;

    /// A preview of a switch to another model (US-5).
    fn preview_model(session_id: SessionId, model: ModelRef) -> SwitchPreview
        => sessions.preview_model;

    /// Sets or removes an override of a global setting.
    fn set_override(session_id: SessionId, decided: SessionOverride) -> () => sessions.set_override;

    /// The reason why this session's folder cannot be used; `None` if it can.
    fn folder_fault(session_id: SessionId) -> Option<FolderError> => sessions.folder_fault;

    /// Saves the draft of the composer. The queued message `taken` into it leaves the queue.
    fn save_draft(session_id: SessionId, draft: Draft, taken: Option<WaitingId>) -> ()
        => sessions.save_draft;

    /// Saves the changes of a message that is being edited; an empty edit is deleted.
    fn save_edit(message_id: skein_domain::ids::MessageId, edit: MessageEdit) -> ()
        => sessions.save_edit;

    /// Copies the path to a message into a session of its own.
    fn fork(message_id: MessageId) -> SessionId => sessions.fork;
}
