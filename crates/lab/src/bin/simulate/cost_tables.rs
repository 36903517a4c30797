//! The costs of the conversations under each price list and each way of handling them.

use std::process::ExitCode;

use skein_context::limits::policy::ToolCleaning;

use crate::bill::{Bill, PauseScale, bill};
use crate::handling::Handling;
use crate::life::{Life, Tally};
use crate::price_lists::{PriceList, price_lists};
use crate::script::Script;

/// The pauses as in the table, half and twice as long.
const PAUSES: [PauseScale; 3] = [
    PauseScale { times: 1, of: 1 },
    PauseScale { times: 1, of: 2 },
    PauseScale { times: 2, of: 1 },
];

/// In the order of the tables.
const HANDLINGS: [(&str, Handling); 10] = [
    ("everything sent, nothing cached", Handling::Unlimited),
    ("everything off", Handling::Off),
    ("oldest rounds dropped", Handling::DropOldest),
    ("dropped instead of compacted, every request", Handling::DropCovered(ToolCleaning::EverySend)),
    ("dropped instead of compacted, in batches", Handling::DropCovered(ToolCleaning::InBatches)),
    ("defaults before", Handling::Before),
    ("compacted, every request", Handling::Defaults(ToolCleaning::EverySend)),
    ("compacted, in batches", Handling::Defaults(ToolCleaning::InBatches)),
    ("compacted, at compactions", Handling::Defaults(ToolCleaning::AtCompaction)),
    ("compacted, never", Handling::Defaults(ToolCleaning::Never)),
];

/// The outcome of all conversations under one handling, with a row of bills for each price list.
pub struct Outcome {
    name: &'static str,
    handling: Handling,
    tally: Tally,
    bills: Vec<[Bill; 3]>,
}

impl Outcome {
    fn of(
        (name, handling): (&'static str, Handling),
        conversations: u64,
        lists: &[PriceList],
    ) -> Self {
        let mut tally = Tally::default();
        let mut bills = vec![[Bill::default(); 3]; lists.len()];
        let is_cached = handling != Handling::Unlimited;
        for seed in 0..conversations {
            let script = Script::of(seed);
            let (lived, calls) = Life::new(&script, handling).live(&script);
            tally = tally + lived;
            for (sums, list) in bills.iter_mut().zip(lists) {
                for (sum, pauses) in sums.iter_mut().zip(PAUSES) {
                    *sum = *sum + bill(&calls, list, pauses, is_cached);
                }
            }
        }
        Self { name, handling, tally, bills }
    }

    /// An amount for each answered turn.
    fn per_turn(&self, amount: u128) -> u128 {
        amount / u128::from(self.tally.answered.max(1))
    }

    /// The bill under a list, with pauses of [`PAUSES`].
    fn bill(&self, list: usize, pauses: usize) -> Bill {
        let bill = self.bills.get(list).and_then(|bills| bills.get(pauses));
        bill.copied().unwrap_or_default()
    }

    /// The cost of an answered turn under a list, with pauses of [`PAUSES`].
    fn cost(&self, list: usize, pauses: usize) -> u128 {
        self.per_turn(self.bill(list, pauses).amount)
    }
}

/// Prints a table for each price list, and which goals are met. Fails where one is not.
pub fn print(conversations: u64) -> ExitCode {
    let lists = price_lists();
    println!("{conversations} seeded conversations under {} price lists", lists.len());
    let lived = live(conversations, &lists);
    for (at, list) in lists.iter().enumerate() {
        table(list, &lived, at);
    }
    println!();
    println!(
        "| | choice | below everything sent | below before | dropped instead, and the facts |"
    );
    println!("|---|---|---|---|---|");
    let all = (0..lists.len()).flat_map(|list| (0..PAUSES.len()).map(move |it| (list, it)));
    let mut are_met = true;
    for (list, pauses) in all {
        let goals = Goals::of(&lists, &lived, list, pauses);
        are_met &= goals.as_ref().is_some_and(Goals::are_met);
        if let (Some(goals), Some(list), Some(pauses)) =
            (goals, lists.get(list), PAUSES.get(pauses))
        {
            goals.print(list, *pauses);
        }
    }
    if are_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Lives the conversations under each handling, all at once.
pub fn live(conversations: u64, lists: &[PriceList]) -> Vec<Outcome> {
    std::thread::scope(|scope| {
        let threads = HANDLINGS
            .map(|handling| scope.spawn(move || Outcome::of(handling, conversations, lists)));
        // Only a panic leaves one out, which then fails the goals.
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn table(list: &PriceList, outcomes: &[Outcome], at: usize) {
    println!();
    println!("**{}**, in {}", list.name, list.unit());
    println!();
    println!(
        "| per answered turn | cost | pauses ½ | pauses 2× | fresh | read | written | output \
         | facts | compactions | answered |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for one in outcomes {
        let Some([bill, half, twice]) = one.bills.get(at) else { continue };
        let turns = u64::from(one.tally.answered.max(1));
        let cost = |amount: u128| list.shown(one.per_turn(amount));
        let Bill { fresh, read, written, output, .. } = *bill;
        let [fresh, read, written, output] =
            [fresh, read, written, output].map(|tokens| (tokens / turns).to_string());
        let [plain, half, twice, facts] =
            [bill.amount, half.amount, twice.amount, bill.facts].map(cost);
        let (compactions, answered) = (one.tally.compactions, one.tally.answered);
        println!(
            "| {} | {plain} | {half} | {twice} | {fresh} | {read} | {written} | {output} | {facts} \
             | {compactions} | {answered} |",
            one.name,
        );
    }
}

/// The costs of an answered turn that the goals compare.
#[derive(Debug)]
pub struct Goals {
    cleaning: ToolCleaning,
    whole: u128,
    before: u128,
    after: u128,
    /// The cost without summaries and facts, and these on top.
    dropped: u128,
}

impl Goals {
    /// Those of a list and of pauses of [`PAUSES`]; `None`: a handling was not lived.
    pub fn of(lists: &[PriceList], outcomes: &[Outcome], at: usize, pauses: usize) -> Option<Self> {
        let cleaning = lists.get(at)?.cleaning();
        let found = |handling| outcomes.iter().find(|one| one.handling == handling);
        let after = found(Handling::Defaults(cleaning))?;
        let dropped = found(Handling::DropCovered(cleaning))?.cost(at, pauses);
        Some(Self {
            cleaning,
            whole: found(Handling::Unlimited)?.cost(at, pauses),
            before: found(Handling::Before)?.cost(at, pauses),
            after: after.cost(at, pauses),
            dropped: dropped + after.per_turn(after.bill(at, pauses).facts),
        })
    }

    /// At least 70 % below everything sent, never above the former defaults, nor above dropping the oldest by
    /// more than what is kept of them costs.
    pub fn are_met(&self) -> bool {
        self.after * 10 <= self.whole * 3 && self.after <= self.before && self.after <= self.dropped
    }

    fn print(&self, list: &PriceList, pauses: PauseScale) {
        println!(
            "| {}, pauses {}/{} | {:?} | {} | {} | {} for {} |",
            list.name,
            pauses.times,
            pauses.of,
            self.cleaning,
            below(self.after, self.whole),
            below(self.after, self.before),
            list.shown(self.dropped),
            list.shown(self.after),
        );
    }
}

/// By how much one cost is below another, in percent.
fn below(cost: u128, other: u128) -> String {
    let (sign, less) = if cost > other { ("−", cost - other) } else { ("", other - cost) };
    let tenths = less * 1_000 / other.max(1);
    format!("{sign}{}.{} %", tenths / 10, tenths % 10)
}
