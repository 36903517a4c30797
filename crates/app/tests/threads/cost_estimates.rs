//! The cost of the next message, of a compaction and of another model, before anything is sent.

use serde_json::{Value, json};
use skein_app::view::SwitchConsequence;
use skein_context::cost::CleaningReason;
use skein_context::cost::estimate::{CostEstimate, PaidAfter};
use skein_context::limits::policy::ToolCleaning;
use skein_domain::cost::Cost;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::session::{SessionOverride, Switch};
use skein_store::UsageGrouping;

use crate::scenario::{Say, Scenario, message, under};

/// Both models at 2 and 10 dollars per million tokens, a tenth of that from the cache, with answers of 4,000
/// tokens at most.
fn priced(settings: &mut Value) {
    let prices = json!({ "input": "2", "output": "10", "cacheRead": "0.2" });
    for model in settings["providers"][0]["models"].as_array_mut().unwrap() {
        model["prices"] = prices.clone();
        model["maxOutput"] = 4_000.into();
    }
}

fn model(id: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: id.into() }
}

fn ends(estimate: &CostEstimate) -> (u64, u64) {
    match estimate {
        CostEstimate::Between { least, most } => (least.amount, most.amount),
        other => panic!("{other:?}"),
    }
}

/// The cost of all calls so far.
async fn spent(given: &Scenario) -> u64 {
    let totals = given.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    totals.iter().flat_map(|total| &total.money).map(|money| money.amount).sum()
}

async fn named(given: Scenario) -> Scenario {
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given
}

#[tokio::test(flavor = "multi_thread")]
async fn c09_the_price_of_a_cached_token_decides_when_old_tool_calls_leave() {
    let automatic = async |given: &Scenario| {
        given.app.context.strategies(Some(given.session)).await.unwrap().automatic_cleaning
    };
    let cheap = automatic(&under("summarize").await.configured(priced).await).await;
    assert_eq!(cheap.cleaning, ToolCleaning::InBatches);
    assert_eq!(cheap.reason, CleaningReason::CheapReads { percent: 10 });
    let unknown = automatic(&under("summarize").await).await;
    assert_eq!(unknown.cleaning, ToolCleaning::EverySend);
    assert_eq!(unknown.reason, CleaningReason::Unknown {});
}

#[tokio::test(flavor = "multi_thread")]
async fn c03_what_a_message_is_booked_at_lies_in_the_range_said_before() {
    let given = named(under("summarize").await.configured(priced).await).await;
    // A tokeniser that is up to a quarter off.
    for (turn, percent) in [125, 120, 125, 118, 122].into_iter().enumerate() {
        let words = format!("{turn}: {}", "The shuttle crosses the warp. ".repeat(200));
        let estimate = given.app.context.estimate(given.session, message(&words)).await.unwrap();
        let (least, most) = ends(&estimate.cost.now);
        let counted = estimate.used.tokens * percent / if turn == 0 { 100 } else { 120 };
        given.model.says([Say::words("Noted.").at(counted)]);
        let before = spent(&given).await;
        given.send(&words).await.unwrap();
        let booked = spent(&given).await - before;
        assert!((least..=most).contains(&booked), "{turn}: {least}, {booked}, {most}");
        assert_eq!(estimate.cost.cached == 0, turn == 0, "{turn}: {:?}", estimate.cost);
        assert_eq!(estimate.cost.cached + estimate.cost.fresh, estimate.used.tokens);
        assert_eq!(estimate.cost.answer.is_typical, turn >= 3, "{turn}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c02_the_next_message_of_a_model_without_prices_has_no_figure() {
    let given = under("summarize").await;
    let estimate = given.app.context.estimate(given.session, message("Hello")).await.unwrap();
    assert_eq!(estimate.cost.now, CostEstimate::Unknown {});
    assert_eq!(estimate.cost.compacted, None, "there is nothing to compact");
    let local = given.configured(|settings| settings["providers"][0]["kind"] = "ollama".into());
    let local = local.await;
    let estimate = local.app.context.estimate(local.session, message("Hello")).await.unwrap();
    assert_eq!(estimate.cost.now, CostEstimate::NotBilled {});
    let public = local.configured(|settings| {
        settings["providers"][0]["baseUrl"] = "https://llm.example.com".into();
    });
    let public = public.await;
    let estimate = public.app.context.estimate(public.session, message("Hello")).await.unwrap();
    assert_eq!(estimate.cost.now, CostEstimate::Unknown {}, "another's server may be paid");
}

#[tokio::test(flavor = "multi_thread")]
async fn c03_a_compaction_says_what_it_costs_and_when_it_has_paid_for_itself() {
    let given = named(under("summarize").await.configured(priced).await).await;
    given.model.says([Say::words("Noted.")]);
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(320);
    for _ in 0..3 {
        given.send(&long).await.unwrap();
    }
    let preview = given.app.compactions.preview(given.session, None).await.unwrap();
    let (least, most) = ends(preview.cost.as_ref().unwrap());
    let estimate = given.app.context.estimate(given.session, message("And?")).await.unwrap();
    let (now, after) = (ends(&estimate.cost.now), ends(&estimate.cost.compacted.unwrap()));
    assert!(after.0 < now.0 && after.1 < now.1, "{after:?} is not below {now:?}");
    let Some(PaidAfter { least: first, most: Some(last) }) = preview.paid_after else {
        panic!("{:?}", preview.paid_after)
    };
    assert!(first >= 1 && first < last, "{first} to {last}");
    // About what the covered messages and the instructions take.
    let covered = u32::try_from(preview.covers.len() / 2).unwrap() * 3_850 + 600;
    let asked = given.model.asked().len();
    given.model.says([Say::words(&"The shuttle. ".repeat(40)).at(covered)]);
    let before = spent(&given).await;
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    assert_eq!(given.model.asked().len(), asked + 1, "one call");
    let booked = spent(&given).await - before;
    assert!((least..=most).contains(&booked), "{least}, {booked}, {most}");
}

/// Three long messages to a model that counts tokens itself, in a session that never compacts by itself.
async fn metered() -> Scenario {
    let given = named(under("summarize").await.configured(priced).await).await;
    given.model.is_metered();
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.model.says([Say::words("Noted.")]);
    for _ in 0..3 {
        given
            .send(&"The shuttle crosses the warp and the reed beats it home. ".repeat(320))
            .await
            .unwrap();
    }
    given
}

/// The costs of ten more messages.
async fn ten_messages(given: &Scenario) -> Vec<u64> {
    let mut costs = Vec::new();
    for number in 0..10 {
        let before = spent(given).await;
        given.send(&format!("Row {number} is woven.")).await.unwrap();
        costs.push(spent(given).await - before);
    }
    costs
}

#[tokio::test(flavor = "multi_thread")]
async fn c03_what_a_compaction_saves_on_the_next_ten_messages_is_what_was_promised() {
    let (whole, compacted) = (metered().await, metered().await);
    let estimate = compacted.app.context.estimate(compacted.session, message("Row")).await.unwrap();
    let preview = compacted.app.compactions.preview(compacted.session, None).await.unwrap();
    let (now, after) = (ends(&estimate.cost.now), ends(&estimate.cost.compacted.unwrap()));
    // About three quarters of the summary's budget.
    let sentences = preview.summary as usize / 16;
    let sentences = "The shuttle crosses the warp and the reed beats it home. ".repeat(sentences);
    let summary = format!("## State now\n{sentences}");
    compacted.model.says([Say::words(&summary), Say::words("Noted.")]);
    let before = spent(&compacted).await;
    let compaction =
        compacted.app.compactions.compact(compacted.session, None, None).await.unwrap();
    compaction.await.unwrap().unwrap();
    let compaction = spent(&compacted).await - before;
    let (whole, compacted) = (ten_messages(&whole).await, ten_messages(&compacted).await);

    let within = |(least, most): (u64, u64), cost: &u64| (least..=most).contains(cost);
    assert!(within(ends(&preview.cost.unwrap()), &compaction), "{compaction}");
    // Later messages are a few tokens longer than the first.
    assert!(
        within(now, &whole[0]) && within(after, &compacted[0]),
        "{now:?} {after:?}: {whole:?} {compacted:?}"
    );
    let saved = whole.iter().zip(&compacted).scan(0_i128, |saved, (whole, compacted)| {
        *saved += i128::from(*whole) - i128::from(*compacted);
        Some(*saved)
    });
    let paid = saved.clone().position(|saved| saved >= i128::from(compaction));
    let PaidAfter { least, most } = preview.paid_after.unwrap();
    let paid = u32::try_from(paid.expect("it pays within ten messages") + 1).unwrap();
    assert!(least <= paid && most.is_none_or(|most| paid <= most), "{least} {paid} {most:?}");
    // The promise for ten messages: ten times the least and the most that one of them saves.
    let ten = (10 * i128::from(now.0) - 10 * i128::from(after.1), 10 * i128::from(now.1));
    let saved = saved.last().unwrap();
    assert!(ten.0 <= saved && saved <= ten.1, "{ten:?} {saved}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c08_a_long_conversation_that_left_the_cache_has_a_price_with_nothing_cached() {
    let given = named(under("summarize").await.configured(priced).await).await;
    // After a compaction the next prompt is not the one that was cached.
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(900);
    for (prompt, cached) in [(11_000, 0), (22_000, 11_000), (33_000, 22_000)] {
        given.model.says([Say::words("Noted.").at(prompt).cached(cached)]);
        given.send(&long).await.unwrap();
    }
    let cost = async |given: &Scenario| {
        given.app.context.estimate(given.session, message(&long)).await.unwrap().cost
    };
    assert_eq!(cost(&given).await.expired, None, "the cache may hold it for a day");
    let earlier = "UPDATE generations SET started_at = started_at - 25 * 3600 * 1000";
    let database = rusqlite::Connection::open(given.folder.path().join("skein.db")).unwrap();
    database.execute_batch(earlier).unwrap();
    // The program knows of its own writes alone.
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    let returned = cost(&given).await;
    let (least, _) = ends(&returned.expired.unwrap());
    assert!(least > 32_000 * 2_000_000, "{least} is less than the input's price");
    assert!(returned.compacted.is_some());
    let has_cache = |has: bool| {
        let sql = "UPDATE request_starts SET start = json_set(start, '$.has_cache', json(?1))";
        database.execute(sql, [has.to_string()]).unwrap();
    };
    has_cache(false);
    assert_eq!(cost(&given).await.expired, None, "there was no cache");
    has_cache(true);

    let first = given.app.compactions.compact_first_cost(given.session, message(&long)).await;
    let first = ends(&first.unwrap().unwrap());
    let preview = given.app.compactions.preview(given.session, None).await.unwrap();
    let covered = u32::try_from(preview.covers.len() / 2).unwrap() * 11_000 + 600;
    // About three quarters of its budget.
    let summary = "The shuttle crosses the warp. ".repeat(preview.summary as usize / 9);
    given.model.says([Say::words(&format!("## State now\n{summary}")).at(covered).cached(0)]);
    let before = spent(&given).await;
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    let next = given.app.context.estimate(given.session, message(&long)).await.unwrap();
    assert_eq!(next.cost.expired, None, "after a compaction nothing is to be read");
    given.model.says([Say::words("Noted.").at(next.used.tokens).cached(0)]);
    given.send(&long).await.unwrap();
    let booked = spent(&given).await - before;
    assert!((first.0..=first.1).contains(&booked), "{first:?} {booked}");
    let (compacted, _) = ends(&returned.compacted.unwrap());
    assert!(first.0 > compacted + 10_000 * 2_000_000, "the summary is paid for: {first:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c03_another_model_says_what_reading_the_conversation_costs() {
    let given = named(under("summarize").await.configured(priced).await).await;
    let preview =
        async |id: &str| given.app.sessions.preview_model(given.session, model(id)).await.unwrap();
    assert_eq!(preview("other").await.reading, None, "nothing is said yet");
    given.model.says([Say::words("Noted.")]);
    given.send(&"wool ".repeat(5_000)).await.unwrap();
    assert_eq!(preview("m").await.reading, None, "it is the session's own");
    let other = preview("other").await;
    assert_eq!(other.consequence, SwitchConsequence::Fits);
    let (least, most) = ends(&other.reading.unwrap());
    let counted = u64::from(other.used.tokens) * 2_000_000;
    assert!(least < counted && counted < most, "{least}, {counted}, {most}");
    let nobody = preview("unheard").await;
    assert_eq!(nobody.reading, Some(CostEstimate::Unknown {}), "nobody knows its price");
    let cost = given.app.messages.transcript(
        given.current().await,
        skein_app::view::TranscriptPosition::End {},
        10,
    );
    let cost = cost.await.unwrap().items.last().unwrap().cost.clone();
    assert_eq!(cost, Some(Cost::Unknown {}), "nothing was reported");
}
