//! Table `grants`: tools that the user allowed to run without further approval.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::{GrantKey, SessionId};
use specta::Type;

use crate::db::statements::execute;
use crate::db::store::Store;

/// A lasting permission to run a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The permission.
    pub tool: GrantKey,
    /// The session for which the grant holds; `None`: all sessions.
    pub session: Option<SessionId>,
}

impl Store {
    pub async fn grant(&self, grant: Grant, now: i64) -> Result<()> {
        self.write(move |tx| Ok(insert(tx, grant.session, &grant.tool, now)?)).await
    }

    pub async fn revoke(&self, grant: Grant) -> Result<()> {
        let sql = "DELETE FROM grants WHERE session_id IS ?1 AND tool = ?2";
        let session = grant.session.map(|session| session.0);
        self.write_rows(sql, (session, grant.tool.as_str().to_owned())).await.map(drop)
    }

    /// Removes all grants with this prefix, in all sessions.
    pub async fn revoke_by_prefix(&self, beginning: String) -> Result<()> {
        let sql = "DELETE FROM grants WHERE substr(tool, 1, length(?1)) = ?1";
        self.write_rows(sql, [beginning]).await.map(drop)
    }

    pub async fn global_grants(&self) -> Result<Vec<Grant>> {
        self.read_rows("SELECT * FROM grants WHERE session_id IS NULL ORDER BY id", [], grant).await
    }

    /// The grants of all sessions, oldest first.
    pub async fn all_grants(&self) -> Result<Vec<Grant>> {
        self.read_rows("SELECT * FROM grants ORDER BY id", [], grant).await
    }

    /// The grants that apply in a session: its own and those for all sessions.
    pub async fn grants(&self, session: SessionId) -> Result<Vec<Grant>> {
        let sql = "SELECT session_id, tool FROM grants
                   WHERE session_id IS NULL OR session_id = ?1 ORDER BY id";
        self.read_rows(sql, [session.0], grant).await
    }
}

/// Adds a grant, unless it exists.
pub(crate) fn insert(
    tx: &Connection,
    session: Option<SessionId>,
    tool: &GrantKey,
    granted_at: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO grants (session_id, tool, granted_at) VALUES (?1, ?2, ?3)";
    execute(tx, sql, params![session.map(|session| session.0), tool.as_str(), granted_at])
}

pub(crate) fn grant(row: &Row) -> rusqlite::Result<Grant> {
    Ok(Grant {
        tool: GrantKey::new(row.get::<_, String>("tool")?),
        session: row.get::<_, Option<i64>>("session_id")?.map(SessionId),
    })
}
