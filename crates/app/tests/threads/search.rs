//! A search that the user no longer waits for.

use futures::join;

use crate::scenario::under;

#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_when_it_is_cancelled_and_the_next_one_finds() {
    let given = under("summarize").await;
    given.send("The key of the loom is under the mat.").await.unwrap();
    let messages = &given.app.messages;
    let search = |number| messages.search("loom".into(), None, number);
    let (found, ()) = join!(search(1), async { messages.cancel_search(1) });
    assert_eq!(found.unwrap(), []);
    messages.cancel_search(1);
    assert_eq!(search(2).await.unwrap().len(), 1);
    let (found, ()) = join!(search(3), async { messages.cancel_search(2) });
    assert_eq!(found.unwrap().len(), 1, "another one is not cancelled");
}
