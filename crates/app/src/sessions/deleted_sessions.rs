//! Deletes sessions, restores them, and purges them.

use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_store::DELETION_LIFETIME;

use super::Sessions;
use crate::clock::now;
use crate::events::Topic;
use crate::threads::thread_archive;

impl Sessions {
    /// Deletes sessions. Running turns and side questions in them are stopped, because nobody would see their
    /// results.
    pub async fn delete(&self, ids: Vec<SessionId>) -> Result<()> {
        let running = self.live_sessions.all();
        for live in ids.iter().filter_map(|id| running.get(id)) {
            live.turn.stop();
            live.compaction.cancel();
            live.side_question.stop();
        }
        self.store.delete_sessions(ids.clone(), now()).await?;
        self.notifier.sessions_changed(ids);
        Ok(())
    }

    /// Purges what was deleted a month ago: the files of archived threads first, because only the database
    /// knows their sessions. A session whose file cannot be removed stays for now. The time of the newest
    /// message limits the clock, so that a wrong clock purges nothing early.
    pub(crate) async fn purge_expired(&self) -> Result<()> {
        let written = self.store.newest_message_at().await?.unwrap_or(i64::MAX);
        let a_month_ago = now().min(written) - DELETION_LIFETIME;
        let mut kept = Vec::new();
        for (session, file) in self.store.archives_deleted_before(a_month_ago).await? {
            if let Err(error) = thread_archive::remove_archive(&self.paths, session, &file) {
                tracing::warn!(%error, "the file of an archived thread was not removed");
                kept.push(session);
            }
        }
        self.store.purge(a_month_ago, kept).await
    }

    /// Purges a deleted session early, the files of its archived threads first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the session is not deleted; nothing is lost then.
    pub async fn purge(&self, id: SessionId) -> Result<()> {
        if !self.store.deleted_sessions().await?.iter().any(|deleted| deleted.id == id) {
            return Err(Error::NotFound { what: "deleted session".into() });
        }
        let archives = self.store.archives_deleted_before(i64::MAX).await?;
        for (session, file) in archives.into_iter().filter(|(session, _)| *session == id) {
            thread_archive::remove_archive(&self.paths, session, &file)
                .map_err(|error| Error::from_io(&self.paths.archive(), &error))?;
        }
        self.store.purge_session(id).await?;
        self.notifier.changed([Topic::Sessions {}]);
        Ok(())
    }

    pub async fn restore(&self, ids: Vec<SessionId>) -> Result<()> {
        self.store.restore_sessions(ids.clone()).await?;
        self.notifier.sessions_changed(ids);
        Ok(())
    }
}
