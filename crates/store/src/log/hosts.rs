//! Table `hosts`: every host ever contacted. The column `purpose` is unused.

use rusqlite::Row;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use specta::Type;

use crate::db::store::Store;

/// A host that Skein has sent requests to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactedHost {
    /// Name and port.
    pub host: String,
    /// The number of requests.
    pub calls: u32,
    /// In milliseconds since the epoch.
    pub first_at: i64,
    /// In milliseconds since the epoch.
    pub last_at: i64,
}

impl Store {
    pub async fn note_host(&self, host: String, now: i64) -> Result<()> {
        let sql = "INSERT INTO hosts (host, calls, first_at, last_at) VALUES (?1, 1, ?2, ?2)
                   ON CONFLICT (host) DO UPDATE
                   SET calls = calls + 1, last_at = excluded.last_at";
        self.write_rows(sql, (host, now)).await.map(drop)
    }

    /// Every host ever contacted, the latest first.
    pub async fn hosts(&self) -> Result<Vec<ContactedHost>> {
        self.read_rows("SELECT * FROM hosts ORDER BY last_at DESC, host", [], host).await
    }
}

fn host(row: &Row) -> rusqlite::Result<ContactedHost> {
    Ok(ContactedHost {
        host: row.get("host")?,
        calls: row.get("calls")?,
        first_at: row.get("first_at")?,
        last_at: row.get("last_at")?,
    })
}
