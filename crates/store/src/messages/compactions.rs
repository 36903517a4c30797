//! Tables `compactions` and `undone_points`: where conversations were compacted.
//!
//! A point and its summary appear and disappear together.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use skein_context::compaction::{fingerprint, is_up_to_date};
use skein_context::facts::RULES;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;

use super::branch_path;
use super::message_rows::{self, MessageParent, NewMessage};
use crate::Store;
use crate::content::{generations, parts};
use crate::db::error::StoreError;
use crate::db::sql_types::{EnumColumn, JsonColumn, model_columns, model_from_row};
use crate::log::activity_log::{self, AutomaticEvent};

/// A finished compaction, to be applied.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCompaction {
    /// Of which thread.
    pub thread: ThreadId,
    /// The text of the summary.
    pub summary: String,
    /// The last message it covers.
    pub boundary: MessageId,
    /// Where the path ends that it was made for.
    pub end: MessageParent,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window after.
    pub after: u32,
    /// How many messages it covers.
    pub covered: u32,
    /// Of everything up to the boundary as the summary was made from it.
    pub fingerprint: String,
    /// What it was not made of, because that was pinned.
    pub unread: Vec<MessageId>,
    /// What applied until now; `None`: nothing did.
    pub replaces: Option<PointVersion>,
    /// Whose summary it was made of: what applied, or a point before that; `None`: of the originals alone.
    pub builds_on: Option<PointVersion>,
    /// Facts of the covered originals, to be carried beside the summary.
    pub anchors: String,
    /// What set it off.
    pub trigger: CompactionTrigger,
    /// Who wrote the summary; `None`: it was made without a model.
    pub model: Option<ModelRef>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

/// A point as it was when a compaction began. The person may have taken it back since, or written its
/// summary anew: that is not to be overridden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointVersion {
    /// Which.
    pub point: PointId,
    /// Fingerprint of its summary.
    pub summary: String,
}

/// A point, undone or not, whose facts were found by older rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedFacts {
    /// Which.
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

    /// The points of a thread, on whatever branch, oldest first.
    pub async fn points(&self, thread: ThreadId) -> Result<Vec<CompactionPoint>> {
        self.read(move |tx| {
            let mut statement =
                tx.prepare_cached("SELECT * FROM points WHERE thread_id = ?1 ORDER BY id")?;
            let found = statement.query_map([thread.0], point)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// Applies a compaction: its summary beside the leaf, and its point, or nothing. What was undone
    /// before can no longer be redone.
    ///
    /// # Errors
    /// `NotCompacted { Changed }` when what it covers or replaces is no longer as it was.
    pub async fn add_point(&self, new: NewCompaction) -> Result<CompactionPoint> {
        self.write_surely(move |tx| add(tx, new)).await
    }

    /// Replaces the words of a summary and the facts that its point carries beside them.
    pub async fn edit_summary(
        &self,
        id: MessageId,
        text: String,
        facts: Option<(PointId, String)>,
    ) -> Result<()> {
        self.write_surely(move |tx| {
            parts::write(tx, id, &[ContentPart::Text { text }])?;
            message_rows::mark_changed(tx, id)?;
            if let Some((point, facts)) = facts {
                set_facts(tx, point, &facts)?;
            }
            Ok(generations::forget_reports(tx, id)?)
        })
        .await
    }

    /// Undoes the point that applies to a thread's path and returns it.
    ///
    /// # Errors
    /// `NothingToUndo` when there is none.
    pub async fn undo_latest_point(&self, thread: ThreadId, now: i64) -> Result<CompactionPoint> {
        self.write_surely(move |tx| {
            let leaf = message_rows::leaf(tx, thread)?;
            let latest = applying(tx, thread, leaf)?.ok_or(Error::NothingToUndo {})?;
            undo(tx, latest.id.0, now)?;
            Ok(latest)
        })
        .await
    }

    /// Brings the latest undone point of a thread's path back.
    ///
    /// # Errors
    /// `NothingToRedo` when there is none, `NotCompacted { Changed }` when its summary no longer tells of all
    /// that it stands for.
    pub async fn redo_point(&self, thread: ThreadId) -> Result<CompactionPoint> {
        self.write_surely(move |tx| {
            let latest = latest_undone(tx, thread)?.ok_or(Error::NothingToRedo {})?;
            refuse_changed(tx, latest.boundary_message_id, &latest.fingerprint, &latest.unread)?;
            redo(tx, latest.id.0)?;
            Ok(latest)
        })
        .await
    }

    /// The point that [`Store::redo_point`] would bring back.
    pub async fn undone_point(&self, thread: ThreadId) -> Result<Option<CompactionPoint>> {
        self.read(move |tx| latest_undone(tx, thread)).await
    }
}

/// The end of the branch that a summary is of, where it hangs: of the path, or, where that leads
/// elsewhere by now, of the newest branch through what it covers. What was made for another answer to
/// an earlier question is of that one, whatever is shown.
fn end_of(
    connection: &Connection,
    thread: ThreadId,
    boundary: MessageId,
    end: MessageParent,
) -> Result<Option<MessageId>, StoreError> {
    if let MessageParent::Under(Some(end)) = end
        && branch_path::path_ids_to(connection, Some(end))?.contains(&boundary)
        && message_rows::get_without_parts(connection, end).is_ok()
    {
        return Ok(Some(end));
    }
    let leaf = message_rows::leaf(connection, thread)?;
    if branch_path::path_ids_to(connection, leaf)?.contains(&boundary) {
        return Ok(leaf);
    }
    Ok(Some(branch_path::newest_leaf(connection, boundary)?))
}

fn add(connection: &Connection, new: NewCompaction) -> Result<CompactionPoint, StoreError> {
    refuse_changed(connection, new.boundary, &new.fingerprint, &new.unread)?;
    let end = end_of(connection, new.thread, new.boundary, new.end)?;
    refuse_replaced(connection, new.thread, end, new.replaces)?;
    refuse_rewritten(connection, new.thread, new.builds_on)?;
    let summary = NewMessage {
        parent: MessageParent::Under(end),
        kind: MessageKind::Summary {},
        role: Role::User,
        origin: if new.model.is_some() { Origin::Model } else { Origin::Runtime },
        parts: vec![ContentPart::Text { text: new.summary }],
        state: MessageState::Complete {},
        model: new.model.clone(),
        created_at: new.created_at,
    };
    let summary = message_rows::insert(connection, new.thread, summary)?.id;
    connection.execute("DELETE FROM undone_points WHERE thread_id = ?1", [new.thread.0])?;
    let point = CompactionPoint {
        id: PointId(0),
        thread_id: new.thread,
        summary_message_id: summary,
        boundary_message_id: new.boundary,
        before: new.before,
        after: new.after,
        covered: new.covered,
        fingerprint: new.fingerprint,
        unread: new.unread,
        anchors: new.anchors,
        trigger: new.trigger,
        model: new.model,
        created_at: new.created_at,
    };
    Ok(insert(connection, point, RULES)?)
}

/// Keeps a point under a new id. Facts of rules 0 are found anew when its conversation is opened.
pub(crate) fn insert(
    connection: &Connection,
    point: CompactionPoint,
    facts_rules: u32,
) -> rusqlite::Result<CompactionPoint> {
    let (provider, model) = model_columns(point.model.as_ref());
    connection.execute(
        "INSERT INTO points (thread_id, summary_id, boundary_id, before, after, covered, fingerprint,
                             unread, anchors, trigger, model_provider, model, created_at, facts_rules)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        params![
            point.thread_id.0,
            point.summary_message_id.0,
            point.boundary_message_id.0,
            point.before,
            point.after,
            point.covered,
            point.fingerprint,
            JsonColumn(&point.unread),
            point.anchors,
            EnumColumn(point.trigger),
            provider,
            model,
            point.created_at,
            facts_rules,
        ],
    )?;
    Ok(CompactionPoint { id: PointId(connection.last_insert_rowid()), ..point })
}

fn refuse_changed(
    connection: &Connection,
    boundary: MessageId,
    expected: &str,
    unread: &[MessageId],
) -> Result<(), StoreError> {
    let covered = branch_path::path_ids_to(connection, Some(boundary))?;
    let covered: Vec<_> = covered
        .into_iter()
        .map(|id| message_rows::get(connection, id))
        .collect::<Result<_, _>>()?;
    if is_up_to_date(expected, unread, &covered) {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

fn refuse_replaced(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
    expected: Option<PointVersion>,
) -> Result<(), StoreError> {
    let applying = applying(connection, thread, end)?.map(|point| -> Result<_, StoreError> {
        let summary = message_rows::get(connection, point.summary_message_id)?;
        Ok(PointVersion { point: point.id, summary: fingerprint([&summary]) })
    });
    if applying.transpose()? == expected {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

/// What a summary was made of has to be there still, in the same words.
fn refuse_rewritten(
    connection: &Connection,
    thread: ThreadId,
    expected: Option<PointVersion>,
) -> Result<(), StoreError> {
    let Some(PointVersion { point, summary }) = expected else { return Ok(()) };
    let message = connection
        .prepare_cached("SELECT summary_id FROM points WHERE id = ?1 AND thread_id = ?2")?
        .query_row([point.0, thread.0], |row| row.get(0).map(MessageId))
        .optional()?;
    let message = message.map(|id| message_rows::get(connection, id)).transpose()?;
    if message.is_some_and(|message| fingerprint([&message]) == summary) {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

/// Replaces the facts that a point carries beside its summary.
pub(crate) fn set_facts(
    connection: &Connection,
    point: PointId,
    facts: &str,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE points SET anchors = ?2, facts_rules = ?3 WHERE id = ?1")?
        .execute(params![point.0, facts, RULES])?;
    Ok(())
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

/// Takes a point and its summary away.
pub(crate) fn undo(connection: &Connection, point: i64, now: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO undone_points
           (id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, unread, anchors,
            trigger, model_provider, model, created_at, facts_rules, undone_at)
         SELECT id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, unread,
                anchors, trigger, model_provider, model, created_at, facts_rules, ?2
         FROM points WHERE id = ?1",
        params![point, now],
    )?;
    connection.execute(
        "UPDATE messages SET deleted_at = ?2
         WHERE id = (SELECT summary_id FROM points WHERE id = ?1)",
        params![point, now],
    )?;
    connection.execute("DELETE FROM points WHERE id = ?1", [point])?;
    Ok(())
}

/// Brings an undone point and its summary back; does nothing for one that was not undone.
pub(crate) fn redo(connection: &Connection, point: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE messages SET deleted_at = NULL
         WHERE id = (SELECT summary_id FROM undone_points WHERE id = ?1)",
        [point],
    )?;
    connection.execute(
        "INSERT INTO points
           (id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, unread, anchors,
            trigger, model_provider, model, created_at, facts_rules)
         SELECT id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, unread,
                anchors, trigger, model_provider, model, created_at, facts_rules
         FROM undone_points WHERE id = ?1",
        [point],
    )?;
    connection.execute("DELETE FROM undone_points WHERE id = ?1", [point])?;
    Ok(())
}

/// The point that covers most of the path to `end`, the newest among equals: the one the engine
/// assembles the window with.
fn applying(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
) -> Result<Option<CompactionPoint>, StoreError> {
    let on_path = on_path(connection, thread, end, "SELECT * FROM points WHERE thread_id = ?1")?;
    let latest = on_path.into_iter().max_by_key(|(boundary, point)| (*boundary, point.id));
    Ok(latest.map(|(_, point)| point))
}

/// Points are undone from the latest backwards, perhaps within one millisecond.
fn latest_undone(
    connection: &Connection,
    thread: ThreadId,
) -> Result<Option<CompactionPoint>, StoreError> {
    let sql = "SELECT * FROM undone_points WHERE thread_id = ?1 ORDER BY undone_at DESC, id";
    let leaf = message_rows::leaf(connection, thread)?;
    Ok(on_path(connection, thread, leaf, sql)?.into_iter().map(|(_, point)| point).next())
}

/// Those that `sql` brings whose boundary lies on the path to `end`, with its place there.
fn on_path(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
    sql: &str,
) -> Result<Vec<(usize, CompactionPoint)>, StoreError> {
    let path = branch_path::path_ids_to(connection, end)?;
    let places: HashMap<_, _> = path.into_iter().zip(0_usize..).collect();
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for candidate in statement.query_map([thread.0], point)? {
        let candidate = candidate?;
        let place = places.get(&candidate.boundary_message_id);
        found.extend(place.map(|place| (*place, candidate)));
    }
    Ok(found)
}

fn point(row: &Row) -> rusqlite::Result<CompactionPoint> {
    let EnumColumn(trigger) = row.get("trigger")?;
    let JsonColumn(unread) = row.get("unread")?;
    Ok(CompactionPoint {
        id: PointId(row.get("id")?),
        thread_id: ThreadId(row.get("thread_id")?),
        summary_message_id: MessageId(row.get("summary_id")?),
        boundary_message_id: MessageId(row.get("boundary_id")?),
        before: row.get("before")?,
        after: row.get("after")?,
        covered: row.get("covered")?,
        fingerprint: row.get("fingerprint")?,
        unread,
        anchors: row.get("anchors")?,
        trigger,
        model: model_from_row(row)?,
        created_at: row.get("created_at")?,
    })
}
