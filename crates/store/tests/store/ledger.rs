//! The ledger of what calls cost.

use skein_context::cost::cache_miss::{RequestStart, ToolFingerprint};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_domain::cache_miss::CacheMiss;
use skein_domain::cost::Cost;
use skein_domain::generation::CallPurpose;
use skein_domain::ids::{MessageId, ProviderId};
use skein_domain::message::Role;
use skein_domain::model::ModelRef;
use skein_domain::money::{Currency, Money};
use skein_domain::price::TokenPrices;
use skein_domain::usage::{CacheTotals, TokenUsage};
use skein_store::{LedgerEntry, PaidCall, Store, UsageGrouping, UsageKey, UsageTotal};

use super::scenario::{NOW, Scenario, a_session};

fn money(amount: u64, currency: &str) -> Money {
    Money { amount, currency: Currency::parse(currency).unwrap() }
}

pub fn entry(given: &Scenario, message: Option<MessageId>, cost: Cost) -> LedgerEntry {
    LedgerEntry {
        at: NOW,
        thread: Some(given.thread()),
        message,
        purpose: CallPurpose::Reply,
        model: ModelRef { provider: ProviderId("loom".into()), model: "warp".into() },
        answered_by: Some("warp-2026".into()),
        service_tier: Some("flex".into()),
        usage: TokenUsage {
            prompt: Some(1_000),
            completion: Some(100),
            cached: Some(400),
            ..TokenUsage::default()
        },
        cache_written_hour: Some(7),
        cost,
        prices: Some(TokenPrices { input: Some(250_000), ..TokenPrices::default() }),
    }
}

async fn totals(given: &Scenario, by: UsageGrouping) -> Vec<UsageTotal> {
    given.store.usage_totals(by, 0).await.unwrap()
}

#[tokio::test]
async fn c01_a_reply_is_stored_with_what_it_cost() {
    let given = a_session().await;
    given.says(Role::User, "Red wool").await;
    let reply = given.says(Role::Assistant, "Noted.").await;
    let known = Cost::Known { money: money(1, "USD") };
    let entry = entry(&given, Some(reply.id), known.clone());
    let call = PaidCall { entry: Some(entry.clone()), ..PaidCall::default() };
    given.store.finish_reply(reply.clone(), call).await.unwrap();
    let costs = given.store.message_costs(given.thread(), MessageId(0), reply.id).await.unwrap();
    assert_eq!(costs.get(&reply.id), Some(&known));
    let rows = given.store.ledger_rows().await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].entry, entry);
    assert_eq!(rows[0].session, Some(given.session.id));
    assert_eq!(rows[0].time, "2027-01-15T08:00:00Z");
}

#[tokio::test]
async fn c01_what_was_paid_for_stays_when_its_session_is_deleted_for_good() {
    let given = a_session().await;
    let cost = Cost::AtLeast { money: money(5, "USD") };
    given.store.add_ledger_entry(entry(&given, None, cost)).await.unwrap();
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    given.store.purge_session(given.session.id).await.unwrap();
    let by_session = totals(&given, UsageGrouping::Session).await;
    let session = Some(given.session.id);
    assert_eq!(by_session[0].key, UsageKey::Session { name: None, is_deleted: true, session });
    assert_eq!(by_session[0].money, [money(5, "USD")]);
    assert_eq!(by_session[0].at_least, 1);
}

#[tokio::test]
async fn c02_currencies_are_never_added_up_and_unknown_is_counted_not_summed() {
    let given = a_session().await;
    for cost in [
        Cost::Known { money: money(5, "USD") },
        Cost::Known { money: money(7, "CNY") },
        Cost::Known { money: money(6, "USD") },
        Cost::Unknown {},
        Cost::NotBilled {},
    ] {
        given.store.add_ledger_entry(entry(&given, None, cost)).await.unwrap();
    }
    for by in [
        UsageGrouping::Day,
        UsageGrouping::Model,
        UsageGrouping::Provider,
        UsageGrouping::Session,
        UsageGrouping::Purpose,
    ] {
        let [total] = totals(&given, by).await.try_into().unwrap();
        assert_eq!(total.money, [money(7, "CNY"), money(11, "USD")], "{by:?}");
        assert_eq!((total.calls, total.unknown, total.not_billed), (5, 1, 1), "{by:?}");
        assert_eq!((total.prompt, total.cached, total.completion), (5_000, 2_000, 500), "{by:?}");
    }
    assert_eq!(given.store.usage_totals(UsageGrouping::Day, NOW + 1).await.unwrap(), []);
}

#[tokio::test]
async fn c06_a_call_that_reports_nothing_of_the_cache_is_no_part_of_the_totals() {
    let given = a_session().await;
    let session = given.session.id;
    assert_eq!(given.store.cache_totals(session).await.unwrap(), None);
    for (prompt, cached) in
        [(Some(1_000), None), (None, Some(5)), (Some(1_000), Some(0)), (Some(500), Some(800))]
    {
        let usage = TokenUsage { prompt, cached, ..TokenUsage::default() };
        let entry = LedgerEntry { usage, ..entry(&given, None, Cost::Unknown {}) };
        given.store.add_ledger_entry(entry).await.unwrap();
    }
    let totals = given.store.cache_totals(session).await.unwrap();
    // More than the prompt is never cached.
    assert_eq!(totals, Some(CacheTotals { calls: 2, cached: 500, prompt: 1_500 }));
}

#[tokio::test]
async fn c06_the_cause_of_a_miss_is_kept_with_its_reply_and_only_the_last_start_of_a_thread() {
    let given = a_session().await;
    given.says(Role::User, "Red wool").await;
    let reply = given.says(Role::Assistant, "Noted.").await;
    let start = |tokens| RequestStart {
        model: ModelRef { provider: ProviderId("loom".into()), model: "warp".into() },
        points: None,
        system: "0".into(),
        tools: vec![ToolFingerprint { name: "look".into(), declaration: "1".into() }],
        messages: vec!["2".into()],
        cleaned: Some(3),
        tokens,
        ended_at: NOW,
        lifetime: CacheLifetime::Hour,
        has_cache: true,
    };
    let thread = given.thread();
    assert_eq!(given.store.request_start(thread).await.unwrap(), None);
    let cause = CacheMiss::Tool { name: "look".into() };
    for (tokens, miss) in [(1, Some(cause.clone())), (2, None)] {
        let at = (thread, reply.id);
        given.store.set_request_start(at, start(tokens), miss).await.unwrap();
    }
    assert_eq!(given.store.request_start(thread).await.unwrap(), Some(start(2)));
    let misses = given.store.cache_misses(MessageId(0), reply.id).await.unwrap();
    assert_eq!(misses.get(&reply.id), Some(&cause));
}

#[tokio::test]
async fn c04_a_call_of_no_conversation_is_entered_and_is_in_no_session() {
    let given = a_session().await;
    let cost = Cost::Known { money: money(5, "USD") };
    let test = LedgerEntry {
        thread: None,
        purpose: CallPurpose::ConnectionTest,
        ..entry(&given, None, cost.clone())
    };
    given.store.add_ledger_entry(test.clone()).await.unwrap();
    given.store.add_ledger_entry(entry(&given, None, cost)).await.unwrap();
    let rows = given.store.ledger_rows().await.unwrap();
    assert_eq!((rows[0].session, &rows[0].entry), (None, &test));
    let keys = |totals: Vec<UsageTotal>| totals.into_iter().map(|total| total.key);
    let by_session: Vec<_> = keys(totals(&given, UsageGrouping::Session).await).collect();
    assert!(by_session.contains(&UsageKey::NoSession {}), "{by_session:?}");
    assert_eq!(by_session.len(), 2);
    let by_purpose: Vec<_> = keys(totals(&given, UsageGrouping::Purpose).await).collect();
    assert!(by_purpose.contains(&UsageKey::Purpose { purpose: CallPurpose::ConnectionTest }));
}

#[tokio::test]
async fn c04_entries_from_before_calls_outside_of_sessions_stay() {
    let given = a_session().await;
    let cost = Cost::Known { money: money(5, "USD") };
    let old = entry(&given, None, cost);
    given.store.add_ledger_entry(old.clone()).await.unwrap();
    let Scenario { places, store, .. } = given;
    drop(store);
    let table = include_str!("../../../../migrations/26-ledger/up.sql");
    let sql = format!(
        "DROP TABLE encrypted_summaries;
         ALTER TABLE ledger RENAME TO newer; DROP INDEX ledger_of_message;
         DROP INDEX ledger_by_time; DROP INDEX ledger_of_session; {table}
         CREATE INDEX ledger_of_session ON ledger (session_id) WHERE session_id IS NOT NULL;
         INSERT INTO ledger SELECT * FROM newer; DROP TABLE newer; PRAGMA user_version = 29"
    );
    rusqlite::Connection::open(places.database()).unwrap().execute_batch(&sql).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(store.ledger_rows().await.unwrap()[0].entry, old);
    store.add_ledger_entry(LedgerEntry { thread: None, ..old }).await.unwrap();
    assert_eq!(store.ledger_rows().await.unwrap().len(), 2);
}
