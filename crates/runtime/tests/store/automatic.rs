//! What happened by itself.

use skein_context::message::PointId;
use skein_runtime::error::NotCompacted;
use skein_runtime::store::AutomaticEvent;

use crate::given::{NOW, a_session};

#[tokio::test]
async fn failures_are_those_since_the_last_compaction_whatever_else_happened() {
    let given = a_session().await;
    let failed = AutomaticEvent::NotCompacted { reason: NotCompacted::ModelFailed };
    let compacted =
        AutomaticEvent::Compacted { point: PointId(1), before: 100, after: 10, local: false };
    let other = AutomaticEvent::LimitLearned { window: 8_192 };
    let mut counted = Vec::new();
    for event in [other.clone(), failed.clone(), compacted, failed.clone(), other, failed] {
        given.store.log_automatic(given.thread(), event, NOW).await.unwrap();
        counted.push(given.store.failures(given.thread()).await.unwrap());
    }
    assert_eq!(counted, [0, 1, 0, 1, 1, 2]);
}
