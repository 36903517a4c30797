//! Notes that outlive a thread.

use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::reminder::{Reminder, ReminderScope};

use crate::commands::{AppState, Result};

/// The reminders that apply in this session, in order.
#[tauri::command]
#[specta::specta]
pub async fn reminders(host: AppState<'_>, session_id: SessionId) -> Result<Vec<Reminder>> {
    host.reminders.list(session_id).await
}

/// Adds a reminder of the user.
#[tauri::command]
#[specta::specta]
pub async fn add_reminder(
    host: AppState<'_>,
    scope: ReminderScope,
    content: String,
) -> Result<ReminderId> {
    host.reminders.add(scope, content).await
}

/// Replaces content and scope.
#[tauri::command]
#[specta::specta]
pub async fn update_reminder(
    host: AppState<'_>,
    reminder_id: ReminderId,
    content: String,
    scope: ReminderScope,
) -> Result<()> {
    host.reminders.update(reminder_id, content, scope).await
}

/// Deletes a reminder and returns it, so that it can be restored.
#[tauri::command]
#[specta::specta]
pub async fn delete_reminder(host: AppState<'_>, reminder_id: ReminderId) -> Result<Reminder> {
    host.reminders.delete(reminder_id).await
}

/// Undoes a deletion.
#[tauri::command]
#[specta::specta]
pub async fn restore_reminder(host: AppState<'_>, gone: Reminder) -> Result<()> {
    host.reminders.restore(gone).await
}

/// Sorts reminders in this order.
#[tauri::command]
#[specta::specta]
pub async fn order_reminders(host: AppState<'_>, order: Vec<ReminderId>) -> Result<()> {
    host.reminders.reorder(order).await
}
