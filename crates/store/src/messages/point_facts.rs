//! The facts that points carry beside their summaries: found anew when the rules that find them change.

use rusqlite::{Connection, OptionalExtension, params};
use skein_context::facts::RULES;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::ContentPart;

use crate::content::{generations, parts};
use crate::db::store::Store;
use crate::log::activity_log::{self, AutomaticEvent};

/// A point, undone or not, whose facts were found by older rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedFacts {
    /// The compaction point.
    pub point: PointId,
    /// The last message it covers.
    pub boundary: MessageId,
    /// The text of its summary.
    pub summary: String,
}

impl Store {
    /// The points of a thread whose facts were found by older rules, the undone ones, too.
    pub async fn outdated_facts(&self, thread: ThreadId) -> Result<Vec<OutdatedFacts>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT id, boundary_id, summary_id FROM points
                 WHERE thread_id = ?1 AND facts_rules < ?2
                 UNION ALL
                 SELECT id, boundary_id, summary_id FROM undone_points
                 WHERE thread_id = ?1 AND facts_rules < ?2",
            )?;
            let outdated = statement.query_map(params![thread.0, RULES], |row| {
                let (point, boundary) = (PointId(row.get(0)?), MessageId(row.get(1)?));
                Ok((point, boundary, row.get::<_, i64>(2)?))
            })?;
            let mut found = Vec::new();
            for row in outdated {
                let (point, boundary, summary) = row?;
                // Of an undone point the message is deleted; its words are still there.
                let summary: Vec<String> = parts::read(tx, MessageId(summary))?
                    .into_iter()
                    .filter_map(|part| match part {
                        ContentPart::Text { text } => Some(text),
                        ContentPart::Reasoning { .. }
                        | ContentPart::Image(_)
                        | ContentPart::File { .. }
                        | ContentPart::Tool { .. } => None,
                    })
                    .collect();
                let summary = summary.join("\n\n");
                found.push(OutdatedFacts { point, boundary, summary });
            }
            Ok(found)
        })
        .await
    }

    /// Of the points of a session that was made of a thread, byte for byte: their facts are as old as those.
    pub async fn inherit_facts_rules(&self, session: SessionId, from: ThreadId) -> Result<()> {
        self.write(move |tx| {
            tx.execute(
                "UPDATE points
                 SET facts_rules = coalesce(
                   (SELECT min(facts_rules) FROM points WHERE thread_id = ?2), facts_rules)
                 WHERE thread_id IN (SELECT id FROM threads WHERE session_id = ?1)",
                params![session.0, from.0],
            )?;
            Ok(())
        })
        .await
    }

    /// Has points carry facts that were found anew, unless somebody was faster, and notes in the thread's
    /// list of automatic events how many say something else now.
    pub async fn renew_facts(
        &self,
        thread: ThreadId,
        facts: Vec<(PointId, String)>,
        now: i64,
    ) -> Result<()> {
        self.write_surely(move |tx| {
            let mut renewed = 0;
            for (point, facts) in facts {
                renewed += renew(tx, point, &facts)?;
            }
            if renewed > 0 {
                activity_log::log(
                    tx,
                    thread,
                    &AutomaticEvent::FactsRenewed { points: renewed },
                    now,
                )?;
            }
            Ok(())
        })
        .await
    }
}

/// Replaces the facts of a point that older rules found; 1 where they differ and are sent.
fn renew(connection: &Connection, point: PointId, facts: &str) -> rusqlite::Result<u32> {
    let mut renewed = 0;
    for table in ["points", "undone_points"] {
        let outdated: Option<(String, i64)> = connection
            .prepare_cached(&format!(
                "SELECT anchors, summary_id FROM {table} WHERE id = ?1 AND facts_rules < ?2"
            ))?
            .query_row(params![point.0, RULES], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((before, summary)) = outdated else { continue };
        connection
            .prepare_cached(&format!(
                "UPDATE {table} SET anchors = ?2, facts_rules = ?3 WHERE id = ?1"
            ))?
            .execute(params![point.0, facts, RULES])?;
        if before != facts {
            renewed += 1;
            generations::forget_reports(connection, MessageId(summary))?;
        }
    }
    Ok(renewed)
}
