//! The sum of the ledger over a session, a day and a month.

use skein_context::cost::budget::Spending;
use skein_domain::budget::{BudgetPeriod, BudgetScope};
use skein_domain::cost::Cost;
use skein_domain::ids::SessionId;
use skein_domain::money::{Currency, Money};
use skein_domain::usage::TokenUsage;
use skein_store::{LedgerEntry, NewSession};

use super::ledger::entry;
use super::scenario::{NOW, Scenario, a_session};

const DAY: i64 = 24 * 60 * 60 * 1_000;

fn money(amount: u64, currency: &str) -> Money {
    Money { amount, currency: Currency::parse(currency).unwrap() }
}

fn at(at: i64, entry: LedgerEntry) -> LedgerEntry {
    LedgerEntry { at, ..entry }
}

async fn spent(given: &Scenario, scope: BudgetScope) -> Spending {
    given.store.period_spending(scope, Some(given.session.id), NOW).await.unwrap().unwrap().1
}

#[tokio::test]
async fn c04_each_currency_and_the_tokens_of_unknown_cost_are_summed_for_themselves() {
    let given = a_session().await;
    assert_eq!(spent(&given, BudgetScope::Day).await, Spending::default());
    for cost in [
        Cost::Known { money: money(5, "USD") },
        Cost::Known { money: money(7, "CNY") },
        Cost::Known { money: money(6, "USD") },
        Cost::Unknown {},
        Cost::NotBilled {},
    ] {
        given.store.add_ledger_entry(entry(&given, None, cost)).await.unwrap();
    }
    for scope in [BudgetScope::Session, BudgetScope::Day, BudgetScope::Month] {
        let Spending { money: sums, tokens, unpriced_tokens, is_floor } =
            spent(&given, scope).await;
        assert_eq!(sums, [money(7, "CNY"), money(11, "USD")], "{scope:?}");
        assert_eq!((tokens, unpriced_tokens, is_floor), (5_500, 1_100, false), "{scope:?}");
    }
    let silent = LedgerEntry {
        usage: TokenUsage::default(),
        ..entry(&given, None, Cost::AtLeast { money: money(1, "USD") })
    };
    given.store.add_ledger_entry(silent).await.unwrap();
    assert!(spent(&given, BudgetScope::Month).await.is_floor);
}

#[tokio::test]
async fn c04_earlier_days_and_other_sessions_do_not_count() {
    let given = a_session().await;
    let cost = || Cost::Known { money: money(1, "USD") };
    for time in [NOW - 40 * DAY, NOW - 2 * DAY, NOW] {
        given.store.add_ledger_entry(at(time, entry(&given, None, cost()))).await.unwrap();
    }
    let other = given.store.create_session(NewSession::default()).await.unwrap();
    let elsewhere =
        LedgerEntry { thread: Some(other.current_thread), ..entry(&given, None, cost()) };
    given.store.add_ledger_entry(elsewhere).await.unwrap();
    let sum = async |scope| spent(&given, scope).await.money[0].amount;
    // NOW is the 15th of January 2027, wherever this machine is.
    assert_eq!(sum(BudgetScope::Day).await, 2);
    assert_eq!(sum(BudgetScope::Month).await, 3);
    assert_eq!(sum(BudgetScope::Session).await, 3);
}

#[tokio::test]
async fn a_period_is_named_by_its_day_its_month_or_its_session() {
    let given = a_session().await;
    let of = async |scope, session| {
        let period = given.store.period_spending(scope, Some(session), NOW).await.unwrap();
        period.unwrap().0
    };
    let id = given.session.id;
    let BudgetPeriod::Day { day } = of(BudgetScope::Day, id).await else { panic!() };
    assert!(day.starts_with("2027-01-1"), "{day}");
    assert_eq!(of(BudgetScope::Month, id).await, BudgetPeriod::Month { month: "2027-01".into() });
    let created_at = given.session.created_at;
    let session = BudgetPeriod::Session { session: id, created_at };
    assert_eq!(of(BudgetScope::Session, id).await, session);
    let gone = BudgetPeriod::Session { session: SessionId(99), created_at: 0 };
    assert_eq!(of(BudgetScope::Session, SessionId(99)).await, gone);
    let nothing = given.store.period_spending(BudgetScope::Session, None, NOW).await.unwrap();
    assert_eq!(nothing, None, "a call outside of sessions");
}
