//! Table `learned_limits`: limits and calibration of models, learned from their replies and errors.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use skein_context::tokens::Calibration;
use skein_domain::error::Result;
use skein_domain::model::ModelRef;
use specta::Type;

use crate::db::sql_types::{JsonColumn, get_json, get_model};
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

/// The learned limits and calibration of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LearnedModel {
    pub model: ModelRef,
    /// The window in tokens, from an overflow error or usage reports.
    pub window: Option<u32>,
    /// The correction of the token counter, from usage reports; `None` if there is none yet.
    pub calibration: Option<Calibration>,
}

impl Store {
    /// The learned limits and calibration of a model.
    pub async fn learned_model(&self, model: ModelRef) -> Result<LearnedModel> {
        self.read(move |tx| Ok(get(tx, model)?)).await
    }

    /// Stores the learned window of a model; `None` deletes it. Other learned data stays. Returns
    /// true if the window changed.
    pub async fn learn_window(
        &self,
        model: ModelRef,
        window: Option<u32>,
        now: i64,
    ) -> Result<bool> {
        self.write(move |tx| {
            let known = get(tx, model)?;
            let is_new = known.window != window;
            if is_new {
                insert_or_replace(tx, LearnedModel { window, ..known }, now)?;
            }
            Ok(is_new)
        })
        .await
    }

    /// Updates a model's calibration by a report. The prompt was `counted` under the calibration
    /// `then`; updates by others since then stay.
    pub async fn save_calibration(
        &self,
        model: ModelRef,
        counted: u32,
        then: Calibration,
        reported: u32,
        now: i64,
    ) -> Result<()> {
        self.write(move |tx| {
            let known = get(tx, model)?;
            let before = known.calibration.unwrap_or_default();
            let calibration = Some(before.observe(before.recounted(counted, then), reported));
            Ok(insert_or_replace(tx, LearnedModel { calibration, ..known }, now)?)
        })
        .await
    }
}

fn get(tx: &Connection, model: ModelRef) -> rusqlite::Result<LearnedModel> {
    let sql = "SELECT * FROM learned WHERE model_provider = ?1 AND model = ?2";
    let stored = query_first(tx, sql, [&model.provider.0, &model.model], learned)?;
    Ok(stored.unwrap_or(LearnedModel { model, window: None, calibration: None }))
}

fn insert_or_replace(tx: &Connection, learned: LearnedModel, now: i64) -> rusqlite::Result<()> {
    let LearnedModel { model, window, calibration } = learned;
    let sql =
        "INSERT OR REPLACE INTO learned (model_provider, model, window, calibration, updated_at)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let calibration = calibration.map(JsonColumn);
    execute(tx, sql, params![model.provider.0, model.model, window, calibration, now])
}

fn learned(row: &Row) -> rusqlite::Result<LearnedModel> {
    let (window, calibration) = (row.get("window")?, get_json(row, "calibration")?);
    Ok(LearnedModel { model: get_model(row)?, window, calibration })
}
