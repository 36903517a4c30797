//! Converts domain types to columns. The spelling is that of their JSON.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Error, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;

/// A value stored as JSON.
pub(crate) struct JsonColumn<T>(pub T);

impl<T: Serialize> ToSql for JsonColumn<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0).map_err(unspeakable)?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for JsonColumn<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let value = serde_json::from_str(value.as_str()?);
        value.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// An enum without data, stored as its name.
pub(crate) struct EnumColumn<T>(pub T);

impl<T: Serialize> ToSql for EnumColumn<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match serde_json::to_value(&self.0).map_err(unspeakable)? {
            serde_json::Value::String(word) => Ok(word.into()),
            other => Err(unspeakable(other.to_string())),
        }
    }
}

impl<T: DeserializeOwned> FromSql for EnumColumn<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = serde_json::Value::String(value.as_str()?.to_owned());
        let value = serde_json::from_value(word);
        value.map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

fn unspeakable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::ToSqlConversionFailure(error.into())
}

/// The model in the columns `model_provider` and `model`; `None` if they are NULL.
pub(crate) fn model_from_row(row: &Row) -> rusqlite::Result<Option<ModelRef>> {
    let provider: Option<String> = row.get("model_provider")?;
    let model: Option<String> = row.get("model")?;
    Ok(provider
        .zip(model)
        .map(|(provider, model)| ModelRef { provider: ProviderId(provider), model }))
}

/// The two columns of a model.
pub(crate) fn model_columns(model: Option<&ModelRef>) -> (Option<&str>, Option<&str>) {
    (model.map(|model| model.provider.0.as_str()), model.map(|model| model.model.as_str()))
}
