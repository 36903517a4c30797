//! Extracts facts from a line of dialogue. The user's decisions and demands are kept as whole sentences; of
//! other sentences only the clauses that name a thing and its value.
//!
//! A clause is taken whole or not at all. A sentence about several things (a roster, a timetable) yields one
//! fact for each thing, all in one line.

use super::candidate::{Candidate, CandidateList, CandidateSpan, LINE, LONGEST, REPLY};
use super::clause::{
    Clause, TELLING, clauses, first_cue, head_end, is_anaphoric, length, opening_mark,
    sentence_cues, without_idle_opening, without_reason,
};
use super::fact::{Author, FactKind, FactSource};
use super::non_dialogue::is_order;
use super::parallel::{mark_entries, mark_pair};
use super::pieces::pieces;
use super::request::{asks_in_han, begins_with_request};
use super::values::{FactValue, most_telling};
use super::words::cue_words::Cues;
use super::words::tokenize::{Sentence, Word, quotations, sentences, words};
use super::words::word_stats::{WordStats, capitalises_nouns};

/// Bytes of a sentence with the one that leads it.
const LEAD: usize = 180;
/// Words that a statement without any value has at least.
const STATEMENT: usize = 4;
/// Words of a question put behind a statement.
const TAG: usize = 4;

/// Where a line stands.
#[derive(Clone, Copy)]
pub(super) struct LineContext<'a> {
    /// The heading above it, or the question before it.
    pub under: Option<&'a str>,
    /// True if it is an item of a list under that heading.
    pub headed: bool,
    /// True if it is an item of a list.
    pub item: bool,
    /// True if the item before it is in the line of facts that was begun last.
    pub joins_previous: bool,
}

/// Adds the facts of one line.
pub(super) fn read_dialogue_line<'a>(
    source: &FactSource<'a>,
    line: &'a str,
    context: LineContext<'a>,
    stats: &WordStats,
    list: &mut CandidateList<'a>,
) {
    let quoted = quotations(line);
    let mut before: Option<(Sentence, Vec<Clause<'a>>)> = None;
    let nouns = capitalises_nouns(&words(line, 0, line.len()));
    let mut begun = list.candidates.len();
    let mut context = context;
    for sentence in sentences(line, &quoted) {
        let mut clauses = clauses(line, &sentence, &quoted, stats, nouns);
        mark_entries(line, &mut clauses);
        if context.headed {
            mark_pair(line, &mut clauses);
        }
        let cues = sentence_cues(line, &sentence, &clauses);
        let asks = sentence.question && !is_tagged(&clauses);
        let first = |wanted: Cues| first_cue(line, &sentence, &clauses, wanted);
        let (suggestion, change) = (first(Cues::POSSIBLE), first(Cues::CHANGE));
        let reading = SentenceReader {
            source,
            line,
            context,
            sentence: &sentence,
            cues,
            suggestion,
            change,
            asks,
        };
        let lead = before.take().filter(|(lead, said)| reading.is_led_by(&clauses, lead, said));
        let lead = lead.as_ref().map(|(_, said)| said.as_slice()).unwrap_or_default();
        if !lead.is_empty() {
            list.truncate(begun);
        }
        let count = list.candidates.len();
        reading.read(lead, &clauses, list);
        begun = count;
        context.joins_previous &= count == list.candidates.len();
        before = Some((sentence, clauses));
    }
}

/// True if only the last few words of a sentence ask, behind a statement.
fn is_tagged(clauses: &[Clause<'_>]) -> bool {
    clauses.split_last().is_some_and(|(last, said)| {
        let asks = !last.has_shape() && length(std::slice::from_ref(last)) <= TAG;
        asks && said.iter().any(Clause::has_shape)
    })
}

/// One sentence being read.
struct SentenceReader<'s, 'a> {
    source: &'s FactSource<'a>,
    line: &'a str,
    context: LineContext<'a>,
    sentence: &'s Sentence,
    cues: Cues,
    /// Where its first suggestion stands, if it has one.
    suggestion: Option<usize>,
    /// Where the first sign of a change stands, if it has one.
    change: Option<usize>,
    asks: bool,
}

impl<'a> SentenceReader<'_, 'a> {
    fn read(&self, lead: &[Clause<'a>], clauses: &[Clause<'a>], list: &mut CandidateList<'a>) {
        let text = self.line.get(self.sentence.start..self.sentence.end).unwrap_or_default();
        if self.source.author == Author::Model
            && is_order(text, clauses.iter().flat_map(|it| &it.words))
        {
            return;
        }
        let lasts = self.lasting(clauses);
        let kept = match lasts {
            Some(_) => clauses,
            None if clauses.iter().any(|it| it.entry || !it.values.is_empty()) => {
                self.telling(clauses)
            }
            None if self.is_statement(clauses) => clauses,
            None => return,
        };
        let kept = without_idle_opening(kept);
        let kept = if lasts.is_some() { kept } else { without_reason(kept) };
        let (kind, is_explicit) = lasts.unwrap_or((FactKind::Statement, false));
        let all: Vec<&Clause<'a>> = lead.iter().chain(kept).collect();
        let mut begun = false;
        let longest = if lasts.is_some() { LONGEST } else { LINE };
        for piece in pieces(&all, longest) {
            let fact = self.fact(&all, piece, kind).map(|fact| Candidate { is_explicit, ..fact });
            let Some(fact) = fact else {
                begun = false;
                continue;
            };
            let joint = self.joint(&all, piece);
            let goes_on = self.context.joins_previous && self.context.item;
            let together = begun && list.append_to_line(&fact, joint, longest)
                || !begun && goes_on && list.append_to_line(&fact, "; ", LINE);
            if !together {
                let under = fact.under.or_else(|| begun.then(|| self.head_text(&all)).flatten());
                list.begin_line(Candidate { under, ..fact });
            }
            begun = true;
        }
    }

    /// The text between a piece and the one before it, the words that the piece leaves off included.
    fn joint(&self, all: &[&Clause<'a>], (from, _): (usize, usize)) -> &'a str {
        let before = from.checked_sub(1).and_then(|at| all.get(at));
        let end = before.map(|clause| self.closing(clause.end));
        let start = all.get(from).map(|clause| self.opening(clause));
        end.zip(start).and_then(|(end, start)| self.line.get(end..start)).unwrap_or_default()
    }

    /// Some clauses, from one to another, as one fact.
    fn fact(
        &self,
        all: &[&Clause<'a>],
        (from, to): (usize, usize),
        kind: FactKind,
    ) -> Option<Candidate<'a>> {
        let piece = all.get(from..=to)?;
        let start = self.opening(piece.first()?);
        let end = self.closing(piece.last()?.end);
        let values: Vec<FactValue> =
            piece.iter().flat_map(|clause| &clause.values).copied().collect();
        let values: Vec<FactValue> =
            values.into_iter().filter(|it| it.start >= start && it.end <= end).collect();
        let words: Vec<&Word<'a>> = piece.iter().flat_map(|clause| &clause.words).collect();
        let words: Vec<&Word<'a>> = words.into_iter().filter(|word| word.start >= start).collect();
        let opens_list = all.len() > 1 && all.first().is_some_and(|it| it.entry);
        let heads_list = opens_list && self.colon(all).is_some();
        let headed = from > 0 || heads_list;
        let head: Vec<&Word<'a>> = if headed { self.head(all) } else { Vec::new() };
        let telling: usize = piece.iter().map(|clause| clause.content).sum();
        let bare = telling < TELLING && piece.iter().all(|clause| !clause.names_something());
        let under = self.context.under.filter(|_| self.context.headed || bare);
        let kind = match kind {
            FactKind::Statement => most_telling(&values, self.cues),
            lasting => lasting,
        };
        let (range, line, cues) = ((start, end), self.line, self.cues_up_to(end));
        let piece = CandidateSpan {
            line,
            range,
            words: &words,
            values: &values,
            head: &head,
            under,
            kind,
            cues,
        };
        let entry = all.get(from..=to).is_some_and(|own| own.iter().any(|clause| clause.entry));
        let fact = Candidate::new(self.source, &piece)?;
        // "Her room" is of whoever was named before: of the same words may be somebody else's.
        let led = from == 0 && all.iter().any(|clause| clause.start < self.sentence.start);
        let stands_for = !led && words.iter().any(|word| word.cues.any(Cues::PRONOUN));
        let identity = if stands_for { Vec::new() } else { fact.identity };
        let own: Vec<&Word<'a>> =
            words.iter().copied().filter(|word| word.start >= self.sentence.start).collect();
        let requests = !entry && self.source.author == Author::User && self.requests(&own);
        let question = self.asks || requests;
        let lead = all.get(from..=to).is_some_and(|own| !own.iter().any(|it| it.gives()))
            && all.iter().any(|clause| clause.gives());
        Some(Candidate { question, identity, entry, lead, ..fact })
    }

    /// The cues that hold for the sentence up to `end`: nothing has changed under a condition, nor in or
    /// behind a suggestion. One that follows leaves a change before it as it is, and tells of none itself.
    fn cues_up_to(&self, end: usize) -> Cues {
        let is_suggested = |at: usize| self.suggestion.is_some_and(|suggestion| suggestion < at);
        if is_suggested(end) || self.cues.any(Cues::CONDITION) {
            return self.cues.without(Cues::CHANGE).with(Cues::POSSIBLE);
        }
        let cues = self.cues.without(Cues::POSSIBLE);
        if self.change.is_some_and(is_suggested) { cues.without(Cues::CHANGE) } else { cues }
    }

    /// The words that all facts of a sentence stand under: those of its first clause up to a colon, else all
    /// of them.
    fn head<'c>(&self, all: &[&'c Clause<'a>]) -> Vec<&'c Word<'a>> {
        let words = all.first().map(|clause| clause.words.as_slice()).unwrap_or_default();
        let end = self.colon(all).unwrap_or(usize::MAX);
        words.iter().take_while(|word| word.end() <= end).collect()
    }

    /// The head itself, up to its colon: what goes on in another line is told again what it is of.
    fn head_text(&self, all: &[&Clause<'a>]) -> Option<&'a str> {
        self.line.get(all.first()?.start..self.colon(all)?)
    }

    /// Where the colon of the first clause is.
    fn colon(&self, all: &[&Clause<'a>]) -> Option<usize> {
        head_end(self.line, all.first()?)
    }

    /// Where a clause begins once the words that add nothing are off.
    fn opening(&self, clause: &Clause<'_>) -> usize {
        let adds = |word: &&Word<'_>| !word.cues.any(Cues::OPENER);
        match clause.words.iter().find(adds) {
            Some(word) if clause.words.first().is_some_and(|first| first.start < word.start) => {
                opening_mark(self.line, clause.start, word.start)
            }
            Some(_) | None => clause.start,
        }
    }

    /// Where a clause ends: with the full stop of a shortened word ("5 p.m."), without that of a sentence.
    fn closing(&self, end: usize) -> usize {
        let text = self.line.get(..end).unwrap_or_default();
        let before = text.char_indices().rev().find(|(_, c)| !c.is_alphabetic() && *c != '.');
        let last = match before {
            Some((at, c)) if c.is_whitespace() => text.get(at..),
            Some(_) => None,
            None => Some(text),
        };
        let shortened = last.is_some_and(|last| last.contains('.'));
        let stopped = self.line.get(end..).is_some_and(|rest| rest.starts_with('.'));
        if shortened && stopped { end + 1 } else { end }
    }

    /// The kind of a sentence of the user's that is meant to last, and whether its words say so. `None`: it
    /// is not.
    fn lasting(&self, clauses: &[Clause<'_>]) -> Option<(FactKind, bool)> {
        let cues = self.cues;
        let asks = self.asks || clauses.iter().any(|it| asks_in_han(&it.words));
        if self.source.author != Author::User || asks || cues.any(Cues::DOUBT) {
            return None;
        }
        let mut words = clauses.iter().flat_map(|clause| &clause.words);
        let idle = ["mind", "worry", "know", "think", "see", "get", "understand", "you"];
        let first = words.by_ref().find(|word| !word.cues.any(Cues::OPENER))?;
        let second = words.next().map(|word| word.text).unwrap_or_default();
        let wish = Cues::DEMAND.with(Cues::WISH);
        if first.cues.any(Cues::REQUEST) || first.cues.any(wish) && idle.contains(&second) {
            return None;
        }
        if cues.any(Cues::DECISION) {
            Some((FactKind::Decision, true))
        } else if cues.any(Cues::DEMAND) || first.cues.any(Cues::WISH) {
            Some((FactKind::Constraint, true))
        } else if cues.any(Cues::WISH) && clauses.iter().all(|clause| !clause.has_shape()) {
            Some((FactKind::Constraint, false))
        } else {
            None
        }
    }

    /// True if a sentence without any value says something: the user tells it, and asks for nothing.
    fn is_statement(&self, clauses: &[Clause<'_>]) -> bool {
        let content: usize = clauses.iter().map(|clause| clause.content).sum();
        let may_state = self.source.author == Author::User
            || self.cues_up_to(self.sentence.end).any(Cues::CHANGE)
            || self.source.text.len() <= REPLY;
        let words: Vec<&Word<'_>> = clauses.iter().flat_map(|clause| &clause.words).collect();
        let may_state = may_state && !self.asks && !self.requests(&words);
        may_state && content >= TELLING && length(clauses) >= STATEMENT
    }

    /// True if words ask the model for something now.
    fn requests(&self, words: &[&Word<'_>]) -> bool {
        let han = words.first().is_some_and(|word| word.han);
        begins_with_request(words) && (han || !self.cues.any(Cues::URGE))
    }

    /// The clauses from the first that says something to the last that gives a value; to the end where what
    /// the value is of is said last, or a condition.
    fn telling<'c>(&self, clauses: &'c [Clause<'a>]) -> &'c [Clause<'a>] {
        let valued = |clause: &Clause<'_>| clause.entry || !clause.values.is_empty();
        let last = clauses.iter().rposition(valued).unwrap_or_default();
        if clauses.iter().skip(last + 1).any(Clause::limits) {
            return clauses;
        }
        let ahead = clauses.get(..=last).unwrap_or(clauses);
        let named =
            ahead.iter().flat_map(|clause| &clause.values).any(|it| it.kind == FactKind::Name);
        let content: usize = ahead.iter().map(|clause| clause.content).sum();
        // A name alone is no value: what is said of it may follow.
        let gives = ahead.iter().any(Clause::gives);
        if gives && (named || content >= TELLING) { ahead } else { clauses }
    }

    /// True if the sentence before names the subject of this one: that has no value and names something, and
    /// this has one and names nothing.
    fn is_led_by(&self, clauses: &[Clause<'_>], lead: &Sentence, said: &[Clause<'_>]) -> bool {
        let valued = clauses.iter().any(Clause::has_shape);
        let anaphoric = clauses.first().is_some_and(is_anaphoric);
        if self.sentence.end - lead.start > LEAD {
            return false;
        }
        let clauses = self.telling(clauses);
        let content: usize = clauses.iter().map(|clause| clause.content).sum();
        let named =
            clauses.iter().flat_map(|clause| &clause.values).any(|it| it.kind == FactKind::Name);
        let names = said.iter().any(Clause::names_something);
        let open = said.iter().all(|clause| !clause.has_shape());
        if names && open && length(said) <= TAG && !clauses.is_empty() {
            return true;
        }
        names
            && (valued || anaphoric)
            && (anaphoric || content == 0 && !named || open && !named && content < TELLING * 2)
    }
}
