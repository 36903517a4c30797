//! Explains a request: why each missing value is missing, and what the room of summary and facts went to.

use std::collections::BTreeMap;

use skein_context::facts::{Author, Fact, FactSource, extract, facts_not_in};
use skein_context::tokens::message_tokens::Tokenizer;
use skein_domain::ids::MessageId;

use super::conversation::Conversation;
use super::program::Request;
use super::score::{lines, quoted, standing};
use super::set::{Fact as Value, Passage, Speaker};
use super::text::{holds, names, stands};

/// The arguments of every tool call of the measurement.
pub const ARGUMENTS: &str = "{}";

/// Why each missing value of the covered passages is missing, then the room that each sort of passage
/// took and the least room for all values, as lines of text. `ids`: the messages of the passages.
pub fn explain(
    conversation: &Conversation,
    request: &Request,
    ids: &[MessageId],
    counter: &impl Tokenizer,
) -> Vec<String> {
    let covered = conversation.passages.get(..request.covered).unwrap_or_default();
    let sources: Vec<FactSource<'_>> =
        covered.iter().zip(ids).map(|(passage, id)| source(passage, *id)).collect();
    let ranking = Ranking {
        all: extract(&sources),
        unsaid: facts_not_in(&sources, &request.summary),
        request,
    };
    let all = lines(request);
    let mut told = Vec::new();
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for thing in &conversation.things {
        let Some((newest, older)) = thing.within(request.covered) else { continue };
        if standing(&all, newest, &older).right {
            continue;
        }
        let (reason, more) = ranking.reason(newest);
        *reasons.entry(reason).or_default() += 1;
        told.push(format!("{}: {reason}: {more}", thing.key));
    }
    told.extend(reasons.iter().map(|(reason, times)| format!("{times} × {reason}")));
    told.extend(spending(conversation, request, ids, counter));
    told
}

/// A passage as the program takes facts from it.
pub fn source(passage: &Passage, message: MessageId) -> FactSource<'_> {
    let (author, document) = match passage.by {
        Speaker::User => (Author::User, None),
        Speaker::Assistant => (Author::Model, None),
        Speaker::Tool => (Author::Material, Some(ARGUMENTS)),
    };
    FactSource { message, author, text: &passage.text, document }
}

/// The facts of a conversation, best first.
struct Ranking<'r> {
    all: Vec<Fact>,
    /// Those that the summary does not say.
    unsaid: Vec<Fact>,
    request: &'r Request,
}

impl Ranking<'_> {
    /// The reason why a value is missing, and the fact that holds it.
    fn reason(&self, value: &Value) -> (&'static str, String) {
        let has = |fact: &&Fact| holds(&fact.text, &value.value);
        let line = |fact: &Fact| {
            let of_line = self.all.iter().filter(|it| it.line == fact.line);
            let texts = of_line.map(|it| it.text.as_str());
            texts.chain(fact.under.as_deref()).collect::<Vec<_>>().join("; ")
        };
        let held: Vec<&Fact> = self.all.iter().filter(has).collect();
        let Some(fact) = held.iter().find(|it| names(&line(it), value)).copied() else {
            return match held.first() {
                Some(fact) => ("without its subject", line(fact)),
                None => ("not extracted", format!("{:?} {}", value.subject, value.value)),
            };
        };
        let sent = self.request.facts.lines().any(|line| stands(line, value));
        let rank = self.unsaid.iter().position(|it| it.text == fact.text);
        let place = format!(
            "{} of {}, weight {}: {}",
            rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
            self.unsaid.len(),
            fact.weight,
            line(fact)
        );
        match rank {
            _ if sent => ("there, but an older value stands after it", place),
            None => ("taken for said in the summary", place),
            Some(_) => ("no room", place),
        }
    }
}

/// The tokens of each sort of line, and of the shortest lines that would hold all values.
fn spending(
    conversation: &Conversation,
    request: &Request,
    ids: &[MessageId],
    counter: &impl Tokenizer,
) -> Vec<String> {
    let mut spent: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for line in request.facts.lines() {
        let place = quoted(line).and_then(|(number, _)| {
            ids.iter().position(|id| u64::try_from(id.0).is_ok_and(|id| id == number))
        });
        let sort =
            place.and_then(|at| Some((at, conversation.passages.get(at)?))).map(|(at, passage)| {
                match conversation
                    .things
                    .iter()
                    .any(|thing| thing.values.iter().any(|(said_in, _)| *said_in == at))
                {
                    true => format!("statement, {:?}", passage.by),
                    false => format!("filler, {:?}", passage.by),
                }
            });
        let entry = spent.entry(sort.unwrap_or_else(|| "heading".to_owned())).or_default();
        *entry = (entry.0 + counter.text(line) + 1, entry.1 + 1);
    }
    let covered = conversation.passages.get(..request.covered).unwrap_or_default();
    let all: u32 = covered.iter().map(|passage| counter.text(&passage.text)).sum();
    let of_all = |tokens: u32| f64::from(tokens) * 100.0 / f64::from(all.max(1));
    let mut told: Vec<String> = spent
        .iter()
        .map(|(sort, (tokens, lines))| {
            format!("{tokens} tokens, {:.1} %, in {lines} lines: {sort}", of_all(*tokens))
        })
        .collect();
    let summary = counter.text(&request.summary);
    told.push(format!("{summary} tokens, {:.1} %: the summary", of_all(summary)));
    let newest = conversation.things.iter().filter_map(|thing| thing.within(request.covered));
    let shortest: u32 = newest.map(|(value, _)| counter.text(&shortest(value))).sum();
    told.push(format!("{shortest} tokens, {:.1} %: each value with its subject", of_all(shortest)));
    told
}

/// The shortest line that says a value.
fn shortest(value: &Value) -> String {
    format!("123 {} {}\n", value.subject.join(" "), value.value)
}
