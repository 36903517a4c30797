//! The bill of calls written by hand, and the goals with few conversations.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use skein_context::cost::prompt_cache::CacheRules;
use skein_domain::money::Currency;
use skein_domain::price::{PriceTable, TokenPrices};

use crate::bill::{Bill, PauseScale, bill};
use crate::calls::{Call, ReplyCall, SummaryCall};
use crate::cost_tables::{Goals, live};
use crate::price_lists::{Cache, PriceList, price_lists};

const AS_THEY_ARE: PauseScale = PauseScale { times: 1, of: 1 };

/// 10 for a fresh token, 1 for a cached, 12 for a written one and 20 for one of the answer.
fn list(cache: Option<Cache>) -> PriceList {
    let prices = TokenPrices {
        input: Some(10),
        output: Some(20),
        cache_read: Some(1),
        cache_write: Some(12),
        ..TokenPrices::default()
    };
    let table = PriceTable::flat(Currency::usd(), prices);
    PriceList { name: "by hand", table, summaries: None, cache }
}

fn cache(is_asked: bool, bills_writes: bool) -> Option<Cache> {
    let rules = CacheRules { minimum: 1_000, lifetime: 300_000, expiry: 300_000 };
    Some(Cache { rules, is_asked, bills_writes })
}

fn reply(pause: u32, prompt: u32, common: u32, breakpoints: [u32; 3]) -> Call {
    Call::Reply(ReplyCall { pause, prompt, common, breakpoints, kept: 0, output: 10 })
}

/// The fresh, read and written tokens of the last of some calls.
fn of_last(calls: &[Call], cache: Option<Cache>, pauses: PauseScale) -> (u64, u64, u64) {
    let sum = |calls: &[Call]| bill(calls, &list(cache), pauses, true);
    let (all, before) = (sum(calls), sum(&calls[..calls.len() - 1]));
    let last = (all.fresh - before.fresh, all.read - before.read, all.written - before.written);
    let paid = u128::from(last.0 * 10 + last.1 + last.2 * 12 + 200);
    assert_eq!(all.amount - before.amount, paid, "the bill is the sum of these");
    last
}

#[test]
fn c09_a_prefix_is_read_while_the_cache_lives_and_it_is_long_enough() {
    let first = reply(0, 2_000, 0, [500, 0, 0]);
    let automatic = cache(false, false);
    let twice = PauseScale { times: 2, of: 1 };
    let half = PauseScale { times: 1, of: 2 };
    for (pause, common, pauses, read) in [
        (10, 2_000, AS_THEY_ARE, 2_000),
        (300, 2_000, AS_THEY_ARE, 2_000),
        (301, 2_000, AS_THEY_ARE, 0),
        (301, 2_000, half, 2_000),
        (151, 2_000, twice, 0),
        (10, 1_000, AS_THEY_ARE, 1_000),
        (10, 999, AS_THEY_ARE, 0),
    ] {
        let calls = [first, reply(pause, 3_000, common, [500, 0, 0])];
        let expected = (3_000 - read, read, 0);
        assert_eq!(of_last(&calls, automatic, pauses), expected, "{pause} s, {common} in common");
    }
}

#[test]
fn c09_what_a_cache_takes_is_written_only_where_that_is_billed_or_asked_for() {
    let calls = [reply(0, 2_000, 0, [500, 1_500, 0]), reply(1, 3_000, 1_800, [500, 2_500, 0])];
    let last = |cache| of_last(&calls, cache, AS_THEY_ARE);
    assert_eq!(last(None), (3_000, 0, 0));
    assert_eq!(last(cache(false, false)), (1_200, 1_800, 0));
    assert_eq!(last(cache(false, true)), (0, 1_800, 1_200));
    // Read up to the last end that was written, written up to the next one.
    assert_eq!(last(cache(true, true)), (500, 1_500, 1_000));
    let changed = [calls[0], reply(1, 3_000, 1_400, [500, 2_500, 0])];
    assert_eq!(of_last(&changed, cache(true, true), AS_THEY_ARE), (500, 0, 2_500));
}

#[test]
fn c09_a_summary_goes_on_with_the_conversation_where_the_cache_makes_that_cheaper() {
    let summary = |in_place, replaced| {
        let calls = [
            reply(0, 2_000, 0, [500, 0, 0]),
            Call::Summary(SummaryCall { fresh: 1_500, in_place, replaced, output: 10 }),
        ];
        of_last(&calls, cache(false, false), AS_THEY_ARE)
    };
    assert_eq!(summary(Some(2_400), 1_800), (400, 2_000, 0));
    assert_eq!(summary(Some(2_400), 900), (1_500, 0, 0), "400 and a quarter of 2,000 are not less");
    assert_eq!(summary(None, 1_800), (1_500, 0, 0));
}

#[test]
fn c09_kept_facts_cost_what_a_prompt_without_them_would_save() {
    let with = |kept| {
        let call = ReplyCall {
            pause: 1,
            prompt: 2_000,
            common: 0,
            breakpoints: [500, 0, 0],
            kept,
            output: 10,
        };
        bill(&[Call::Reply(call)], &list(None), AS_THEY_ARE, true)
    };
    let plain = Bill { amount: 20_200, fresh: 2_000, output: 10, ..Bill::default() };
    assert_eq!(with(0), plain);
    assert_eq!(with(300), Bill { facts: 3_000, ..plain });
}

#[test]
fn c09_a_conversation_of_each_kind_meets_the_goals_under_every_price_list() {
    let lists = price_lists();
    assert_eq!(lists.len(), 7, "a model has left the catalogue");
    let lived = live(6, &lists);
    for (at, list) in lists.iter().enumerate() {
        for pauses in 0..3 {
            let goals = Goals::of(&lists, &lived, at, pauses).unwrap();
            assert!(goals.are_met(), "{}: {goals:?}", list.name);
        }
    }
}
