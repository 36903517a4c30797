//! Table `learned`: what using a model taught about it.

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use skein_context::model::{ModelRef, ProviderId};
use skein_context::tokens::Calibration;
use specta::Type;

use super::Store;
use super::row::Json;
use crate::error::Result;

/// What using a model taught about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Learned {
    /// Which model.
    pub model: ModelRef,
    /// Tokens: the window that an overflow error named, or that reports told of.
    pub window: Option<u32>,
    /// What its reports taught about counting for it.
    pub calibration: Option<Calibration>,
}

impl Store {
    /// What was learned of a model.
    pub async fn learned(&self, model: ModelRef) -> Result<Learned> {
        self.read(move |tx| {
            let found = tx
                .prepare_cached("SELECT * FROM learned WHERE model_provider = ?1 AND model = ?2")?
                .query_row([&model.provider.0, &model.model], learned)
                .optional()?;
            Ok(found.unwrap_or(Learned { model, window: None, calibration: None }))
        })
        .await
    }

    /// Keeps what was learned of a model, in the place of what was known before.
    pub async fn set_learned(&self, learned: Learned, now: i64) -> Result<()> {
        self.write(move |tx| {
            let Learned { model, window, calibration } = learned;
            tx.prepare_cached(
                "INSERT INTO learned (model_provider, model, window, calibration, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (model_provider, model) DO UPDATE
                 SET window = excluded.window, calibration = excluded.calibration,
                     updated_at = excluded.updated_at",
            )?
            .execute(params![
                model.provider.0,
                model.model,
                window,
                calibration.map(Json),
                now
            ])?;
            Ok(())
        })
        .await
    }
}

fn learned(row: &Row) -> rusqlite::Result<Learned> {
    let calibration: Option<Json<Calibration>> = row.get("calibration")?;
    Ok(Learned {
        model: ModelRef {
            provider: ProviderId(row.get("model_provider")?),
            model: row.get("model")?,
        },
        window: row.get("window")?,
        calibration: calibration.map(|Json(calibration)| calibration),
    })
}
