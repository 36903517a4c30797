//! Summaries that are too long, and prompts that are too long for one summary (P09).

use scripted_server::{Asked, Reply};
use serde_json::json;
use skein_app::models::silent_truncation::TruncationKind;
use skein_store::AutomaticEvent;

use crate::scenario::{
    Scenario, a_program_that, answer, answer_having_read, is_summary, long, size,
};

/// A summary of about 3,600 tokens. One that was made locally has the headings that are asked for, too.
fn overlong(asked: &Asked) -> Reply {
    let words = match is_summary(asked) && !asked.body.contains("All of it.") {
        true => "The loom is warped. ".repeat(720),
        false => "Noted.".to_owned(),
    };
    let said = json!({ "choices": [{ "delta": { "content": words } }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: [DONE]\n\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_does_not_make_the_message_fit_gives_way_to_the_local_one_which_does() {
    let given = a_program_that(9_000, overlong).await;
    given.say_all().await;
    let lines = given.seen().await;
    let sum = |tokens: &[u32]| tokens.iter().sum::<u32>();
    let (said, always): (Vec<_>, Vec<_>) = lines
        .into_iter()
        .partition(|line| matches!(line.label, skein_context::window::EntryLabel::Message { .. }));
    let tokens = |lines: Vec<skein_context::window::PreviewEntry>| -> Vec<u32> {
        lines.iter().map(|line| line.tokens).collect()
    };
    let (said, always) = (tokens(said), tokens(always));
    // Beside it there is room for a summary of some 1,500 tokens in a window of 60,000.
    let times = (58_200 - sum(&always)) / said[0];
    let times = usize::try_from(times).unwrap();
    assert!(sum(&said) > 4_500, "the summary is shorter than what it stands for");
    given.say(&long("All of it.").repeat(times)).await;
    // Requests after it, in the background, do not matter here.
    let asked = given.server.asked();
    let left = asked.iter().position(|it| it.body.contains("All of it.")).expect("it was sent");
    let summaries = asked[..left].iter().filter(|asked| is_summary(asked)).count();
    assert_eq!(summaries, 1, "it was not asked for again");
    let first =
        given.app.compactions.list(given.session).await.unwrap().points.pop().unwrap().point;
    assert_eq!(first.model, None, "it was made locally");
    assert!(first.before > 60_000 && first.after <= 60_000, "{first:?}");
    let log = given.log().await;
    let is_local = |event: &AutomaticEvent| matches!(event, AutomaticEvent::Compacted { point, local: true, .. } if *point == first.id);
    assert!(log.iter().any(is_local), "{log:?}");
}

/// Every fact of the conversation is read in a request that was answered, and its model has written.
async fn is_written_in_pieces(given: &Scenario, most: usize) {
    given.compact().await;
    assert_eq!(given.latest().await, (false, Some("loom".to_owned())));
    let asked = given.asked_for_summaries();
    assert!(size(&asked[0]) > most, "at first it was too long: {}", size(&asked[0]));
    let read: String =
        asked.iter().filter(|it| size(it) <= most).map(|it| it.body.as_str()).collect();
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        assert!(read.contains(fact), "{fact}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_summary_that_is_refused_as_too_long_is_cut_into_smaller_pieces() {
    let named = "This model's maximum context length is 3000 tokens. However, your messages \
                 resulted in 3700 tokens.";
    for message in [named, "Your input exceeds the context window of this model."] {
        let given = a_program_that(9_000, move |asked| {
            let error = json!({ "message": message, "code": "context_length_exceeded" });
            match is_summary(asked) && size(asked) > 3_000 {
                true => Reply::json(400, json!({ "error": error }).to_string()),
                false => answer(asked, 0),
            }
        });
        let given = given.await;
        given.say_all().await;
        is_written_in_pieces(&given, 3_000).await;
        let log = given.app.store.activity_log(given.thread).await.unwrap();
        let log: Vec<_> = log.into_iter().map(|entry| entry.event).collect();
        let learned = AutomaticEvent::LimitLearned { window: 3_000 };
        assert_eq!(log, Vec::from_iter((message == named).then_some(learned)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_summary_of_a_prompt_that_the_server_cut_without_a_word_is_written_anew_in_pieces() {
    let cuts = |asked: &Asked| {
        let most = if is_summary(asked) { 4_096 } else { usize::MAX };
        answer_having_read(asked, size(asked).min(most), 0)
    };
    let given = a_program_that(9_000, cuts).await;
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
        given.say(&long(fact).repeat(3)).await;
    }
    is_written_in_pieces(&given, 4_096).await;
    let log = given.log().await;
    assert!(
        matches!(
            log[..],
            [AutomaticEvent::SilentOverflow { how: TruncationKind::FarBelow, read: 4_096, .. }]
        ),
        "{log:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_a_server_that_reports_little_of_whatever_it_is_sent_is_believed_in_the_end() {
    let given = a_program_that(9_000, |asked| {
        let read = if is_summary(asked) { 30 } else { size(asked) };
        answer_having_read(asked, read, 0)
    });
    let given = given.await;
    given.say_all().await;
    given.compact().await;
    assert_eq!(given.latest().await, (false, Some("loom".to_owned())));
}
