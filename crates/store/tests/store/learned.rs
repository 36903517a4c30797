//! Concurrent learning by sessions of one model.

use skein_context::tokens::Calibration;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;

use crate::scenario::{NOW, a_session};

fn demo() -> ModelRef {
    ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_sessions_learn_of_a_model_at_the_same_time_is_kept_of_both() {
    let given = a_session().await;
    let store = &given.store;
    let known = Calibration::default();
    let counts = || store.save_calibration(demo(), 1_000, known, 1_400, NOW);
    let window = store.learn_window(demo(), Some(8_192), NOW);
    let (one, two, three, news) = tokio::join!(counts(), counts(), counts(), window);
    assert_eq!((one, two, three, news), (Ok(()), Ok(()), Ok(()), Ok(true)));
    let learned = store.learned_model(demo()).await.unwrap();
    let calibration = learned.calibration.unwrap();
    assert_eq!((learned.window, calibration.apply(1_000)), (Some(8_192), 1_400));
    assert_eq!(calibration.error_percent(), Some(0), "three reports were taken in, and agree");
}

#[tokio::test]
async fn a_window_that_is_forgotten_does_not_come_back_with_what_is_learned_of_counting() {
    let given = a_session().await;
    let store = &given.store;
    assert_eq!(store.learn_window(demo(), None, NOW).await, Ok(false), "there is none");
    assert_eq!(store.learn_window(demo(), Some(8_192), NOW).await, Ok(true));
    assert_eq!(store.learn_window(demo(), Some(8_192), NOW).await, Ok(false), "no news");
    let known = Calibration::default();
    let counts = || store.save_calibration(demo(), 1_000, known, 1_400, NOW);
    counts().await.unwrap();
    assert_eq!(store.learn_window(demo(), None, NOW).await, Ok(true));
    counts().await.unwrap();
    let learned = store.learned_model(demo()).await.unwrap();
    assert_eq!((learned.window, learned.calibration.is_some()), (None, true));
}
