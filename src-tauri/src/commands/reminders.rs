//! Notes that outlive a thread.

use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::reminder::{Reminder, ReminderScope};

use crate::commands::{AppState, Result};

/// Those that hold in this session, in order.
#[tauri::command]
#[specta::specta]
pub async fn reminders(host: AppState<'_>, session_id: SessionId) -> Result<Vec<Reminder>> {
    host.reminders(session_id).await
}

/// The person's own.
#[tauri::command]
#[specta::specta]
pub async fn add_reminder(
    host: AppState<'_>,
    scope: ReminderScope,
    content: String,
) -> Result<ReminderId> {
    host.add_reminder(scope, content).await
}

/// New words, and where they hold.
#[tauri::command]
#[specta::specta]
pub async fn update_reminder(
    host: AppState<'_>,
    reminder_id: ReminderId,
    content: String,
    scope: ReminderScope,
) -> Result<()> {
    host.update_reminder(reminder_id, content, scope).await
}

/// Gone; what it was comes back, so that it can be restored.
#[tauri::command]
#[specta::specta]
pub async fn delete_reminder(host: AppState<'_>, reminder_id: ReminderId) -> Result<Reminder> {
    host.delete_reminder(reminder_id).await
}

/// Undoes a deletion.
#[tauri::command]
#[specta::specta]
pub async fn restore_reminder(host: AppState<'_>, gone: Reminder) -> Result<()> {
    host.restore_reminder(gone).await
}

/// In this order.
#[tauri::command]
#[specta::specta]
pub async fn order_reminders(host: AppState<'_>, order: Vec<ReminderId>) -> Result<()> {
    host.order_reminders(order).await
}
