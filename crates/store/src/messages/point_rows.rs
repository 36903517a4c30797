//! Tables `points` and `undone_points`: compaction points.
//!
//! Not here: the point that applies to a path, and adding one (`compactions`).

use rusqlite::{Connection, Row, params};
use skein_context::facts::RULES;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, PointId, ThreadId};

use crate::db::sql_types::{
    EnumColumn, JsonColumn, get_enum, get_json, model_columns, model_from_row,
};
use crate::db::statements::execute;
use crate::db::store::Store;

/// The columns of `points`, which `undone_points` has as well.
const COLUMNS: &str =
    "id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, unread,
     anchors, trigger, model_provider, model, created_at, facts_rules, after_id";

impl Store {
    /// The points of a thread, on all branches, oldest first.
    pub async fn points(&self, thread: ThreadId) -> Result<Vec<CompactionPoint>> {
        let sql = "SELECT * FROM points WHERE thread_id = ?1 ORDER BY id";
        self.read_rows(sql, [thread.0], point).await
    }
}

/// Stores a point under a new id. Facts with rules 0 are extracted again when the conversation is
/// opened.
pub(crate) fn insert(
    tx: &Connection,
    point: CompactionPoint,
    facts_rules: u32,
) -> rusqlite::Result<CompactionPoint> {
    let (provider, model) = model_columns(point.model.as_ref());
    let sql = "INSERT INTO points (thread_id, summary_id, boundary_id, before, after, covered, fingerprint,
                                   unread, anchors, trigger, model_provider, model, created_at, facts_rules,
                                   after_id)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
    tx.execute(
        sql,
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
            point.after_message_id.map(|after| after.0),
        ],
    )?;
    Ok(CompactionPoint { id: PointId(tx.last_insert_rowid()), ..point })
}

pub(crate) fn set_facts(tx: &Connection, point: PointId, facts: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE points SET anchors = ?2, facts_rules = ?3 WHERE id = ?1";
    execute(tx, sql, params![point.0, facts, RULES])
}

/// The `undone_at` of the next undone point of a thread: later than that of every other one, whatever the
/// clock says, because points are redone in the reverse order.
pub(crate) fn next_undone_at(tx: &Connection, thread: ThreadId, now: i64) -> rusqlite::Result<i64> {
    let sql = "SELECT max(?2, coalesce(max(undone_at) + 1, ?2)) FROM undone_points
               WHERE thread_id = ?1";
    tx.query_row(sql, params![thread.0, now], |row| row.get(0))
}

/// Undoes a point and deletes its summary. `undone_at` is its place in the order of undone points, see
/// [`next_undone_at`].
pub(crate) fn undo(tx: &Connection, point: i64, now: i64, undone_at: i64) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO undone_points ({COLUMNS}, undone_at) SELECT {COLUMNS}, ?2 FROM points WHERE id = ?1"
    );
    tx.execute(&sql, params![point, undone_at])?;
    let sql = "UPDATE messages SET deleted_at = ?2
               WHERE id = (SELECT summary_id FROM points WHERE id = ?1)";
    tx.execute(sql, params![point, now])?;
    tx.execute("DELETE FROM points WHERE id = ?1", [point])?;
    Ok(())
}

/// Redoes an undone point and restores its summary; does nothing for other points.
pub(crate) fn redo(tx: &Connection, point: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE messages SET deleted_at = NULL
               WHERE id = (SELECT summary_id FROM undone_points WHERE id = ?1)";
    tx.execute(sql, [point])?;
    let sql =
        format!("INSERT INTO points ({COLUMNS}) SELECT {COLUMNS} FROM undone_points WHERE id = ?1");
    tx.execute(&sql, [point])?;
    tx.execute("DELETE FROM undone_points WHERE id = ?1", [point])?;
    Ok(())
}

pub(crate) fn point(row: &Row) -> rusqlite::Result<CompactionPoint> {
    Ok(CompactionPoint {
        id: PointId(row.get("id")?),
        thread_id: ThreadId(row.get("thread_id")?),
        summary_message_id: MessageId(row.get("summary_id")?),
        after_message_id: row.get::<_, Option<i64>>("after_id")?.map(MessageId),
        boundary_message_id: MessageId(row.get("boundary_id")?),
        before: row.get("before")?,
        after: row.get("after")?,
        covered: row.get("covered")?,
        fingerprint: row.get("fingerprint")?,
        unread: get_json(row, "unread")?,
        anchors: row.get("anchors")?,
        trigger: get_enum(row, "trigger")?,
        model: model_from_row(row)?,
        created_at: row.get("created_at")?,
    })
}
