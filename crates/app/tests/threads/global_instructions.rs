//! The user's instructions for all sessions.

use skein_app::settings::Settings;
use skein_context::health::breakdown::{BreakdownCategory, BreakdownPartLabel};
use skein_context::window::{EntryLabel, SectionKind};
use skein_domain::draft::Draft;
use skein_domain::session::SessionOverride;

use crate::scenario::{Say, Scenario, message, under};

const STANDING: &str = "Answer in rhymes.";
const OWN: &str = "You are a weaver.";

async fn told(given: &Scenario, words: &str) {
    let settings = given.app.settings.view().await.unwrap().settings;
    let changed = Settings { instructions: Some(words.into()), ..settings.clone() };
    given.app.settings.save(settings, changed).await.unwrap();
}

/// The system prompts of what was asked in conversations, in order.
fn prompts(given: &Scenario) -> Vec<String> {
    let asked = given.model.asked();
    asked.iter().map(|asked| asked["messages"][0]["content"].to_string()).collect()
}

async fn standing_tokens(given: &Scenario) -> Vec<u32> {
    let breakdown = given.app.context.breakdown(given.session, Draft::default()).await.unwrap();
    let row =
        breakdown.rows.into_iter().find(|row| row.kind == BreakdownCategory::SystemPrompt).unwrap();
    let parts = row.parts.into_iter().filter(|part| part.label == BreakdownPartLabel::Standing {});
    parts.map(|part| part.tokens).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn instructions_for_every_session_are_in_every_request_before_those_of_the_session() {
    let given = under("summarize").await;
    told(&given, STANDING).await;
    let own = SessionOverride::Instructions(Some(OWN.into()));
    given.app.sessions.set_override(given.session, own).await.unwrap();
    for reply in ["Said.", "Said again."] {
        given.model.says([Say::words(reply)]);
        given.send("And now?").await.unwrap();
    }
    let prompts = prompts(&given);
    assert_eq!(prompts.len(), 2);
    for prompt in prompts {
        let at = |words: &str| prompt.find(words).unwrap_or_else(|| panic!("{words}: {prompt}"));
        assert!(at(STANDING) < at(OWN), "{prompt}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn instructions_for_every_session_hold_where_a_session_has_none_until_taken_back() {
    let given = under("summarize").await;
    told(&given, STANDING).await;
    given.model.says([Say::words("Said.")]);
    given.send("And now?").await.unwrap();
    told(&given, " \n").await;
    given.model.says([Say::words("Said.")]);
    given.send("And now?").await.unwrap();
    let told: Vec<_> = prompts(&given).iter().map(|it| it.contains(STANDING)).collect();
    assert_eq!(told, [true, false]);
    assert_eq!(standing_tokens(&given).await, [0; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn instructions_for_every_session_are_counted_and_shown_as_what_they_are() {
    let given = under("summarize").await;
    let estimate = async || given.app.context.estimate(given.session, message("")).await.unwrap();
    let before = estimate().await.used.tokens;
    told(&given, STANDING).await;
    let [tokens] = standing_tokens(&given).await[..] else { panic!("one part") };
    assert!(tokens > 0);
    assert_eq!(estimate().await.used.tokens, before + tokens);

    let seen = given.app.context.seen_by_model(given.session, message("")).await.unwrap();
    let is_it =
        |label: &EntryLabel| *label == EntryLabel::Section { section: SectionKind::Standing {} };
    let lines: Vec<_> = seen.lines.iter().filter(|line| is_it(&line.label)).collect();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].tokens, tokens);
}
