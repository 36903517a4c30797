//! Notes that outlive a thread.

use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::reminder::{Reminder, Scope};

use crate::commands::{Host, Result};

/// Those that hold in this session, in order.
#[tauri::command]
#[specta::specta]
pub async fn reminders(host: Host<'_>, session_id: SessionId) -> Result<Vec<Reminder>> {
    host.reminders(session_id).await
}

/// The person's own.
#[tauri::command]
#[specta::specta]
pub async fn add_reminder(host: Host<'_>, scope: Scope, content: String) -> Result<ReminderId> {
    host.add_reminder(scope, content).await
}

/// New words, and where they hold.
#[tauri::command]
#[specta::specta]
pub async fn update_reminder(
    host: Host<'_>,
    reminder_id: ReminderId,
    content: String,
    scope: Scope,
) -> Result<()> {
    host.update_reminder(reminder_id, content, scope).await
}

/// Gone; what it was comes back, so that it can be restored.
#[tauri::command]
#[specta::specta]
pub async fn delete_reminder(host: Host<'_>, reminder_id: ReminderId) -> Result<Reminder> {
    host.delete_reminder(reminder_id).await
}

/// Undoes a deletion.
#[tauri::command]
#[specta::specta]
pub async fn restore_reminder(host: Host<'_>, gone: Reminder) -> Result<()> {
    host.restore_reminder(gone).await
}

/// In this order.
#[tauri::command]
#[specta::specta]
pub async fn order_reminders(host: Host<'_>, order: Vec<ReminderId>) -> Result<()> {
    host.order_reminders(order).await
}
