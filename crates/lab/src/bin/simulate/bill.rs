//! The bill of a conversation's calls under a price list.

use std::ops::Add;

use skein_context::cost::{BilledCall, Pricing, cost};
use skein_domain::cost::{BillingReport, Cost};
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use crate::calls::{Call, ReplyCall, SummaryCall};
use crate::price_lists::{Cache, PriceList, pricing};

/// The cost of calls, with the tokens that were read and written for it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Bill {
    /// In units of 10⁻¹² of the list's currency.
    pub amount: u128,
    /// The part of it for writing summaries, and for summaries and facts in later prompts.
    pub facts: u128,
    /// Tokens of prompts that no cache held and none was charged for writing.
    pub fresh: u64,
    pub read: u64,
    pub written: u64,
    pub output: u64,
}

impl Add for Bill {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            amount: self.amount + other.amount,
            facts: self.facts + other.facts,
            fresh: self.fresh + other.fresh,
            read: self.read + other.read,
            written: self.written + other.written,
            output: self.output + other.output,
        }
    }
}

/// How much longer than in the table the pauses are: `times` / `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PauseScale {
    pub times: u32,
    pub of: u32,
}

/// The sum over the calls of one conversation as it grows.
struct Billing<'a> {
    list: &'a PriceList,
    replies: &'a Pricing,
    summaries: &'a Pricing,
    /// `None`: nothing is cached.
    cache: Option<Cache>,
    pauses: PauseScale,
    /// Ends of beginnings of the last prompt that the cache holds, where it is asked to.
    held: Vec<u32>,
    last: u32,
    bill: Bill,
}

/// The bill of a conversation. Unless `is_cached`, nothing is read from the provider's cache nor written.
pub fn bill(calls: &[Call], list: &PriceList, pauses: PauseScale, is_cached: bool) -> Bill {
    let replies = pricing(&list.table);
    let summaries = list.summaries.as_ref().map_or_else(|| replies.clone(), pricing);
    let mut billing = Billing {
        list,
        replies: &replies,
        summaries: &summaries,
        cache: list.cache.filter(|_| is_cached),
        pauses,
        held: Vec::new(),
        last: 0,
        bill: Bill::default(),
    };
    for call in calls {
        match call {
            Call::Reply(call) => billing.reply(call),
            Call::Summary(call) => billing.summary(call),
        }
    }
    billing.bill
}

impl Billing<'_> {
    fn reply(&mut self, call: &ReplyCall) {
        let (read, written) = match self.cache {
            None => (0, 0),
            Some(cache) => self.through(cache, call),
        };
        let amount = self.add(self.replies, call.prompt, read, written, call.output);
        // Summary and facts stand right behind system prompt and tools.
        let kept = call.kept.min(call.prompt);
        let kept_read = kept.min(read.saturating_sub(call.breakpoints[0]));
        let kept_written = (kept - kept_read).min(written);
        let (rest, read, written) = (call.prompt - kept, read - kept_read, written - kept_written);
        let without = self.price(self.replies, rest, read, written, call.output);
        self.bill.facts += amount.saturating_sub(without);
        self.last = call.prompt;
    }

    /// Tokens of a prompt that are read from a cache and written to it.
    fn through(&mut self, cache: Cache, call: &ReplyCall) -> (u32, u32) {
        let pause = i64::from(call.pause) * 1_000 * i64::from(self.pauses.times)
            / i64::from(self.pauses.of);
        let is_kept = pause <= cache.rules.lifetime;
        let minimum = cache.rules.minimum;
        if !cache.is_asked {
            let common = Some(call.common).filter(|common| is_kept && *common >= minimum);
            let read = common.unwrap_or(0);
            let is_written = cache.bills_writes && call.prompt >= minimum;
            return (read, if is_written { call.prompt - read } else { 0 });
        }
        self.held.retain(|end| is_kept && *end <= call.common);
        let read = self.held.iter().copied().max().unwrap_or(0);
        let asked = call.breakpoints.iter().copied().filter(|end| *end >= minimum);
        self.held.extend(asked);
        let end = self.held.iter().copied().max().unwrap_or(0);
        (read, end.saturating_sub(read))
    }

    /// A summary follows a call at once. It goes on with the conversation where its model is the same, and
    /// the cache makes that cheaper.
    fn summary(&mut self, call: &SummaryCall) {
        let is_own = self.list.summaries.is_none();
        let in_place = call.in_place.filter(|_| is_own).and_then(|prompt| {
            let cached = if self.cache.is_some() { self.last.min(prompt) } else { 0 };
            let weight = prompt - cached + cached / 4;
            (weight < call.replaced).then_some((prompt, cached))
        });
        let (prompt, cached) = in_place.unwrap_or((call.fresh, 0));
        self.bill.facts += self.add(self.summaries, prompt, cached, 0, call.output);
    }

    fn add(&mut self, by: &Pricing, prompt: u32, read: u32, written: u32, output: u32) -> u128 {
        let amount = self.price(by, prompt, read, written, output);
        self.bill.amount += amount;
        self.bill.read += u64::from(read);
        self.bill.written += u64::from(written);
        self.bill.fresh += u64::from(prompt - read - written);
        self.bill.output += u64::from(output);
        amount
    }

    fn price(&self, by: &Pricing, prompt: u32, read: u32, written: u32, output: u32) -> u128 {
        let usage = TokenUsage {
            prompt: Some(prompt),
            completion: Some(output),
            cached: Some(read),
            cache_written: Some(written),
            ..TokenUsage::default()
        };
        let report = &BillingReport::default();
        let call = BilledCall { usage: &usage, report, finish: Some(FinishReason::Stop) };
        match cost(call, by) {
            Cost::Known { money } | Cost::AtLeast { money } => u128::from(money.amount),
            Cost::Unknown {} | Cost::NotBilled {} => 0,
        }
    }
}
