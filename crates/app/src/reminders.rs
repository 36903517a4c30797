//! The reminders that the user writes and edits.
//!
//! Not here: the reminders that the model writes with its tools (`skein_tools`).

use skein_domain::error::Result;
use skein_domain::ids::ReminderId;
use skein_domain::message::Origin;
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_store::{NewReminder, Store};

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The reminders of all sessions, as the user manages them.
pub struct Reminders {
    store: Store,
    notifier: Notifier,
}

impl Reminders {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone() }
    }

    /// Adds a reminder of the user.
    pub async fn add(&self, scope: ReminderScope, content: String) -> Result<ReminderId> {
        let new = NewReminder {
            content,
            scope,
            origin: Origin::Person,
            continuation: false,
            level: None,
            created_at: now(),
        };
        let reminder = self.store.add_reminder(new).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(reminder.id)
    }

    /// Changes the text and the scope of a reminder.
    pub async fn update(
        &self,
        id: ReminderId,
        content: String,
        scope: ReminderScope,
    ) -> Result<()> {
        self.store.update_reminder(id, content, scope, now()).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(())
    }

    /// Deletes a reminder and returns it, so that it can be restored.
    pub async fn delete(&self, id: ReminderId) -> Result<Reminder> {
        let reminder = self.store.delete_reminder(id).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(reminder)
    }

    pub async fn restore(&self, gone: Reminder) -> Result<()> {
        self.store.restore_reminder(gone).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(())
    }

    /// Sorts the reminders in this order.
    pub async fn reorder(&self, order: Vec<ReminderId>) -> Result<()> {
        self.store.order_reminders(order).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(())
    }
}
