//! Notes that outlive a thread.

use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::reminder::{Reminder, ReminderScope};

use crate::commands::commands;

commands! {
    /// The reminders that apply in this session, in order.
    fn reminders(session_id: SessionId) -> Vec<Reminder> => store.reminders;

    /// Adds a reminder of the user.
    fn add_reminder(scope: ReminderScope, content: String) -> ReminderId => reminders.add;

    /// Replaces content and scope.
    fn update_reminder(reminder_id: ReminderId, content: String, scope: ReminderScope) -> ()
        => reminders.update;

    /// Deletes a reminder and returns it, so that it can be restored.
    fn delete_reminder(reminder_id: ReminderId) -> Reminder => reminders.delete;

    /// Undoes a deletion.
    fn restore_reminder(gone: Reminder) -> () => reminders.restore;

    /// Sorts reminders in this order.
    fn order_reminders(order: Vec<ReminderId>) -> () => reminders.reorder;
}
