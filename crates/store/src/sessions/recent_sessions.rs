//! The order in which sessions were opened, and those in which a turn has ended since. Counters are
//! used, because the clock may be set back.

use std::collections::HashMap;

use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::message::MessageState;

use crate::db::sql_types::get_json;
use crate::db::statements::query_first;
use crate::db::store::Store;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionReadState {
    /// Greater than that of every session opened earlier; `None` if it was never opened.
    pub order: Option<i64>,
    /// True if a turn has ended since it was opened.
    pub unread: bool,
    /// The state of the path's last message; `None` if nothing is unread, or the path is empty.
    pub leaf: Option<MessageState>,
    /// True if the path ends without a reply: with a user message or tool calls.
    pub is_unanswered: bool,
}

impl Store {
    /// The read states of all sessions that are not deleted.
    pub async fn session_read_states(&self) -> Result<HashMap<SessionId, SessionReadState>> {
        let sql = "SELECT id, opened, unread,
                          CASE WHEN unread THEN
                            (SELECT messages.state FROM threads
                               JOIN messages ON messages.id = threads.leaf_id
                             WHERE threads.session_id = sessions.id
                               AND threads.ended_at IS NULL AND threads.deleted_at IS NULL)
                          END AS leaf,
                          unread AND EXISTS
                            (SELECT 1 FROM threads
                               JOIN messages ON messages.id = threads.leaf_id
                             WHERE threads.session_id = sessions.id
                               AND threads.ended_at IS NULL AND threads.deleted_at IS NULL
                               AND (messages.role = 'user'
                                    OR (SELECT kind FROM parts WHERE message_id = messages.id
                                        ORDER BY position DESC LIMIT 1) = 'tool')
                            ) AS is_unanswered
                   FROM sessions WHERE deleted_at IS NULL";
        self.read_rows(sql, [], |row| {
            let opened = SessionReadState {
                order: row.get("opened")?,
                unread: row.get("unread")?,
                leaf: get_json(row, "leaf")?,
                is_unanswered: row.get("is_unanswered")?,
            };
            Ok((SessionId(row.get("id")?), opened))
        })
        .await
    }

    /// Marks a session as opened; true if it was unread. Writes nothing if that changes nothing.
    pub async fn mark_opened(&self, id: SessionId) -> Result<bool> {
        self.write(move |tx| {
            let sql = "SELECT unread FROM sessions WHERE id = ?1";
            let unread = query_first(tx, sql, [id.0], |row| row.get(0))?;
            let sql = "UPDATE sessions
                       SET unread = 0, opened = (SELECT coalesce(max(opened), 0) + 1 FROM sessions)
                       WHERE id = ?1
                         AND (unread = 1 OR opened IS NULL
                              OR opened < (SELECT max(opened) FROM sessions))";
            tx.execute(sql, [id.0])?;
            Ok(unread.unwrap_or(false))
        })
        .await
    }

    /// Marks a session that is not open as unread.
    pub async fn mark_unread(&self, id: SessionId) -> Result<()> {
        self.write_rows("UPDATE sessions SET unread = 1 WHERE id = ?1", [id.0]).await.map(drop)
    }
}
