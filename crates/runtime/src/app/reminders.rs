//! Reminders by the person's hand.

use skein_context::message::Origin;
use skein_context::reminder::{Reminder, ReminderId, Scope};
use skein_context::session::SessionId;

use super::App;
use crate::error::Result;
use crate::events::Topic;
use crate::store::NewReminder;

impl App {
    /// Those that hold in a session, in order.
    pub async fn reminders(&self, session: SessionId) -> Result<Vec<Reminder>> {
        self.store.reminders(session).await
    }

    /// The person's own.
    pub async fn add_reminder(&self, scope: Scope, content: String) -> Result<ReminderId> {
        let new = NewReminder {
            content,
            scope,
            origin: Origin::Person,
            continuation: false,
            created_at: self.now(),
        };
        let reminder = self.store.add_reminder(new).await?;
        self.changed([Topic::Reminders {}]);
        Ok(reminder.id)
    }

    /// New words.
    pub async fn update_reminder(&self, id: ReminderId, content: String) -> Result<()> {
        self.store.update_reminder(id, content, self.now()).await?;
        self.changed([Topic::Reminders {}]);
        Ok(())
    }

    /// Gone; what it said is returned, so that it can be added again.
    pub async fn delete_reminder(&self, id: ReminderId) -> Result<Reminder> {
        let reminder = self.store.delete_reminder(id).await?;
        self.changed([Topic::Reminders {}]);
        Ok(reminder)
    }

    /// In this order.
    pub async fn order_reminders(&self, order: Vec<ReminderId>) -> Result<()> {
        self.store.order_reminders(order).await?;
        self.changed([Topic::Reminders {}]);
        Ok(())
    }
}
