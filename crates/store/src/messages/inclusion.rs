//! The user's decision about a message: pinned, excluded, or neither.

use skein_domain::error::Result;
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::Inclusion;

use super::{message_rows, point_rows};
use crate::content::generations;
use crate::db::store::Store;

impl Store {
    /// Stores the inclusion of a message and the resulting facts of compaction points. If the
    /// message is thereby sent or no longer sent, the usage reports that counted it, or did not,
    /// become outdated (law 7).
    pub async fn set_inclusion(
        &self,
        id: MessageId,
        inclusion: Inclusion,
        facts: Vec<(PointId, String)>,
    ) -> Result<()> {
        self.write(move |tx| {
            let before = message_rows::get(tx, id)?;
            message_rows::write_inclusion(tx, id, inclusion)?;
            for (point, facts) in facts {
                point_rows::set_facts(tx, point, &facts)?;
            }
            if before.is_left_out() != (inclusion == Inclusion::LeftOut) {
                generations::forget_reports(tx, id)?;
            }
            Ok(())
        })
        .await
    }
}
