//! Runs cached prepared statements.

use rusqlite::{Connection, OptionalExtension, Params, Result, Row};

/// All rows of a query, in its order.
pub(crate) fn query_all<T, Rows: FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row) -> Result<T>,
) -> Result<Rows> {
    connection.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// The rows of a query that can be decoded, in its order. One that cannot be is left out and logged.
pub(crate) fn query_decodable<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(decoded) => found.push(decoded),
            Err(error) => tracing::warn!(%error, "a row that cannot be decoded is left out"),
        }
    }
    Ok(found)
}

/// The first row of a query; `None` if there is none.
pub(crate) fn query_first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row) -> Result<T>,
) -> Result<Option<T>> {
    connection.prepare_cached(sql)?.query_row(params, read).optional()
}

/// Runs a statement that may change any number of rows.
pub(crate) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(drop)
}
