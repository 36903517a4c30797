//! Reminders by the person's hand.

use skein_domain::error::Result;
use skein_domain::ids::{ReminderId, SessionId};
use skein_domain::message::Origin;
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_store::{NewReminder, Store};

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The reminders as the person keeps them. The model keeps its own by its tools.
pub struct Reminders {
    store: Store,
    notifier: Notifier,
}

impl Reminders {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone() }
    }

    /// Those that hold in a session, in order.
    pub async fn list(&self, session: SessionId) -> Result<Vec<Reminder>> {
        self.store.reminders(session).await
    }

    /// The person's own.
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

    /// New words, and where they hold.
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

    /// Gone; what it was is returned, so that it can be put back.
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

    /// In this order.
    pub async fn reorder(&self, order: Vec<ReminderId>) -> Result<()> {
        self.store.order_reminders(order).await?;
        self.notifier.changed([Topic::Reminders {}]);
        Ok(())
    }
}
