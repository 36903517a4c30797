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
        self.read(move |tx| {
            let found = get(tx, &model)?;
            Ok(found.unwrap_or(LearnedModel { model, window: None, calibration: None }))
        })
        .await
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
            let known = get(tx, &model)?.and_then(|known| known.window);
            if known == window {
                return Ok(false);
            }
            let sql = "INSERT INTO learned (model_provider, model, window, updated_at)
                       VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (model_provider, model) DO UPDATE
                       SET window = excluded.window, updated_at = excluded.updated_at";
            execute(tx, sql, params![model.provider.0, model.model, window, now])?;
            Ok(true)
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
            let known = get(tx, &model)?.and_then(|known| known.calibration).unwrap_or_default();
            let calibration = known.observe(known.recounted(counted, then), reported);
            let sql = "INSERT INTO learned (model_provider, model, calibration, updated_at)
                       VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (model_provider, model) DO UPDATE
                       SET calibration = excluded.calibration, updated_at = excluded.updated_at";
            let row = params![model.provider.0, model.model, JsonColumn(calibration), now];
            Ok(execute(tx, sql, row)?)
        })
        .await
    }
}

fn get(tx: &Connection, model: &ModelRef) -> rusqlite::Result<Option<LearnedModel>> {
    let sql = "SELECT * FROM learned WHERE model_provider = ?1 AND model = ?2";
    query_first(tx, sql, [&model.provider.0, &model.model], learned)
}

fn learned(row: &Row) -> rusqlite::Result<LearnedModel> {
    let (window, calibration) = (row.get("window")?, get_json(row, "calibration")?);
    Ok(LearnedModel { model: get_model(row)?, window, calibration })
}
