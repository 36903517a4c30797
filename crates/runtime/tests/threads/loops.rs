//! What happens between two generations of one turn.

use serde_json::{Value, json};
use skein_runtime::view::TurnEnd;

use crate::given::{Say, with_window};

const SUMMARY: &str = "The loom is warped.";

#[tokio::test(flavor = "multi_thread")]
async fn law_10_a_turn_compacts_between_two_of_its_generations_where_the_second_would_not_fit() {
    // 45,000 of 60,000 leave room for an answer; it compacts by itself above 18,000.
    let given = with_window("summarize", 60_000).await;
    given.model.says([Say::words("Noted.")]);
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        given.send(&format!("{fact} {}", "loom ".repeat(4_000))).await.unwrap();
    }
    let before = given.model.asked().len();
    assert_eq!(before, 3, "nothing was compacted");

    let calls = Say::words(&"loom ".repeat(33_000)).and("glob", json!({ "pattern": "*" }));
    let summary = Say::words(&format!("## State now\n{SUMMARY}"));
    given.model.says([calls, summary, Say::words("Done.")]);
    assert_eq!(given.send("Look.").await, Ok(TurnEnd::Answered {}));

    let asked = given.model.asked().split_off(before);
    let is_summary = |body: &Value| body.to_string().contains("Whoever goes on with");
    let kinds: Vec<_> = asked[..3].iter().map(is_summary).collect();
    assert_eq!(kinds, [false, true, false], "the turn's own, a summary, the turn's own");
    let [first, _, second] = [0, 1, 2].map(|at| asked[at]["messages"].to_string());
    assert!(!first.contains(SUMMARY) && second.contains(SUMMARY));
    assert!(second.contains("Look.") && second.contains("tool_call_id"), "it goes on");
}
