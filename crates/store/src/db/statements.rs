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
