//! Table `running_turns`: the sessions in which a turn runs, so that the next start finds turns
//! interrupted by a crash. A reply that had begun has a row of its own; before that, only this
//! table tells.
//!
//! Not here: completing an interrupted reply (`stream_chunks`), or running a turn (the crate
//! `app`).

use rusqlite::Connection;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::db::statements::execute;
use crate::db::store::Store;

impl Store {
    /// Marks the turn of a session as ended.
    pub async fn end_turn(&self, session: SessionId) -> Result<()> {
        let sql = "DELETE FROM running_turns WHERE session_id = ?1";
        self.write_rows(sql, [session.0]).await.map(drop)
    }

    /// True if the program's end interrupted the last turn of a session.
    pub async fn is_turn_cut(&self, session: SessionId) -> Result<bool> {
        let sql = "SELECT 1 FROM running_turns WHERE session_id = ?1 AND cut = 1";
        Ok(self.read_row(sql, [session.0], |_| Ok(())).await?.is_some())
    }
}

pub(crate) fn mark_running(tx: &Connection, session: SessionId) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO running_turns (session_id) VALUES (?1)";
    execute(tx, sql, [session.0])
}

/// Marks the sessions of interrupted turns as unread.
pub(crate) fn mark_cut_turns(tx: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions SET unread = 1
               WHERE id IN (SELECT session_id FROM running_turns WHERE cut = 0)";
    tx.execute(sql, [])?;
    execute(tx, "UPDATE running_turns SET cut = 1 WHERE cut = 0", [])
}
