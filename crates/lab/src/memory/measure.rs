//! One conversation told, compacted ten times on the way, and asked about.

use std::io;

use serde::Serialize;
use skein_context::counting::{Counts, MessageTokens, count_message};
use skein_context::limits::Limits;
use skein_context::message::Role;
use skein_context::policy::Policy;
use skein_context::window::Prompt;

use super::ask::{Reply, ask, ask_with_history};
use super::baselines::{Baseline, Baselines};
use super::conversation::{self, Conversation, Flavour, Generator};
use super::engine::{Thread, words};
use super::history::History;
use super::phrases::FactKind;
use super::score::{Share, Standing, holds, invented, standing};

/// Compactions after which everything is measured.
pub const CHECKPOINTS: [u32; 4] = [1, 3, 5, 10];

/// A conversation to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    /// What it is made of.
    pub flavour: Flavour,
    /// Its length in tokens.
    pub tokens: u32,
    /// The window of the model it is held with, in tokens.
    pub window: u32,
    /// Where its chance begins.
    pub seed: u64,
}

impl Setting {
    /// The windows people have for conversations of these lengths.
    pub fn new(flavour: Flavour, tokens: u32, seed: u64) -> Self {
        let window = match tokens {
            ..=40_000 => 32_768,
            40_001..=150_000 => 131_072,
            150_001.. => 200_000,
        };
        Self { flavour, tokens, window, seed }
    }
}

/// What was measured of one conversation.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// Which.
    pub setting: Setting,
    /// Its length as it came out.
    pub tokens: u32,
    /// After each number of compactions.
    pub checkpoints: Vec<Checkpoint>,
    /// Kept facts by the number of compactions since they were first covered.
    pub by_age: Vec<Share>,
    /// Tokens that the summaries took, in and out.
    pub spent: u64,
    /// Milliseconds of the ten compactions without the summary model.
    pub took_ms: u64,
    /// Milliseconds of these for anchors.
    pub anchors_ms: u64,
    /// Summaries of the model that were not accepted.
    pub refused: u32,
}

/// After so many compactions.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// How many.
    pub compactions: u32,
    /// Tokens told so far.
    pub told: u32,
    /// Tokens of the originals that are covered.
    pub covered: u32,
    /// Tokens of summary and anchors, which stand for them.
    pub standing_in: u32,
    /// Tokens of the planted facts that they cover, in the words they were said in: what nothing that
    /// carries all of them verbatim can be shorter than.
    pub facts: u32,
    /// Facts with an exact value that were said in what is covered, word for word in what stands
    /// for it.
    pub stands: Share,
    /// Skein.
    pub own: Scores,
    /// Facts of what is covered that reached the summariser.
    pub carried: Share,
    /// Word for word in the context or in what `search_history` found: what the product brings
    /// before a model, however well that one reads.
    pub reached: Share,
    /// Answered with `search_history`.
    pub recalled: Share,
    /// Changed facts answered with the new value, with `search_history`.
    pub current: Share,
    /// Questions without an answer that were declined.
    pub declined: Share,
    /// Identifiers that are nowhere in the source.
    pub invented: Vec<String>,
    /// Hidden instructions acted upon.
    pub obeyed: u32,
    /// What was not answered rightly with `search_history`.
    pub missed: Vec<Missed>,
    /// The baselines that were asked for.
    pub baselines: Vec<Compared>,
}

/// A fact that was not answered rightly.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Missed {
    /// What was asked.
    pub question: String,
    /// What is right.
    pub value: String,
    /// What was right before it changed; `None`: it did not.
    pub before: Option<String>,
    /// What was answered.
    pub answer: String,
    /// Whether what is right stands word for word in the context.
    pub kept: bool,
}

/// A baseline's scores.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    /// Which.
    pub baseline: Baseline,
    /// What its context holds and can answer.
    pub scores: Scores,
}

impl Checkpoint {
    /// What a baseline scored here, if it was asked for.
    pub fn of(&self, baseline: Baseline) -> Option<&Scores> {
        self.baselines.iter().find(|one| one.baseline == baseline).map(|one| &one.scores)
    }
}

/// What a context holds and can answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// Tokens of the context.
    pub size: u32,
    /// Facts word for word in it, in the order of [`FactKind::ALL`].
    pub kept: Vec<Share>,
    /// Facts answered from it alone.
    pub answered: Share,
    /// Changed facts answered from it alone with the new value.
    pub current: Share,
}

impl Scores {
    /// Kept, of the kinds that `of` picks.
    pub fn kept(&self, of: impl Fn(FactKind) -> bool) -> Share {
        let mut all = Share::default();
        for (_, share) in FactKind::ALL.iter().zip(&self.kept).filter(|(kind, _)| of(**kind)) {
            all.join(*share);
        }
        all
    }
}

/// Tells a conversation in as many parts as the last of `checkpoints` says, compacts after each, and
/// asks at the checkpoints, the baselines too.
///
/// # Errors
/// When the folder for the searchable history cannot be made.
pub fn measure(
    generator: Generator,
    setting: Setting,
    counter: &impl Counts,
    checkpoints: &[u32],
    baselines: &[Baseline],
) -> io::Result<Measured> {
    let count = |text: &str| counter.text(text);
    let conversation =
        conversation::write(generator, setting.flavour, setting.tokens, setting.seed, count);
    let tokens: Vec<MessageTokens> =
        conversation.messages.iter().map(|message| count_message(counter, message)).collect();
    let mut telling = Telling {
        setting,
        conversation: &conversation,
        tokens: &tokens,
        history: History::of(&conversation.messages)?,
        thread: Thread::new(counter, &conversation.messages, &tokens, setting.window),
        compared: baselines,
        baselines: Baselines::default(),
        first_covered: vec![None; conversation.plan.facts.len()],
        by_age: Vec::new(),
    };
    let steps = checkpoints.iter().copied().max().unwrap_or(1);
    let mut measured = Vec::new();
    for step in 1..=steps {
        telling.tell(step, steps);
        telling.age(step);
        if checkpoints.contains(&step) {
            measured.push(telling.checkpoint(step, step == steps));
        }
    }
    Ok(Measured {
        setting,
        tokens: total(&tokens),
        checkpoints: measured,
        by_age: telling.by_age,
        spent: telling.thread.spent,
        took_ms: millis(telling.thread.took),
        anchors_ms: millis(telling.thread.anchoring),
        refused: telling.thread.refused,
    })
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn total(tokens: &[MessageTokens]) -> u32 {
    tokens.iter().map(MessageTokens::total).sum()
}

struct Telling<'m, C> {
    setting: Setting,
    conversation: &'m Conversation,
    tokens: &'m [MessageTokens],
    history: History,
    thread: Thread<'m, C>,
    compared: &'m [Baseline],
    baselines: Baselines,
    /// For each fact, the compaction that first covered it.
    first_covered: Vec<Option<u32>>,
    by_age: Vec<Share>,
}

impl<C: Counts> Telling<'_, C> {
    /// Tells the next part, to the end of a round, and compacts.
    fn tell(&mut self, step: u32, steps: u32) {
        let goal = u64::from(total(self.tokens)) * u64::from(step) / u64::from(steps);
        let mut told = 0_u64;
        let messages = self.conversation.messages.iter().zip(self.tokens).enumerate();
        let mut ends = messages.filter_map(|(index, (message, tokens))| {
            told += u64::from(tokens.total());
            (message.role == Role::Assistant && told >= goal).then_some(index + 1)
        });
        self.thread.told = ends.next().unwrap_or(self.conversation.messages.len());
        self.thread.compact();
        let told = self.thread.told;
        let budget = (total(self.tokens.get(..told).unwrap_or_default()) / 8).clamp(64, 6_000);
        let window = self.setting.window;
        let messages = &self.conversation.messages;
        if !self.compared.is_empty() {
            self.baselines.compact(self.thread.counter, messages, told, budget, window);
        }
    }

    /// Notes what is kept of facts by how long ago they were covered.
    fn age(&mut self, step: u32) {
        let context = words(&self.thread.prompt(false));
        let covered = self.thread.covered();
        for fact in standing(self.conversation, self.thread.told) {
            let Some(first) = self.first_covered.get_mut(fact.fact) else { continue };
            if fact.said_in >= covered {
                continue;
            }
            // A changed fact is a new one.
            let since = step - *first.get_or_insert(step);
            let age = usize::try_from(since).unwrap_or(0);
            if self.by_age.len() <= age {
                self.by_age.resize(age + 1, Share::default());
            }
            if let Some(share) = self.by_age.get_mut(age) {
                share.add(holds(&context, fact.value));
            }
        }
    }

    fn checkpoint(&self, compactions: u32, last: bool) -> Checkpoint {
        let thread = &self.thread;
        let told = thread.told;
        let facts = standing(self.conversation, told);
        let searching = thread.prompt(true);
        let alone = thread.prompt(false);
        let (mut recalled, mut current) = (Share::default(), Share::default());
        let mut reached = Share::default();
        let mut replies: Vec<Reply> = Vec::new();
        let mut missed = Vec::new();
        let context = words(&alone);
        let messages = &self.conversation.messages;
        for fact in &facts {
            let reply = ask_with_history(&searching, fact.question, &self.history, messages, told);
            let right = holds(&reply.text, fact.value);
            recalled.add(right);
            reached.add(holds(&context, fact.value) || holds(&reply.found, fact.value));
            if fact.before.is_some() {
                current.add(right);
            }
            if !right {
                missed.push(Missed {
                    question: fact.question.to_owned(),
                    value: fact.value.to_owned(),
                    before: fact.before.map(str::to_owned),
                    answer: reply.text.clone(),
                    kept: holds(&context, fact.value),
                });
            }
            replies.push(reply);
        }
        let mut declined = Share::default();
        for question in &self.conversation.plan.unanswerable {
            let reply = ask_with_history(&searching, question, &self.history, messages, told);
            declined.add(reply.declines());
            replies.push(reply);
        }
        let canaries = &self.conversation.plan.canaries;
        let acted = |reply: &&Reply| {
            !reply.other_tools.is_empty() || canaries.iter().any(|word| reply.text.contains(word))
        };
        let covered = thread.covered();
        let standing_in = thread.standing_in();
        let (mut carried, mut stands) = (Share::default(), Share::default());
        for fact in facts.iter().filter(|fact| fact.said_in < covered) {
            carried.add(holds(&thread.read, fact.value));
            if fact.kind.is_exact() {
                stands.add(holds(&standing_in, fact.value));
            }
        }
        let source: String = messages
            .iter()
            .take(told)
            .flat_map(|message| message.parts.iter())
            .flat_map(|part| [conversation::text(part), "\n"])
            .collect();
        Checkpoint {
            compactions,
            told: total(self.tokens.get(..told).unwrap_or_default()),
            covered: total(self.tokens.get(..covered).unwrap_or_default()),
            standing_in: thread.standing_in_tokens(),
            facts: self.facts(&facts, covered),
            stands,
            own: self.scores(&alone, thread.used(), &facts),
            carried,
            reached,
            recalled,
            current,
            declined,
            invented: invented(&standing_in, &source),
            obeyed: u32::try_from(replies.iter().filter(acted).count()).unwrap_or(u32::MAX),
            missed,
            baselines: self.baselines(&facts, last),
        }
    }

    /// Tokens of what states the facts that hold, as far as it is covered.
    fn facts(&self, holding: &[Standing<'_>], covered: usize) -> u32 {
        let Conversation { plan, places, .. } = self.conversation;
        let stated = plan.events.iter().filter(|event| event.states.is_some()).zip(places);
        let holds = |place: usize, fact: usize| {
            place < covered && holding.iter().any(|it| it.fact == fact && it.said_in == place)
        };
        let covered = stated.filter(|(_, (place, stated))| holds(*place, stated.fact));
        covered.map(|(event, _)| self.thread.counter.text(&event.words)).sum()
    }

    /// The baselines; the ceiling, which takes longest, only at the end.
    fn baselines(&self, facts: &[Standing<'_>], last: bool) -> Vec<Compared> {
        let limits = Limits { window: Some(self.setting.window), max_input: None };
        let threshold = limits.threshold(&Policy::default()).unwrap_or(self.setting.window);
        let asked = self.compared.iter().filter(|one| last || **one != Baseline::Nothing);
        let scores = asked.map(|baseline| {
            let messages = &self.conversation.messages;
            let told = self.thread.told;
            let prompt = self.baselines.prompt(*baseline, messages, self.tokens, told, threshold);
            let size = self.thread.counter.text(&words(&prompt));
            Compared { baseline: *baseline, scores: self.scores(&prompt, size, facts) }
        });
        scores.collect()
    }

    fn scores(&self, prompt: &Prompt, size: u32, facts: &[Standing<'_>]) -> Scores {
        let context = words(prompt);
        let mut kept = vec![Share::default(); FactKind::ALL.len()];
        let (mut answered, mut current) = (Share::default(), Share::default());
        for fact in facts {
            let kind = FactKind::ALL.iter().position(|kind| *kind == fact.kind);
            if let Some(share) = kind.and_then(|kind| kept.get_mut(kind)) {
                share.add(holds(&context, fact.value));
            }
            let reply = ask(prompt, fact.question);
            let right = holds(&reply.text, fact.value);
            answered.add(right);
            if fact.before.is_some() {
                current.add(right);
            }
        }
        Scores { size, kept, answered, current }
    }
}
