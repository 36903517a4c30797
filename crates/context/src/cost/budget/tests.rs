use skein_domain::budget::BudgetScope;
use skein_domain::price::{PriceTable, TokenPrices};

use super::*;

const DOLLAR: u64 = 1_000_000_000_000;

fn money(amount: u64, currency: &str) -> Money {
    Money { amount, currency: Currency::parse(currency).unwrap() }
}

fn in_money(amount: &str, currency: &str) -> Budget {
    let (amount, currency) = (amount.into(), currency.into());
    let limit = BudgetLimit::Money { amount, currency, unpriced_tokens: 1_000 };
    Budget { scope: BudgetScope::Day, limit, warn_at: 80 }
}

fn in_tokens(tokens: u64) -> Budget {
    let limit = BudgetLimit::Tokens { tokens };
    Budget { scope: BudgetScope::Day, limit, warn_at: 80 }
}

fn spent(amounts: &[Money], tokens: u64, unpriced_tokens: u64) -> Spending {
    Spending { money: amounts.to_vec(), tokens, unpriced_tokens, is_floor: false }
}

fn levels(budget: &Budget, spent: &Spending) -> Vec<BudgetLevel> {
    gauges(budget, spent, &[]).into_iter().map(|gauge| gauge.level).collect()
}

#[test]
fn c04_a_budget_warns_at_its_share_and_stops_at_its_limit() {
    use BudgetLevel::{Exceeded, Warning, Within};
    let usd = |amount| money(amount, "USD");
    for (amounts, unpriced, expected) in [
        (vec![], 0, [Within, Within]),
        (vec![usd(DOLLAR * 8 / 10 - 1)], 799, [Within, Within]),
        (vec![usd(DOLLAR * 8 / 10)], 800, [Warning, Warning]),
        (vec![usd(DOLLAR - 1)], 999, [Warning, Warning]),
        (vec![usd(DOLLAR)], 0, [Exceeded, Within]),
        (vec![usd(3 * DOLLAR)], 0, [Exceeded, Within]),
        (vec![], 1_000, [Within, Exceeded]),
        // Each currency counts for itself.
        (vec![money(9 * DOLLAR, "CNY"), usd(1)], 0, [Within, Within]),
    ] {
        let spent = spent(&amounts, 5_000_000, unpriced);
        assert_eq!(levels(&in_money("1.00", "USD"), &spent), expected, "{spent:?}");
    }
    let tokens = |tokens| levels(&in_tokens(1_000), &spent(&[usd(9 * DOLLAR)], tokens, 0));
    assert_eq!((tokens(799), tokens(800)), (vec![Within], vec![Warning]));
    assert_eq!((tokens(999), tokens(1_000)), (vec![Warning], vec![Exceeded]));
}

#[test]
fn c04_a_yes_moves_the_stop_by_the_limit_and_holds_for_that_limit_alone() {
    let budget = in_money("1", "USD");
    let over = spent(&[money(DOLLAR * 102 / 100, "USD")], 0, 0);
    let gauge = gauges(&budget, &over, &[]).remove(0);
    assert_eq!(gauge.level, BudgetLevel::Exceeded);
    let agreed = agree_to_another(&gauge);
    assert_eq!(agreed.stop.number(), DOLLAR * 202 / 100);
    let level = |budget: &Budget, cents: u64| {
        let spent = spent(&[money(DOLLAR / 100 * cents, "USD")], 0, 0);
        gauges(budget, &spent, std::slice::from_ref(&agreed)).remove(0).level
    };
    let levels = [102, 181, 182, 201, 202].map(|cents| level(&budget, cents));
    use BudgetLevel::{Exceeded, Warning, Within};
    assert_eq!(levels, [Within, Within, Warning, Warning, Exceeded]);
    assert_eq!(level(&in_money("0.5", "USD"), 102), Exceeded, "the limit was lowered");
    assert_eq!(level(&in_money("1", "EUR"), 102), Within, "nothing of it was spent");
}

#[test]
fn c04_only_calls_that_cannot_cost_its_currency_leave_a_budget_alone() {
    let of =
        |currency| PriceTable::flat(Currency::parse(currency).unwrap(), TokenPrices::default());
    let counts = |prices| {
        let pricing = Pricing { prices, ..Pricing::unknown() };
        (counts_in(&in_money("1", "CNY"), &pricing), counts_in(&in_tokens(1), &pricing))
    };
    assert_eq!(counts(Prices::NotBilled), (false, true));
    assert_eq!(counts(Prices::User(of("CNY"))), (true, true));
    assert_eq!(counts(Prices::User(of("USD"))), (false, true));
    assert_eq!(counts(Prices::Catalogue(of("USD"))), (false, true));
    assert_eq!(counts(Prices::Unknown), (true, true));
}

#[test]
fn c04_of_two_accounts_the_larger_number_counts_and_a_call_is_added() {
    let older = spent(&[money(5, "USD")], 50, 5);
    let newer = spent(&[money(3, "USD"), money(7, "CNY")], 60, 4);
    let larger = older.clone().or_larger(&newer);
    assert_eq!(larger, spent(&[money(5, "USD"), money(7, "CNY")], 60, 5));
    let floor = Spending { is_floor: true, ..newer };
    let sum = older.plus(&floor);
    assert_eq!(sum.money, [money(8, "USD"), money(7, "CNY")]);
    assert_eq!((sum.tokens, sum.unpriced_tokens, sum.is_floor), (110, 9, true));
}

#[test]
fn a_budget_is_usable_if_its_limits_are_numbers_above_0() {
    assert!(in_money("0.5", "USD").is_usable());
    for (amount, currency) in [("0", "USD"), ("-1", "USD"), ("one", "USD"), ("1", "dollar")] {
        assert!(!in_money(amount, currency).is_usable(), "{amount} {currency}");
    }
    assert!(!in_tokens(0).is_usable());
}
