//! Budgets: after the stop no request leaves without a yes, and after a yes exactly what was agreed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scripted_server::until;
use serde_json::{Value, json};
use skein_app::events::{EventSink, TurnEvent};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::{BudgetReport, CompactionStatus, TurnEnd};
use skein_domain::budget::{BudgetAllowance, BudgetAmount, BudgetLevel, BudgetPeriod, BudgetStop};
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::generation::CallPurpose;
use skein_domain::ids::ProviderId;
use skein_platform::paths::AppPaths;
use skein_store::{AutomaticEvent, UsageGrouping, UsageKey, stage_restore};

use crate::scenario::{Say, Scenario, deaf, with_window};

/// 1,000 tokens of prompt cost a tenth of a dollar, answers nothing.
fn priced(settings: &mut Value, budgets: Value) {
    let prices = json!({ "input": "100", "output": "0" });
    for model in settings["providers"][0]["models"].as_array_mut().unwrap() {
        model["prices"] = prices.clone();
    }
    settings["budgets"] = budgets;
    settings["nameSessions"] = false.into();
}

fn dollars(scope: &str, amount: &str) -> Value {
    let limit = json!({ "type": "money", "amount": amount, "currency": "USD",
                        "unpricedTokens": 10_000 });
    json!({ "scope": scope, "limit": limit, "warnAt": 80 })
}

async fn with(budgets: Value) -> Scenario {
    let given = with_window("summarize", 60_000).await;
    given.configured(|settings| priced(settings, budgets)).await
}

/// Every request of any kind that has left.
fn requests(given: &Scenario) -> usize {
    given.model.asked().len() + given.model.titles()
}

fn stop(refused: Error) -> BudgetStop {
    let Error::OverBudget { stop } = refused else { panic!("{refused:?}") };
    *stop
}

fn cents(amount: &BudgetAmount) -> u64 {
    let BudgetAmount::Money { money } = amount else { panic!("{amount:?}") };
    money.amount / 10_000_000_000
}

impl Scenario {
    async fn allows(&self, stop: BudgetStop, allowance: BudgetAllowance) {
        self.app.budgets.allow(Some(self.session), stop, allowance).await.unwrap();
    }

    async fn goes_on(&self) -> TurnEnd {
        self.app.turns.run(self.session, TurnStart::Continue, deaf()).await.unwrap()
    }

    async fn report(&self) -> BudgetReport {
        self.app.budgets.reports(Some(self.session)).await.unwrap().remove(0)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_no_reply_leaves_after_the_stop_and_a_yes_lets_as_much_leave_again() {
    let given = with(json!([dollars("session", "1")])).await;
    given.model.says([Say::words("Noted.").at(8_500)]);
    given.send("One").await.unwrap();
    let report = given.report().await;
    assert_eq!(report.gauges[0].level, BudgetLevel::Warning);
    let warning = report.warning.unwrap();
    given.app.budgets.dismiss_warning(report.period, warning.stop).await.unwrap();
    assert_eq!(given.report().await.warning, None, "it was dismissed");
    given.model.says([Say::words("Noted.").at(1_700)]);
    given.send("Two").await.unwrap();

    let stop = stop(given.send("Three").await.unwrap_err());
    assert_eq!(requests(&given), 2);
    assert_eq!((cents(&stop.gauge.spent), cents(&stop.gauge.stop)), (102, 100));
    assert_eq!((stop.purpose, stop.is_floor), (CallPurpose::Reply, false));
    assert_eq!(given.lines().await.last().unwrap(), "Three", "the message is not lost");
    given.goes_on().await;
    assert_eq!(requests(&given), 2, "to try again is no yes");

    given.allows(stop.clone(), BudgetAllowance::Another).await;
    let given = given.restarted().await;
    given.model.says([Say::words("Noted.").at(9_900)]);
    assert_eq!(
        given.goes_on().await,
        TurnEnd::Answered {},
        "the yes survives the end of the program"
    );
    given.send("Four").await.unwrap();
    assert_eq!(cents(&given.report().await.gauges[0].spent), 300);
    given.send("Five").await.unwrap_err();
    assert_eq!(requests(&given), 4, "the stop was at 2.02");
    let lowered = given.configured(|settings| priced(settings, json!([dollars("session", "0.5")])));
    lowered.await.send("Six").await.unwrap_err();
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_yes_to_one_request_lets_one_leave_and_a_tool_loop_asks_again() {
    let given = with(json!([dollars("day", "1")])).await;
    let call = || Say::call("glob", json!({ "pattern": "*" }));
    given.model.says([call().at(20_000)]);
    let stop_of_loop = stop(given.send("Look").await.unwrap_err());
    assert_eq!(requests(&given), 1, "the next generation of the loop did not leave");
    given.allows(stop_of_loop, BudgetAllowance::Once).await;
    let TurnEnd::Failed { error } = given.goes_on().await else { panic!("it went on") };
    assert_eq!(requests(&given), 2, "one request");
    given.allows(stop(error), BudgetAllowance::Once).await;
    given.model.says([Say::words("Done.").at(10)]);
    assert_eq!(given.goes_on().await, TurnEnd::Answered {});
    given.send("More").await.unwrap_err();
    assert_eq!(requests(&given), 3);
    let other = given.app.sessions.create().await.unwrap();
    let of_other = given.app.turns.run(other, crate::scenario::message("Hello"), deaf()).await;
    assert!(matches!(of_other, Ok(TurnEnd::Failed { .. })), "the day is every session's");
    assert_eq!(requests(&given), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_no_title_leaves_after_the_stop_and_that_is_said_once() {
    let given = with(json!([dollars("month", "1")])).await;
    let given = given.configured(|settings| {
        priced(settings, json!([dollars("month", "1")]));
        settings["nameSessions"] = true.into();
    });
    let given = given.await;
    given.model.says([Say::words("Noted.").at(20_000)]);
    given.send("One").await.unwrap();
    given.settled().await;
    assert_eq!(given.model.titles(), 0);
    let stop = stop(given.send("Two").await.unwrap_err());
    given.allows(stop, BudgetAllowance::Once).await;
    given.goes_on().await;
    given.settled().await;
    assert_eq!((given.model.titles(), requests(&given)), (0, 2), "the yes was for a reply");
    let log = given.app.store.activity_log(given.current().await).await.unwrap();
    let log: Vec<_> = log.into_iter().map(|entry| entry.event).collect();
    assert_eq!(log, [AutomaticEvent::NotNamed {}]);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_call_that_reports_no_usage_counts_with_the_estimate_of_its_prompt() {
    let given = with(json!([dollars("session", "1")])).await;
    given.model.says([Say::words("Noted.")]);
    given.send(&"wool ".repeat(12_000)).await.unwrap();
    let report = given.report().await;
    let BudgetAmount::UnpricedTokens { tokens } = report.gauges[1].spent else { panic!() };
    assert!(tokens > 10_000 && report.is_floor, "{report:?}");
    let stop = stop(given.send("Two").await.unwrap_err());
    assert_eq!(stop.gauge, report.gauges[1]);
    assert_eq!(requests(&given), 1);
}

/// A conversation that is long enough to be compacted, and has used up its two dollars.
async fn long() -> Scenario {
    let given = with(json!([dollars("session", "2")])).await;
    given.model.says([4_100, 8_200, 12_300].map(|prompt| Say::words("Noted.").at(prompt)));
    for _ in 0..3 {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    given.settled().await;
    given
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_no_summary_by_hand_leaves_after_the_stop() {
    let given = long().await;
    let ended =
        given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap();
    let stop = stop(ended.unwrap_err());
    assert_eq!(stop.purpose, CallPurpose::Summary);
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert!(matches!(status, CompactionStatus::Failed { error: Error::OverBudget { .. } }));
    assert_eq!(requests(&given), 3);
    assert_eq!(given.lines().await.len(), 6, "nothing was covered without a model either");
    given.allows(stop, BudgetAllowance::Another).await;
    given.model.says([Say::words("## State now\nThe loom is warped.")]);
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    assert_eq!(requests(&given), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_no_automatic_summary_leaves_after_the_stop_and_that_is_said_once() {
    let given = long().await;
    given.model.says([12_300, 21_500].map(|prompt| Say::words(&"loom ".repeat(9_000)).at(prompt)));
    for text in ["One", "Two"] {
        let stop = stop(given.send(text).await.unwrap_err());
        given.allows(stop, BudgetAllowance::Once).await;
        given.goes_on().await;
        given.settled().await;
    }
    let summaries = given.model.errands();
    assert_eq!(summaries, [""; 0]);
    let log = given.app.store.activity_log(given.current().await).await.unwrap();
    let is_over = |event: &AutomaticEvent| {
        let reason = CompactionFailure::OverBudget;
        matches!(event, AutomaticEvent::NotCompacted { reason: it, .. } if *it == reason)
    };
    assert_eq!(log.iter().filter(|entry| is_over(&entry.event)).count(), 1, "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_calls_of_unknown_cost_count_in_tokens_and_free_ones_not_at_all() {
    let given = with(json!([dollars("session", "1")])).await;
    let given = given.configured(|settings| settings["budgets"] = json!([dollars("session", "1")]));
    let given = given.await;
    given.model.says([Say::words("Noted.").at(9_995)]);
    given.send("One").await.unwrap();
    let refused = stop(given.send("Two").await.unwrap_err());
    assert_eq!(refused.gauge.spent, BudgetAmount::UnpricedTokens { tokens: 10_000 });
    let title = given.model.titles();
    let given = given.configured(|settings| {
        settings["budgets"] = json!([dollars("session", "1")]);
        settings["providers"][0]["kind"] = "lmstudio".into();
    });
    let given = given.await;
    given.goes_on().await;
    assert_eq!(requests(&given), 2 + title, "a local model costs nothing of a budget in money");
    let tokens = json!([{ "scope": "session", "limit": { "type": "tokens", "tokens": 5 },
                          "warnAt": 80 }]);
    let given = given.configured(|settings| {
        settings["budgets"] = tokens;
        settings["providers"][0]["kind"] = "lmstudio".into();
    });
    given.await.send("Three").await.unwrap_err();
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_each_currency_has_a_budget_of_its_own() {
    let yuan = |amount: &str| {
        let mut budget = dollars("session", amount);
        budget["limit"]["currency"] = "CNY".into();
        budget
    };
    let given = with(json!([dollars("session", "1"), yuan("1")])).await;
    let given = given.configured(|settings| {
        priced(settings, json!([dollars("session", "1"), yuan("1")]));
        settings["providers"][0]["models"][0]["prices"]["currency"] = "CNY".into();
    });
    let given = given.await;
    given.model.says([Say::words("Noted.").at(20_000)]);
    given.send("One").await.unwrap();
    let refused = stop(given.send("Two").await.unwrap_err());
    let BudgetAmount::Money { money } = refused.gauge.spent else { panic!() };
    assert_eq!(money.currency.code(), "CNY");
    let model = skein_domain::model::ModelRef {
        provider: skein_domain::ids::ProviderId("p".into()),
        model: "other".into(),
    };
    given.app.sessions.set_model(given.session, model).await.unwrap();
    given.goes_on().await;
    assert_eq!(requests(&given), 2, "the other model is paid in dollars");
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_an_older_copy_of_the_database_does_not_refill_a_budget() {
    let given = with(json!([dollars("session", "1"), dollars("day", "2")])).await;
    given.model.says([Say::words("Noted.").at(4_000)]);
    given.send("One").await.unwrap();
    let copy = given.folder.path().join("copy.db");
    given.app.maintenance.save_copy(copy.display().to_string()).await.unwrap();
    given.send("Two").await.unwrap();
    stage_restore(&AppPaths::in_folder(given.folder.path()), Path::new(&copy)).unwrap();
    let given = given.restarted().await;
    assert_eq!(given.lines().await.len(), 2, "the older copy is there");
    assert_eq!(cents(&given.report().await.gauges[0].spent), 80);
    given.send("Two again").await.unwrap();
    assert_eq!(cents(&given.report().await.gauges[0].spent), 120, "what is spent now is added");
    given.send("Three").await.unwrap_err();
    assert_eq!(requests(&given), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_what_another_session_spends_ends_the_wait_for_a_repetition() {
    let given = with(json!([dollars("day", "1")])).await;
    given.model.is_busy(true);
    let turn = given.sending("One").await;
    given.model.is_busy(false);
    let other = given.app.sessions.create().await.unwrap();
    given.model.says([Say::words("Noted.").at(20_000)]);
    given.app.turns.run(other, crate::scenario::message("Two"), deaf()).await.unwrap();
    let end = turn.await.unwrap().unwrap();
    let TurnEnd::Failed { error: Error::OverBudget { .. } } = end else { panic!("{end:?}") };
    until("nothing runs", async || given.app.tasks.tracker.is_empty()).await;
    assert_eq!(requests(&given), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_call_under_way_counts_with_the_most_it_may_cost_until_it_is_booked() {
    let given = with(json!([dollars("day", "1")])).await;
    given.model.says([Say::words("Noted.").at(9_500)]);
    given.model.holds_answers(true);
    let turn = given.sending(&"wool ".repeat(9_000)).await;
    let other = given.app.sessions.create().await.unwrap();
    let say = async |text| given.app.turns.run(other, crate::scenario::message(text), deaf()).await;
    let TurnEnd::Failed { error } = say("Two").await.unwrap() else { panic!("it left") };
    let stop = stop(error);
    assert_eq!(requests(&given), 1, "the first may use up the day's dollar");
    assert_eq!(cents(&stop.gauge.spent), 0, "nothing is booked yet");
    assert!(cents(&stop.under_way.unwrap()) >= 100);
    given.model.holds_answers(false);
    turn.await.unwrap().unwrap();
    assert_eq!(say("Three").await.unwrap(), TurnEnd::Answered {}, "it cost 95 cents");
    assert_eq!(requests(&given), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_yes_to_one_request_is_used_up_by_the_next_one_even_where_none_was_needed() {
    let given = with(json!([dollars("day", "1")])).await;
    given.model.says([10, 20_000].map(|prompt| Say::words("Noted.").at(prompt)));
    given.model.holds_answers(true);
    let turn = given.sending(&"wool ".repeat(9_000)).await;
    let other = given.app.sessions.create().await.unwrap();
    let say = async |text| given.app.turns.run(other, crate::scenario::message(text), deaf()).await;
    let TurnEnd::Failed { error } = say("Two").await.unwrap() else { panic!("it left") };
    given.model.holds_answers(false);
    turn.await.unwrap().unwrap();
    given.app.budgets.allow(Some(other), stop(error), BudgetAllowance::Once).await.unwrap();
    assert_eq!(say("Three").await.unwrap(), TurnEnd::Answered {}, "the first cost a cent");
    let TurnEnd::Failed { .. } = say("Four").await.unwrap() else { panic!("it left") };
    assert_eq!(requests(&given), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_summary_in_place_counts_the_conversation_that_it_reads_until_it_is_booked() {
    let given = with(json!([dollars("day", "2.8")])).await;
    let cached = |prompt| Say::words("Noted.").at(prompt).cached(prompt);
    given.model.says([4_100, 8_200, 12_300].map(cached));
    for _ in 0..3 {
        given.send(&"loom ".repeat(4_000)).await.unwrap();
    }
    given.settled().await;
    given.model.says([Say::words("## State now\nThe loom is warped.").at(100)]);
    given.model.holds_summaries(true);
    let compaction = given.app.compactions.compact(given.session, None, None).await.unwrap();
    until("the summary is asked for", async || given.model.asked().len() == 4).await;
    let summary = given.model.asked().pop().unwrap();
    assert_eq!(summary["messages"][1]["role"], "user");
    assert_eq!(summary["messages"][2]["role"], "assistant", "the conversation goes on");
    let other = given.app.sessions.create().await.unwrap();
    let said = given.app.turns.run(other, crate::scenario::message("Two"), deaf()).await.unwrap();
    given.model.holds_summaries(false);
    compaction.await.unwrap().unwrap();
    let TurnEnd::Failed { error } = said else { panic!("it left") };
    assert!(cents(&stop(error).under_way.unwrap()) >= 40);
}

/// The scripted model at a remote address, behind a proxy: a call that breaks off is repeated.
async fn remote(budgets: Value) -> Scenario {
    let given = with_window("summarize", 60_000).await;
    let url = given.model.url();
    let configured = given.configured(|settings| {
        priced(settings, budgets);
        settings["providers"][0]["baseUrl"] = "http://loom.example/v1".into();
        settings["network"]["proxy"] = json!({ "type": "custom", "url": url, "noProxy": "" });
    });
    configured.await
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_an_attempt_that_broke_off_counts_when_its_call_is_to_be_repeated() {
    let given = remote(json!([dollars("day", "1")])).await;
    given.model.breaks_off(true);
    let stop = stop(given.send(&"wool ".repeat(9_000)).await.unwrap_err());
    assert_eq!(requests(&given), 1, "the first may have used up the day's dollar");
    assert!(cents(&stop.under_way.unwrap()) >= 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_yes_to_one_request_is_none_to_its_repetition_after_it_broke_off() {
    let given = remote(json!([dollars("day", "1")])).await;
    given.model.says([Say::words("Noted.").at(20_000)]);
    given.send("One").await.unwrap();
    given.allows(stop(given.send("Two").await.unwrap_err()), BudgetAllowance::Once).await;
    given.model.breaks_off(true);
    let TurnEnd::Failed { error } = given.goes_on().await else { panic!("it was answered") };
    assert_eq!(requests(&given), 2, "one request");
    given.model.breaks_off(false);
    given.allows(stop(error), BudgetAllowance::Once).await;
    assert_eq!(given.goes_on().await, TurnEnd::Answered {});
    assert_eq!(requests(&given), 3);
}

/// True once an attempt broke off and its repetition is waited for.
#[derive(Default)]
struct BrokenAttempts(AtomicBool);

impl EventSink for BrokenAttempts {
    fn event(&self, event: &TurnEvent) -> bool {
        self.0.fetch_or(matches!(event, TurnEvent::Retrying { .. }), Ordering::SeqCst);
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_an_attempt_that_broke_off_counts_for_every_session_during_the_wait() {
    let given = remote(json!([dollars("day", "1.5")])).await;
    given.model.breaks_off(true);
    let (app, session, sink) = (given.app.clone(), given.session, Arc::<BrokenAttempts>::default());
    let (events, message) = (Arc::clone(&sink), crate::scenario::message(&"wool ".repeat(9_000)));
    let turn = tokio::spawn(async move { app.turns.run(session, message, events).await });
    until("it has broken off", async || sink.0.load(Ordering::SeqCst)).await;
    let other = given.app.sessions.create().await.unwrap();
    let said = given.app.turns.run(other, crate::scenario::message("Two"), deaf()).await.unwrap();
    let TurnEnd::Failed { error } = said else { panic!("it left") };
    assert!(cents(&stop(error).under_way.unwrap()) >= 200, "the next attempt counts, too");
    given.app.turns.stop(session).await.unwrap();
    turn.await.unwrap().unwrap();
}

/// Tests the provider as it is configured, under an id that may not be stored.
async fn tests_as(given: &Scenario, id: &str) -> Result<String, Error> {
    let mut config = given.app.providers.list().await.unwrap().remove(0).config;
    config.id = ProviderId(id.into());
    given.app.connection_tests.test(config, None, Some("m".into())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_test_of_a_provider_is_entered_and_stopped_by_the_budget_of_the_day() {
    let given = with(json!([dollars("session", "0.00001"), dollars("day", "1")])).await;
    given.model.says([Say::words("OK").at(20_000)]);
    assert_eq!(tests_as(&given, "unsaved").await, Ok("m".into()));
    let spent = given.app.budgets.reports(None).await.unwrap();
    assert_eq!(cents(&spent[0].gauges[0].spent), 200, "by the prices of the form");
    let totals = given.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    let purpose = CallPurpose::ConnectionTest;
    assert_eq!((&totals[0].key, totals[0].calls), (&UsageKey::Purpose { purpose }, 1));

    let refused = stop(tests_as(&given, "p").await.unwrap_err());
    assert_eq!(refused.purpose, purpose);
    assert!(matches!(refused.period, BudgetPeriod::Day { .. }), "no session's budget counts it");
    assert_eq!(requests(&given), 1);
    given.app.budgets.allow(None, refused, BudgetAllowance::Once).await.unwrap();
    assert_eq!(tests_as(&given, "p").await, Ok("m".into()));
    stop(tests_as(&given, "p").await.unwrap_err());
    assert_eq!(requests(&given), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn c04_a_test_that_was_refused_is_not_entered() {
    let given = with(json!([])).await;
    given.model.answers(false);
    tests_as(&given, "p").await.unwrap_err();
    assert_eq!(requests(&given), 1);
    assert_eq!(given.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap(), []);
}
