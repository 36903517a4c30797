//! Runs cached prepared statements: within a transaction, or as the only one of an operation.

use rusqlite::{Connection, OptionalExtension, Params, Result, Row};
use skein_domain::error::Error;

use super::store::Store;

impl Store {
    /// Reads all rows of a query, in its order.
    pub(crate) async fn read_rows<T, Rows: FromIterator<T> + Send + 'static>(
        &self,
        sql: &'static str,
        params: impl Params + Send + 'static,
        read: impl FnMut(&Row) -> Result<T> + Send + 'static,
    ) -> Result<Rows, Error> {
        self.read(move |tx| Ok(query_all(tx, sql, params, read)?)).await
    }

    /// Reads the first row of a query; `None` if there is none.
    pub(crate) async fn read_row<T: Send + 'static>(
        &self,
        sql: &'static str,
        params: impl Params + Send + 'static,
        read: impl FnOnce(&Row) -> Result<T> + Send + 'static,
    ) -> Result<Option<T>, Error> {
        self.read(move |tx| Ok(query_first(tx, sql, params, read)?)).await
    }

    /// Runs a statement that must change a row.
    ///
    /// # Errors
    /// `NotFound` with this name if there is none.
    pub(crate) async fn write_existing(
        &self,
        what: &'static str,
        sql: &'static str,
        params: impl Params + Send + 'static,
    ) -> Result<(), Error> {
        let changed = self.write_rows(sql, params).await?;
        if changed == 0 { Err(Error::NotFound { what: what.to_owned() }) } else { Ok(()) }
    }

    /// Runs a statement that may change any number of rows; returns that number.
    pub(crate) async fn write_rows(
        &self,
        sql: &'static str,
        params: impl Params + Send + 'static,
    ) -> Result<usize, Error> {
        self.write(move |tx| Ok(tx.prepare_cached(sql)?.execute(params)?)).await
    }
}

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
    let mut decoded_rows = Vec::new();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(decoded) => decoded_rows.push(decoded),
            Err(error) => tracing::warn!(%error, "a row that cannot be decoded is left out"),
        }
    }
    Ok(decoded_rows)
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

/// The first row of a query that always has one.
pub(crate) fn query_one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row) -> Result<T>,
) -> Result<T> {
    connection.prepare_cached(sql)?.query_row(params, read)
}

/// Runs a statement that may change any number of rows.
pub(crate) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(drop)
}
