//! The facts of compaction points, which are extracted again when the rules change.

use rusqlite::{Connection, params};
use skein_context::facts::RULES;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::ContentPart;

use crate::content::{generations, parts};
use crate::db::statements::{execute, query_all, query_first};
use crate::db::store::Store;
use crate::log::activity_log::{self, AutomaticEvent};

/// A point, undone or not, whose facts were found by older rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedFacts {
    pub point: PointId,
    /// The last message before those it covers; `None`: it covers the path from its first message on.
    pub starts_after: Option<MessageId>,
    /// The last message it covers.
    pub boundary: MessageId,
    pub summary: String,
}

impl Store {
    /// The points of a thread whose facts were found by older rules, including undone ones.
    pub async fn outdated_facts(&self, thread: ThreadId) -> Result<Vec<OutdatedFacts>> {
        self.read(move |tx| {
            let sql = "SELECT id, boundary_id, summary_id, after_id FROM points
                       WHERE thread_id = ?1 AND facts_rules < ?2
                       UNION ALL
                       SELECT id, boundary_id, summary_id, after_id FROM undone_points
                       WHERE thread_id = ?1 AND facts_rules < ?2";
            Ok(query_all(tx, sql, params![thread.0, RULES], |row| {
                // The summary of an undone point is deleted, but its text still exists.
                let summary = parts::read(tx, MessageId(row.get("summary_id")?))?;
                let texts = summary.iter().filter_map(ContentPart::as_text);
                Ok(OutdatedFacts {
                    point: PointId(row.get("id")?),
                    starts_after: row.get::<_, Option<i64>>("after_id")?.map(MessageId),
                    boundary: MessageId(row.get("boundary_id")?),
                    summary: texts.collect::<Vec<_>>().join("\n\n"),
                })
            })?)
        })
        .await
    }

    /// Gives the points of a session that is a copy of a thread the rule versions of their
    /// originals, because their facts are as old.
    pub async fn inherit_facts_rules(&self, session: SessionId, from: ThreadId) -> Result<()> {
        let sql = "UPDATE points
                   SET facts_rules = coalesce(
                     (SELECT min(facts_rules) FROM points WHERE thread_id = ?2), facts_rules)
                   WHERE thread_id IN (SELECT id FROM threads WHERE session_id = ?1)";
        self.write_rows(sql, [session.0, from.0]).await.map(drop)
    }

    /// Replaces outdated facts, unless somebody already has, and logs the number of points whose
    /// facts changed.
    pub async fn renew_facts(
        &self,
        thread: ThreadId,
        facts: Vec<(PointId, String)>,
        now: i64,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            let mut renewed = 0;
            for (point, facts) in facts {
                renewed += renew(tx, point, &facts)?;
            }
            if renewed > 0 {
                let event = AutomaticEvent::FactsRenewed { points: renewed };
                activity_log::log(tx, thread, &event, now)?;
            }
            Ok(())
        })
        .await
    }
}

/// Replaces the outdated facts of a point; returns 1 if they changed and are sent.
fn renew(tx: &Connection, point: PointId, facts: &str) -> rusqlite::Result<u32> {
    let mut renewed = 0;
    for table in ["points", "undone_points"] {
        let outdated: Option<(String, i64)> = query_first(
            tx,
            &format!("SELECT anchors, summary_id FROM {table} WHERE id = ?1 AND facts_rules < ?2"),
            params![point.0, RULES],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let Some((before, summary)) = outdated else { continue };
        execute(
            tx,
            &format!("UPDATE {table} SET anchors = ?2, facts_rules = ?3 WHERE id = ?1"),
            params![point.0, facts, RULES],
        )?;
        if before != facts {
            renewed += 1;
            generations::forget_reports(tx, MessageId(summary))?;
        }
    }
    Ok(renewed)
}
