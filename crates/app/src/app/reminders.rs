//! Reminders by the person's hand.

use skein_domain::error::Result;
use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::message::Origin;
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_store::NewReminder;

use super::App;
use crate::events::Topic;

impl App {
    /// Those that hold in a session, in order.
    pub async fn reminders(&self, session: SessionId) -> Result<Vec<Reminder>> {
        self.store.reminders(session).await
    }

    /// The person's own.
    pub async fn add_reminder(&self, scope: ReminderScope, content: String) -> Result<ReminderId> {
        let new = NewReminder {
            content,
            scope,
            origin: Origin::Person,
            continuation: false,
            level: None,
            created_at: self.now(),
        };
        let reminder = self.store.add_reminder(new).await?;
        self.notify_changed([Topic::Reminders {}]);
        Ok(reminder.id)
    }

    /// New words, and where they hold.
    pub async fn update_reminder(
        &self,
        id: ReminderId,
        content: String,
        scope: ReminderScope,
    ) -> Result<()> {
        self.store.update_reminder(id, content, scope, self.now()).await?;
        self.notify_changed([Topic::Reminders {}]);
        Ok(())
    }

    /// Gone; what it was is returned, so that it can be put back.
    pub async fn delete_reminder(&self, id: ReminderId) -> Result<Reminder> {
        let reminder = self.store.delete_reminder(id).await?;
        self.notify_changed([Topic::Reminders {}]);
        Ok(reminder)
    }

    /// Undoes a deletion.
    pub async fn restore_reminder(&self, gone: Reminder) -> Result<()> {
        self.store.restore_reminder(gone).await?;
        self.notify_changed([Topic::Reminders {}]);
        Ok(())
    }

    /// In this order.
    pub async fn order_reminders(&self, order: Vec<ReminderId>) -> Result<()> {
        self.store.order_reminders(order).await?;
        self.notify_changed([Topic::Reminders {}]);
        Ok(())
    }
}
