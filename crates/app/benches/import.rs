//! Importing 50,000 messages, as few long conversations and as many short ones. Beside it, in the same run,
//! the same rows put into an empty database by SQLite alone, with all indexes, and the index of the search
//! alone for the same texts: what counts are the ratios.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};
use skein_app::transfers::import;
use skein_platform::paths::AppPaths;
use skein_store::Store;

const MESSAGES: usize = 50_000;

#[tokio::main]
async fn main() {
    // `cargo test --benches` runs every target: only `cargo bench` asks for figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let index = index_alone();
    println!("the index alone: {index:.1?}");
    for conversations in [5, 500, 5_000] {
        let folder = tempfile::tempdir().unwrap();
        let taken = imported(folder.path(), conversations).await;
        let rows = rows_alone(&AppPaths::in_folder(folder.path()).database());
        let times = |alone: Duration| taken.as_secs_f64() / alone.as_secs_f64();
        println!(
            "{MESSAGES} messages in {conversations}: {taken:.1?}, {:.2} × the same rows alone \
             ({rows:.1?}), {:.2} × the index alone",
            times(rows),
            times(index)
        );
    }
}

fn text(number: usize) -> String {
    let words =
        ["harbour", "starboard", "crate", "mile", "near", "loom", "treadle", "warp", "reed"];
    let word = |at: usize| words[(number * 7 + at * at * 3 + number / 11) % words.len()];
    let said: Vec<_> = (0..40).map(word).collect();
    format!("{} {number}: {}.", words[number % words.len()], said.join(" "))
}

async fn imported(folder: &Path, conversations: usize) -> Duration {
    let store = Store::open(&AppPaths::in_folder(folder), 0).unwrap();
    let each = MESSAGES / conversations;
    let message = |number: usize| {
        let sender = if number.is_multiple_of(2) { "human" } else { "assistant" };
        json!({ "sender": sender, "text": text(number) })
    };
    let conversation = |from: usize| {
        let messages: Vec<Value> = (from * each..(from + 1) * each).map(message).collect();
        json!({ "name": format!("Voyage {from}"), "chat_messages": messages })
    };
    let list: Vec<Value> = (0..conversations).map(conversation).collect();
    let path = folder.join("conversations.json");
    File::create(&path).unwrap().write_all(Value::from(list).to_string().as_bytes()).unwrap();
    let begun = Instant::now();
    let file = File::open(&path).unwrap();
    let reports = import(&store, "conversations.json", file, 1, |_, _| true).await.unwrap();
    assert_eq!(reports.unwrap().len(), conversations);
    begun.elapsed()
}

/// Copies all rows of a database into an empty one; its triggers fill the index of the search.
fn rows_alone(imported: &Path) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    drop(Store::open(&places, 0).unwrap());
    let mut file = Connection::open(places.database()).unwrap();
    file.execute("ATTACH ?1 AS imported", [imported.to_str().unwrap()]).unwrap();
    let tables: Vec<String> = file
        .prepare(
            "SELECT name FROM imported.sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'
             AND name NOT LIKE 'search%'",
        )
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    file.pragma_update(None, "foreign_keys", false).unwrap();
    let begun = Instant::now();
    let tx = file.transaction().unwrap();
    for table in &tables {
        let copy = format!("INSERT OR REPLACE INTO main.{table} SELECT * FROM imported.{table}");
        tx.execute(&copy, []).unwrap();
    }
    tx.commit().unwrap();
    let taken = begun.elapsed();
    let copied: i64 =
        file.query_row("SELECT count(*) FROM main.messages", [], |row| row.get(0)).unwrap();
    assert_eq!(usize::try_from(copied), Ok(MESSAGES), "all rows are there");
    taken
}

fn index_alone() -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let mut file = Connection::open(folder.path().join("index.db")).unwrap();
    file.pragma_update(None, "journal_mode", "WAL").unwrap();
    let table = "CREATE VIRTUAL TABLE search USING fts5 \
                 (text, content = '', contentless_delete = 1, tokenize = 'trigram')";
    file.execute_batch(table).unwrap();
    let begun = Instant::now();
    let tx = file.transaction().unwrap();
    for number in 0..MESSAGES {
        tx.prepare_cached("INSERT INTO search (rowid, text) VALUES (?1, ?2)")
            .unwrap()
            .execute((i64::try_from(number).unwrap(), text(number)))
            .unwrap();
    }
    tx.commit().unwrap();
    begun.elapsed()
}
