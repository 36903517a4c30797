//! Converts domain types to columns. The spelling is that of their JSON.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Error, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::money::{Currency, Money};
use skein_domain::usage::TokenUsage;

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
        let value = serde_json::from_str(value.as_str_or_null()?.unwrap_or("null"));
        value.map(Self).map_err(FromSqlError::other)
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
        let value = serde_json::from_value(value.as_str_or_null()?.into());
        value.map(Self).map_err(FromSqlError::other)
    }
}

fn unspeakable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::ToSqlConversionFailure(error.into())
}

/// The value of a column with JSON; NULL is read as `null`.
pub(crate) fn get_json<T: DeserializeOwned>(row: &Row, column: &str) -> rusqlite::Result<T> {
    row.get(column).map(|JsonColumn(value)| value)
}

/// The value of a column with the name of an enum; NULL is read as `null`.
pub(crate) fn get_enum<T: DeserializeOwned>(row: &Row, column: &str) -> rusqlite::Result<T> {
    row.get(column).map(|EnumColumn(value)| value)
}

/// The model in the columns `model_provider` and `model`, which are not NULL.
pub(crate) fn get_model(row: &Row) -> rusqlite::Result<ModelRef> {
    let provider = ProviderId(row.get("model_provider")?);
    Ok(ModelRef { provider, model: row.get("model")? })
}

/// The money in the columns `amount` and `currency`; `None` if they are NULL.
pub(crate) fn get_money(row: &Row) -> rusqlite::Result<Option<Money>> {
    let amount: Option<i64> = row.get("amount")?;
    let amount = amount.and_then(|amount| u64::try_from(amount).ok());
    let currency: Option<String> = row.get("currency")?;
    let currency = currency.as_deref().and_then(Currency::parse);
    Ok(amount.zip(currency).map(|(amount, currency)| Money { amount, currency }))
}

/// The counters in the columns of a call, without their total.
pub(crate) fn get_usage(row: &Row) -> rusqlite::Result<TokenUsage> {
    Ok(TokenUsage {
        prompt: row.get("prompt")?,
        completion: row.get("completion")?,
        total: None,
        cached: row.get("cached")?,
        cache_written: row.get("cache_written")?,
        reasoning: row.get("reasoning")?,
    })
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
