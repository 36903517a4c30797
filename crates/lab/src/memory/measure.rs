//! Measures one conversation, which is compacted up to ten times.

use serde::{Deserialize, Serialize};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_domain::error::Result;

use super::conversation::{Conversation, Thing, spread};
use super::program::{Program, Request};
use super::score::{Share, invented, lines, remarks, standing};
use super::set::{Language, Speaker};
use super::text::holds;

/// The number of parts of a conversation. It is compacted after each, if the program finds that
/// worthwhile.
const PARTS: usize = 20;
/// The numbers of compactions after which it is measured, beside the end.
pub const LOOKED_AT: [u32; 4] = [1, 2, 5, 10];
/// The lengths, in tokens.
pub const LENGTHS: [u32; 3] = [8_000, 32_000, 128_000];

/// Characters of a wrong search result that a finding quotes.
const REPORTED: usize = 600;

/// The seed of all conversations.
pub const SEED: u64 = 20_260_311;

/// A conversation to measure.
#[derive(Debug, Clone)]
pub struct Setting {
    pub set: String,
    /// The part of the set in one language; in lower case if `lower`.
    pub language: Language,
    /// True for the lower-case variant.
    pub lower: bool,
    /// The length in tokens.
    pub tokens: u32,
}

/// The result of one conversation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Measured {
    pub set: String,
    pub language: String,
    /// True for the lower-case variant.
    pub lower: bool,
    /// The intended length, in tokens.
    pub tokens: u32,
    /// The figures after the last compaction.
    pub last: Row,
    /// *Right* after each of the measured numbers of compactions, as far as they occurred.
    pub decay: Vec<Share>,
    pub compactions: u32,
    /// The values that are missing or wrong, in words.
    #[serde(skip)]
    pub findings: Vec<String>,
    /// The last sent facts.
    #[serde(skip)]
    pub facts: String,
}

/// The rows of the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Values that stand beside their subject.
    pub right: Share,
    /// Values present word for word.
    pub exact: Share,
    /// False remarks "(was …)".
    pub false_was: Share,
    /// Values that are present or found by a search.
    pub reach: Share,
    /// Quotations that are in no message.
    pub invented: u32,
    /// Tokens of summary and facts, relative to the covered messages.
    pub size: Share,
}

impl Row {
    pub fn join(&mut self, other: &Self) {
        self.right.join(other.right);
        self.exact.join(other.exact);
        self.false_was.join(other.false_was);
        self.reach.join(other.reach);
        self.invented += other.invented;
        self.size.join(other.size);
    }
}

/// Plays a conversation to its end and compacts it on the way.
pub async fn measure(setting: Setting) -> Result<Measured> {
    let counter = TokenCounter::for_model("gpt-4o");
    let conversation = spread(&counter, &setting.language, setting.tokens, SEED);
    let program = Program::with(&conversation.passages, window(setting.tokens)).await?;
    let mut measured = Measured {
        set: setting.set,
        language: setting.language.language,
        lower: setting.lower,
        tokens: setting.tokens,
        ..Measured::default()
    };
    for part in 1..=PARTS {
        let told = told(&conversation, part);
        let was_worth_it = program.compact(told).await?;
        measured.compactions += u32::from(was_worth_it);
        if was_worth_it && LOOKED_AT.contains(&measured.compactions) {
            let request = program.request(told).await?;
            let row = look(&conversation, &request, &counter, &mut Vec::new());
            measured.decay.push(row.right);
        }
    }
    let told = conversation.passages.len();
    let request = program.request(told).await?;
    measured.last = look(&conversation, &request, &counter, &mut measured.findings);
    let findings = &mut measured.findings;
    measured.last.reach = reach(&program, &conversation, &request, findings).await?;
    measured.facts = request.facts;
    Ok(measured)
}

/// A typical window for a conversation of this length, in tokens.
fn window(tokens: u32) -> u32 {
    if tokens > 40_000 { 131_072 } else { 32_768 }
}

/// The number of messages in the first parts, up to the end of a round.
fn told(conversation: &Conversation, part: usize) -> usize {
    let passages = &conversation.passages;
    let after = passages.iter().enumerate().skip(part * passages.len() / PARTS);
    let mut ends = after.filter(|(_, passage)| passage.by == Speaker::User);
    ends.next().map_or(passages.len(), |(at, _)| at)
}

fn look(
    conversation: &Conversation,
    request: &Request,
    counter: &TokenCounter,
    findings: &mut Vec<String>,
) -> Row {
    let lines = lines(request);
    let mut row = Row::default();
    for thing in &conversation.things {
        let Some((newest, older)) = thing.within(request.covered) else { continue };
        let standing = standing(&lines, newest, &older);
        row.right.add(standing.right);
        row.exact.add(standing.exact);
        if !standing.right {
            findings.push(missed(thing, newest.value.as_str(), standing.exact));
        }
    }
    let remarks = remarks(&request.facts, &conversation.things);
    row.false_was = remarks.false_of;
    findings.extend(remarks.false_lines.into_iter().map(|line| format!("false: {line}")));
    let covered = conversation.passages.get(..request.covered).unwrap_or_default();
    let invented = invented(&request.facts, covered);
    row.invented = u32::try_from(invented.len()).unwrap_or(u32::MAX);
    findings.extend(invented.into_iter().map(|line| format!("invented: {line}")));
    row.size = Share {
        of: counter.text(&request.summary) + counter.text(&request.facts),
        all: covered.iter().map(|passage| counter.text(&passage.text)).sum(),
    };
    row
}

fn missed(thing: &Thing, value: &str, exact: bool) -> String {
    let subject = thing.values.last().map(|(_, fact)| fact.subject.join(", ")).unwrap_or_default();
    let how = if exact { "not right" } else { "not there" };
    format!("{how}: {} ({subject}: {value})", thing.key)
}

/// Counts the values that are in the request or in the result of a search for them.
async fn reach(
    program: &Program,
    conversation: &Conversation,
    request: &Request,
    findings: &mut Vec<String>,
) -> Result<Share> {
    let lines = lines(request);
    let mut reach = Share::default();
    for thing in &conversation.things {
        let Some((newest, _)) = thing.within(request.covered) else { continue };
        if lines.iter().any(|line| holds(line.text, &newest.value)) {
            reach.add(true);
            continue;
        }
        let found = program.search(&thing.query).await?;
        let is_found = holds(&found, &newest.value);
        reach.add(is_found);
        if !is_found {
            let returned = found.replace('\n', " ").chars().take(REPORTED).collect::<String>();
            findings.push(format!("not found: {} ({}): {returned}", newest.value, thing.query));
        }
    }
    Ok(reach)
}
