//! The sessions that changed since a backup.

use std::path::Path;

use skein_domain::message::{Inclusion, Role};

use crate::scenario::{NOW, a_session};

#[tokio::test]
async fn k04_a_message_that_is_left_out_or_pinned_in_the_place_of_another_is_a_change() {
    let given = a_session().await;
    let first = given.says(Role::User, "The warp.").await.id;
    let second = given.says(Role::User, "The weft.").await.id;
    let set = async |id, inclusion| {
        given.store.set_inclusion(id, inclusion, vec![]).await.unwrap();
    };
    let changed = async |backup: &Path| {
        given.store.sessions_changed_since(backup).await.unwrap().contains(&given.session.id)
    };
    set(first, Inclusion::Pinned).await;
    let backup = given.store.back_up(&given.places, NOW).await.unwrap();
    assert!(!changed(&backup).await);

    set(first, Inclusion::Usual).await;
    set(second, Inclusion::Pinned).await;
    assert!(changed(&backup).await, "the other one is pinned");
    set(second, Inclusion::LeftOut).await;
    set(first, Inclusion::Pinned).await;
    assert!(changed(&backup).await, "one more is left out");
}
