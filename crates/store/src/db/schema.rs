//! The schema: its migrations, and the comparison of a file with them.
//!
//! A foreign file may contain a trigger, view or changed table that would run with the program's
//! first statement. `trusted_schema` is off for every connection. Not here: the rows of such a file
//! (`quarantine`).

use std::collections::BTreeSet;

use include_dir::{Dir, include_dir};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite_migration::Migrations;
use skein_domain::error::Error;

use super::error::StoreError;

static MIGRATIONS: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../migrations");

/// The steps in the folder `migrations`, oldest first, which are compiled in.
pub(crate) fn migrations() -> Result<Migrations<'static>, Error> {
    Migrations::from_directory(&MIGRATIONS)
        .map_err(|error| Error::Storage { detail: error.to_string() })
}

/// The newest known schema version.
pub(crate) fn newest_version() -> u32 {
    u32::try_from(MIGRATIONS.dirs().count()).unwrap_or(u32::MAX)
}

/// Hardens a connection: the schema cannot call functions with side effects (`TRUSTED_SCHEMA`), and
/// no statement can write to the schema or the tables of the search index (`DEFENSIVE`).
pub(crate) fn harden(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}

/// The name of an object in a file's schema that is missing, changed or unknown, compared with the
/// migrations up to `version`; `None` if there is none.
pub(crate) fn unknown_object(
    file: &Connection,
    version: u32,
) -> Result<Option<String>, StoreError> {
    let mut migrated = Connection::open_in_memory()?;
    let steps = usize::try_from(version).unwrap_or(usize::MAX);
    if steps > 0 {
        let moved = migrations()?.to_version(&mut migrated, steps);
        moved.map_err(|error| Error::Storage { detail: error.to_string() })?;
    }
    let (actual, expected) = (definitions(file)?, definitions(&migrated)?);
    let stranger = actual.symmetric_difference(&expected).next();
    Ok(stranger.map(|it| format!("{} {}", it.kind, it.name)))
}

/// A table, an index, a trigger or a view, as `sqlite_schema` lists it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SchemaObject {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

/// SQLite's own statistics tables, which no migration creates. Only these exact definitions are
/// exempt, because SQLite executes a definition whatever its name is.
const STATISTICS: [&str; 2] = [
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
];

fn definitions(connection: &Connection) -> rusqlite::Result<BTreeSet<SchemaObject>> {
    let mut statement = connection
        .prepare("SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_schema")?;
    let objects = statement.query_map([], |row| {
        Ok(SchemaObject {
            kind: row.get("type")?,
            name: row.get("name")?,
            table: row.get("tbl_name")?,
            sql: in_one_line(&row.get::<_, String>("sql")?),
        })
    })?;
    let is_foreign = |it: &rusqlite::Result<SchemaObject>| {
        it.as_ref().map_or(true, |it| !STATISTICS.contains(&it.sql.as_str()))
    };
    objects.filter(is_foreign).collect()
}

/// A definition without comments and with normalized white space, because the layout of a migration
/// does not matter. Quoted text stays as it is, and so does a zero byte, at which SQLite stops
/// reading.
fn in_one_line(sql: &str) -> String {
    let (mut line, mut quote, mut chars) = (String::new(), None, sql.chars().peekable());
    while let Some(next) = chars.next() {
        match (quote, next) {
            (Some(open), _) => {
                line.push(next);
                quote = (next != open).then_some(open);
            }
            (None, '-') if chars.peek() == Some(&'-') => {
                while chars.next_if(|it| !matches!(it, '\n' | '\0')).is_some() {}
            }
            (None, space) if space.is_ascii_whitespace() => {
                if !line.ends_with(' ') {
                    line.push(' ');
                }
            }
            (None, '\'' | '"' | '`') => {
                line.push(next);
                quote = Some(next);
            }
            (None, _) => line.push(next),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::connections::{connect, open_reader};

    #[test]
    fn only_the_layout_of_a_definition_is_no_difference() {
        let plain = in_one_line("CREATE TABLE a (b TEXT DEFAULT '--  x', c)");
        let laid_out = "CREATE TABLE a (b TEXT DEFAULT '--  x', -- words\n\t c)";
        assert_eq!(in_one_line(laid_out), plain);
        assert_ne!(in_one_line("CREATE TABLE a (b TEXT DEFAULT '-- x', c)"), plain);
    }

    #[test]
    fn a_connection_trusts_no_schema_and_changes_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wool.db");
        let writer = connect(&path).unwrap();
        writer.execute_batch("CREATE TABLE wool (grey)").unwrap();
        for connection in [&writer, &open_reader(&path).unwrap()] {
            let pragma = "PRAGMA trusted_schema";
            let trusted: i64 = connection.query_row(pragma, [], |row| row.get(0)).unwrap();
            assert_eq!(trusted, 0);
            connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
            let changed = connection.execute("UPDATE sqlite_schema SET sql = 'x'", []);
            assert!(changed.is_err(), "{changed:?}");
        }
    }

    #[test]
    fn every_version_of_the_schema_is_as_its_migrations_make_it() {
        for version in 0..=newest_version() {
            let mut file = Connection::open_in_memory().unwrap();
            if version > 0 {
                migrations().unwrap().to_version(&mut file, version as usize).unwrap();
            }
            assert_eq!(unknown_object(&file, version).unwrap(), None, "version {version}");
            file.execute_batch("CREATE VIEW other AS SELECT 1").unwrap();
            assert_eq!(unknown_object(&file, version).unwrap().as_deref(), Some("view other"));
        }
    }
}
