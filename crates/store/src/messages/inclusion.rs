//! What the user decides about a message: pinned, left out, or neither.

use skein_domain::error::Result;
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::Inclusion;

use super::{message_rows, point_rows};
use crate::content::generations;
use crate::db::store::Store;

impl Store {
    /// Keeps what the user wants of a message in the context, with the facts that points carry from
    /// now on. Law 7: what was reported of one that it was sent in, and is no longer, tells nothing of
    /// the next; nor the other way round.
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
