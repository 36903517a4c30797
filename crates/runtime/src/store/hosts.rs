//! Table `hosts`: every host ever contacted, and what for.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Store;
use crate::error::Result;

/// A host that was contacted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Host {
    /// Name and port, never a path or a query.
    pub host: String,
    /// What it was last contacted for.
    pub purpose: String,
    /// How often.
    pub calls: u32,
    /// Milliseconds since the epoch.
    pub first_at: i64,
    /// Milliseconds since the epoch.
    pub last_at: i64,
}

impl Store {
    /// Notes a contact.
    pub async fn note_host(&self, host: String, purpose: String, now: i64) -> Result<()> {
        self.write(move |tx| {
            tx.prepare_cached(
                "INSERT INTO hosts (host, purpose, calls, first_at, last_at)
                 VALUES (?1, ?2, 1, ?3, ?3)
                 ON CONFLICT (host) DO UPDATE
                 SET purpose = excluded.purpose, calls = calls + 1, last_at = excluded.last_at",
            )?
            .execute(params![host, purpose, now])?;
            Ok(())
        })
        .await
    }

    /// Every host ever contacted, the latest first.
    pub async fn hosts(&self) -> Result<Vec<Host>> {
        self.read(|tx| {
            let mut statement =
                tx.prepare_cached("SELECT * FROM hosts ORDER BY last_at DESC, host")?;
            let found = statement.query_map([], host)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }
}

fn host(row: &Row) -> rusqlite::Result<Host> {
    Ok(Host {
        host: row.get("host")?,
        purpose: row.get("purpose")?,
        calls: row.get("calls")?,
        first_at: row.get("first_at")?,
        last_at: row.get("last_at")?,
    })
}
