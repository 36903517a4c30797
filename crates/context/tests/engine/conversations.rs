//! Whole conversations against servers that count otherwise than the program does: what reaches the
//! person is only what no compaction could have prevented.

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_domain::strategy::Strategy;
use skein_domain::tool_declaration::ToolFamily;

use crate::fixture::Thread;

/// Tokens of the shortest summary there is, with what stands around it.
const LEAST_SUMMARY: u32 = 84;

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(below.max(1))).unwrap()
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.roll(most.saturating_sub(least) + 1)
    }
}

/// A server that enforces its window with a tokeniser of its own.
#[derive(Clone, Copy)]
struct Server {
    window: u32,
    /// Its tokens for a hundred of ours.
    percent: u32,
}

impl Server {
    fn takes(&self, used: u32) -> bool {
        u64::from(used) * u64::from(self.percent) / 100 <= u64::from(self.window)
    }
}

/// The outcome of a conversation.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
struct Tally {
    turns: u32,
    compactions: u32,
    /// Refusals that a repetition made good.
    recovered: u32,
    /// Errors that reached the person though there was history to cover.
    preventable: u32,
    /// Errors that reached the person because the message alone was too long.
    too_long: u32,
}

struct Life {
    thread: Thread,
    server: Server,
    dice: Dice,
    attempt: CompactionAttempt,
    tally: Tally,
}

impl Life {
    fn begin(seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll(2);
        let windows = [4_096, 8_192, 16_385, 32_768, 128_000, 200_000, 1_000_000];
        let window = windows[dice.roll(7) as usize];
        let percent = dice.between(75, 140);
        let thread = Thread::new().window_of(window).system(dice.between(100, 400)).tool(
            "read_file",
            ToolFamily::BuiltIn,
            120,
        );
        let server = Server { window, percent };
        Self { thread, server, dice, attempt: CompactionAttempt::None, tally: Tally::default() }
    }

    fn change(&mut self, change: impl FnOnce(Thread) -> Thread) {
        self.thread = change(std::mem::replace(&mut self.thread, Thread::new()));
    }

    /// The summary turns out shorter than allowed, or as long as that.
    fn compact(&mut self, plan: &Plan) {
        let tokens = self.dice.between(plan.summary_room / 3, plan.summary_room);
        let before = self.thread.used();
        self.change(|thread| thread.compacted(plan, tokens));
        assert!(self.thread.used() < before, "a compaction that gains nothing");
        self.tally.compactions += 1;
        self.attempt = CompactionAttempt::Done;
    }

    fn withhold(&mut self, call_id: &str) {
        let before = self.thread.used();
        self.change(|thread| thread.without_output(call_id));
        assert!(self.thread.used() < before, "an output that leaves for nothing");
    }

    fn ask(&self, trigger: GateTrigger) -> Decision {
        self.thread.verdict(trigger, |state| state.attempt = self.attempt).decision
    }

    /// One generation, gate and recovery included. `false`: an error reached the person.
    fn generate(&mut self, trigger: GateTrigger) -> bool {
        let Some(meanwhile) = self.pass_gate(trigger) else {
            // The gate goes by our own count, and leaves room for the least summary.
            let window = self.server.window - LEAST_SUMMARY.min(self.server.window);
            return self.refused_by(Server { window, percent: 100 });
        };
        if !self.server.takes(self.thread.used()) {
            match self.ask(GateTrigger::Overflow { repeated: false }) {
                Decision::Compact { plan, .. } => self.compact(&plan),
                Decision::Withhold { call_id, .. } => self.withhold(&call_id),
                Decision::TooLong { .. } => return self.refused_by(self.server),
                other => panic!("{other:?}"),
            }
            if !self.server.takes(self.thread.used()) {
                return self.refused_by(self.server);
            }
            self.tally.recovered += 1;
        } else if let Some(plan) = meanwhile {
            self.compact(&plan);
        }
        true
    }

    /// Does what the gate says until the call may leave, perhaps with a compaction meanwhile; `None`
    /// when it may not.
    fn pass_gate(&mut self, trigger: GateTrigger) -> Option<Option<Plan>> {
        for _ in 0..10 {
            match self.ask(trigger) {
                Decision::Go {} | Decision::Stuck { .. } => return Some(None),
                Decision::Compact { plan, first: false } => return Some(Some(plan)),
                Decision::Compact { plan, first: true } => self.compact(&plan),
                Decision::Withhold { call_id, .. } => self.withhold(&call_id),
                Decision::TooLong { .. } => return None,
                other => panic!("{other:?}"),
            }
        }
        panic!("the gate is asked again and again")
    }

    /// It cannot leave, for good: was there anything left to cover?
    fn refused_by(&mut self, server: Server) -> bool {
        let open_from = self.thread.see(|window| window.rounds.open_start());
        let current = self.thread.messages.iter().skip(open_from);
        let alone: u32 = current.map(|(_, tokens)| tokens.total()).sum();
        // System prompt and tools take at most 520.
        if server.takes(alone + 520) {
            self.tally.preventable += 1;
        } else {
            self.tally.too_long += 1;
        }
        false
    }

    fn turn(&mut self) {
        self.tally.turns += 1;
        self.attempt = CompactionAttempt::None;
        let window = self.server.window;
        let asks = match self.dice.roll(40) {
            0 => self.dice.between(window / 8, window / 2),
            _ => self.dice.between(10, 200.min(window / 20)),
        };
        self.change(|thread| thread.person(asks));
        if !self.generate(GateTrigger::BeforeSend) {
            self.thread.messages.pop();
            return;
        }
        let calls = if self.dice.roll(3) == 0 { self.dice.between(1, 6) } else { 0 };
        for _ in 0..calls {
            let tokens = self.dice.between(20, (window / 10).min(10_000));
            // Most read, some write.
            let writes = self.dice.roll(4) == 0;
            let (args, result) = if writes { (tokens, 20) } else { (0, tokens) };
            self.change(|thread| thread.writes(args, result));
            if !self.generate(GateTrigger::BeforeGeneration) {
                self.change(|thread| thread.model(10));
                return;
            }
        }
        let answers = self.dice.between(10, 600.min(window / 16));
        self.change(|thread| thread.model(answers));
        if let Decision::Compact { plan, .. } = self.ask(GateTrigger::TurnCompleted) {
            self.compact(&plan);
        }
    }

    /// The person goes on with a model whose window is smaller, or larger.
    fn switch(&mut self) {
        let windows = [8_192, 32_768, 128_000, 200_000];
        let window = windows[self.dice.roll(4) as usize];
        self.server.window = window;
        self.thread.limits.window = Some(window);
    }
}

fn live(seed: u64) -> Tally {
    let mut life = Life::begin(seed);
    let turns = life.dice.between(20, 120);
    for turn in 0..turns {
        if turn % 40 == 39 && life.dice.roll(2) == 0 {
            life.switch();
        }
        life.turn();
    }
    life.tally
}

#[test]
fn us_1_no_error_that_a_compaction_could_have_prevented_reaches_the_person() {
    let mut all = Tally::default();
    for seed in 1..=150 {
        let tally = live(seed);
        assert_eq!(tally.preventable, 0, "conversation {seed}: {tally:?}");
        all.turns += tally.turns;
        all.compactions += tally.compactions;
        all.recovered += tally.recovered;
        all.too_long += tally.too_long;
    }
    assert!(all.compactions > 500, "{all:?}");
    assert!(all.recovered > 0, "no server ever disagreed: {all:?}");
    assert!(all.too_long * 50 < all.turns, "too much is held: {all:?}");
}

#[test]
fn with_everything_off_the_same_conversations_overflow() {
    let mut errors = 0;
    for seed in 1..=20 {
        let mut life = Life::begin(seed);
        life.thread.policy.automatic = false;
        life.thread.policy.strategy = Strategy::Summarize;
        for _ in 0..60 {
            life.turn();
        }
        assert_eq!(life.tally.compactions, 0);
        errors += life.tally.preventable;
    }
    assert!(errors > 100, "{errors}");
}
