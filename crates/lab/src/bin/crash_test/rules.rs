//! The promises about the data folder, at any moment at which the program may end. Each rule is a query for
//! the rows that break it.
//!
//! It reads a copy of the database with its log, as the next start will: opening the file itself would
//! mend it.

use std::path::Path;
use std::{fs, io};

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use super::run::IMPORTED;

/// The moment at which the rules are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The program has been killed, or has ended after an error.
    AfterFault,
    /// It was started again, and ended.
    AfterNextStart,
}

/// A rule: a sentence, and a query for the ids of the rows that break it.
type Rule = (&'static str, &'static str);

const ALWAYS: [Rule; 9] = [
    (
        "a point has a summary of its own thread",
        "SELECT points.id FROM points LEFT JOIN messages ON messages.id = summary_id
         WHERE messages.id IS NULL OR messages.thread_id <> points.thread_id
            OR messages.kind ->> 'type' <> 'summary'",
    ),
    (
        "the boundary of a point is a message of its thread",
        "SELECT points.id FROM points LEFT JOIN messages ON messages.id = boundary_id
         WHERE messages.id IS NULL OR messages.thread_id <> points.thread_id",
    ),
    (
        "a point is applied or undone, not both",
        "SELECT id FROM points WHERE id IN (SELECT id FROM undone_points)",
    ),
    (
        "a summary belongs to a point",
        "SELECT id FROM messages WHERE kind ->> 'type' = 'summary'
           AND id NOT IN (SELECT summary_id FROM points UNION SELECT summary_id FROM undone_points)",
    ),
    (
        "a session has one current thread",
        "SELECT id FROM sessions WHERE deleted_at IS NULL AND 1 <>
           (SELECT count(*) FROM threads WHERE session_id = sessions.id
            AND ended_at IS NULL AND threads.deleted_at IS NULL)",
    ),
    (
        "a path ends in a message of its thread that is there",
        "SELECT threads.id FROM threads JOIN messages ON messages.id = leaf_id
         WHERE messages.thread_id <> threads.id OR messages.deleted_at IS NOT NULL",
    ),
    (
        "a thread with messages has a leaf",
        "SELECT id FROM threads WHERE leaf_id IS NULL AND id IN
           (SELECT thread_id FROM messages WHERE deleted_at IS NULL AND beside = 0)",
    ),
    (
        "a parent is an older message of the same thread",
        "SELECT child.id FROM messages child JOIN messages parent ON parent.id = child.parent_id
         WHERE parent.thread_id <> child.thread_id OR parent.number >= child.number",
    ),
    (
        "a number is given once in a thread",
        "SELECT thread_id FROM messages WHERE number > 0 GROUP BY thread_id, number HAVING count(*) > 1",
    ),
];

const AFTER_NEXT_START: [Rule; 3] = [
    ("nothing is still arriving", "SELECT id FROM messages WHERE state ->> 'type' = 'streaming'"),
    ("no part of a reply waits to be folded in", "SELECT message_id FROM chunks"),
    ("no tool call runs", "SELECT message_id FROM parts WHERE unfinished = 1"),
];

/// The broken rules of a data folder. `stored` are the messages that the program reported as stored.
///
/// # Errors
/// The folder cannot be copied, or a query fails.
pub fn broken_rules(folder: &Path, stored: &[String], moment: Moment) -> io::Result<Vec<String>> {
    let copy = TempDir::new()?;
    for name in ["skein.db", "skein.db-wal"] {
        if fs::exists(folder.join(name))? {
            fs::copy(folder.join(name), copy.path().join(name))?;
        }
    }
    let database = Connection::open(copy.path().join("skein.db")).map_err(io::Error::other)?;
    let mut broken = broken_in_database(&database, stored, moment).map_err(io::Error::other)?;
    broken.extend(broken_in_files(folder, moment)?);
    Ok(broken.into_iter().map(|rule| format!("{moment:?}: {rule}")).collect())
}

fn broken_in_database(
    database: &Connection,
    stored: &[String],
    moment: Moment,
) -> rusqlite::Result<Vec<String>> {
    let mut broken = Vec::new();
    let check: String = database.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        broken.push(format!("the file is whole: {check}"));
    }
    let mut rules = vec![("a reference has its row", "SELECT rowid FROM pragma_foreign_key_check")];
    rules.extend(ALWAYS);
    if moment == Moment::AfterNextStart {
        rules.extend(AFTER_NEXT_START);
    }
    for (rule, query) in rules {
        let ids = ids(database, query)?;
        if !ids.is_empty() {
            broken.push(format!("{rule}: {ids:?}"));
        }
    }
    for text in stored {
        let query = "SELECT count(*) FROM parts JOIN messages ON messages.id = message_id
                     WHERE parts.text = ?1 AND deleted_at IS NULL AND origin = 'person'";
        let count: u32 = database.query_row(query, [text], |row| row.get(0))?;
        if count != 1 {
            let begin: String = text.chars().take(40).collect();
            broken.push(format!(
                "a stored message is there once, word for word: {count} of {begin:?}"
            ));
        }
    }
    let imported = "SELECT count(*) FROM sessions WHERE title LIKE 'Imported %'";
    let imported: u32 = database.query_row(imported, [], |row| row.get(0))?;
    if ![0, IMPORTED].contains(&imported) {
        broken.push(format!("an import is whole or absent: {imported} of {IMPORTED}"));
    }
    Ok(broken)
}

fn ids(database: &Connection, query: &str) -> rusqlite::Result<Vec<Option<i64>>> {
    database.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// Files beside the database: each is whole, and after the next start no unfinished one is left.
fn broken_in_files(folder: &Path, moment: Moment) -> io::Result<Vec<String>> {
    let mut broken = Vec::new();
    for file in files(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        let is_json = file.extension().is_some_and(|ending| ending == "json");
        if is_json && serde_json::from_slice::<Value>(&fs::read(&file)?).is_err() {
            broken.push(format!("a file is whole: {name}"));
        }
        let is_unfinished =
            file.extension().is_some_and(|ending| ending == "part" || ending == "tmp");
        if moment == Moment::AfterNextStart && is_unfinished {
            broken.push(format!("no unfinished file is left: {name}"));
        }
        if file.parent().is_some_and(|parent| parent.ends_with("backups")) && !is_unfinished {
            let copy = Connection::open(&file).map_err(io::Error::other)?;
            let check: rusqlite::Result<String> =
                copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
            if check.as_deref() != Ok("ok") {
                broken.push(format!("a backup is whole: {name}: {check:?}"));
            }
        }
    }
    Ok(broken)
}

fn files(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use skein_platform::paths::AppPaths;
    use skein_store::{NewSession, Store};

    use super::*;

    #[tokio::test]
    async fn a_broken_promise_is_found() {
        let folder = TempDir::new().unwrap();
        let places = AppPaths::in_folder(folder.path());
        let store = Store::open(&places, 0).unwrap();
        store.create_session(NewSession::default()).await.unwrap();
        drop(store);
        let broken = |stored: &[String]| {
            broken_rules(folder.path(), stored, Moment::AfterNextStart).unwrap()
        };
        assert_eq!(broken(&[]), Vec::<String>::new());
        assert!(broken(&["said".to_owned()])[0].contains("word for word: 0"));

        let database = Connection::open(places.database()).unwrap();
        database.execute_batch("UPDATE threads SET ended_at = 1").unwrap();
        assert!(broken(&[])[0].contains("one current thread"));
        fs::write(folder.path().join("settings.json"), "{ \"context\":").unwrap();
        assert!(broken(&[])[1].contains("settings.json"));
    }
}
