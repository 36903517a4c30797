//! Runs a statement, which is compiled once for a connection.

use rusqlite::{Connection, OptionalExtension, Params, Result, Row};

/// All rows that a query finds, in its order.
pub(crate) fn query_all<T, Rows: FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row) -> Result<T>,
) -> Result<Rows> {
    connection.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// The first row that a query finds; `None`: there is none.
pub(crate) fn query_first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row) -> Result<T>,
) -> Result<Option<T>> {
    connection.prepare_cached(sql)?.query_row(params, read).optional()
}

/// Changes rows, if there are any to change.
pub(crate) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(drop)
}
