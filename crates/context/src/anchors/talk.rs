//! Reads a line that somebody said: the person's decisions and constraints as whole sentences,
//! values in the shortest clause that says what they are.

use super::before::{Before, is_tagged};
use super::clause::{Value, names};
use super::collect::{Found, Lasting, window};
use super::cues::{Cues, han_cues};
use super::lexicon::Lexicon;
use super::stretch::{About, Stretch, refers, stretches};
use super::words::{Sentence, Word, quotations, sentences};
use super::{AnchorKind, AnchorSource, Voice};

/// Bytes of a clause that carries values.
pub(super) const CLAUSE: usize = 180;
/// Bytes before a value in which its clause may name its subject.
pub(super) const LEAD: usize = 90;
/// Bytes of a sentence that decides or demands, reason included.
const SENTENCE: usize = 260;
/// Words that may follow the last value of a clause.
const TAIL: usize = 3;
/// What stands between the head of a sentence and what it says of it.
const HEADS: [char; 2] = [':', '：'];
/// Content words that a clause needs beside its values to say what they are.
pub(super) const TELLING: usize = 2;

/// The question a passage ends with: what a bare answer to it is listed under.
pub(super) fn question<'a>(source: &AnchorSource<'a>) -> Option<&'a str> {
    let line = source.text.lines().rev().find(|line| !line.trim().is_empty())?.trim();
    let asks = source.voice != Voice::Material && line.len() <= 600 && line.ends_with(['?', '？']);
    let last = sentences(line, &[]).pop().filter(|_| asks)?;
    line.get(last.start..last.end).map(str::trim).filter(|text| text.len() <= CLAUSE)
}

/// Adds the anchors of one line.
pub(super) fn read<'a>(
    source: &AnchorSource<'a>,
    line: &'a str,
    under: Option<&'a str>,
    lexicon: &Lexicon,
    found: &mut Vec<Found<'a>>,
) {
    let quoted = quotations(line);
    let mut before: Option<Before> = None;
    for sentence in sentences(line, &quoted) {
        let stretches = stretches(line, &sentence, &quoted, lexicon);
        let told = told(line, &sentence, &stretches);
        let asks = sentence.question && !is_tagged(&stretches);
        let lead = before.take().filter(|before| before.leads(&sentence, &stretches));
        let told = lead.as_ref().map_or(told, |lead| told.with(lead.told.within(Cues::CHANGE)));
        let reading =
            Reading { source, line, under, sentence: &sentence, told, asks, lead: lead.as_ref() };
        match reading.lasting(&stretches) {
            Some((kind, lasting))
                if lasting == Lasting::Surely || sentence.end - sentence.start <= CLAUSE =>
            {
                let whole = reading.whole(kind, &stretches);
                found.extend(whole.map(|whole| Found { lasting, ..whole }));
            }
            Some(_) | None => reading.clauses(&stretches, found),
        }
        before = Some(Before::of(&sentence, &stretches, told, asks));
    }
}

/// Everything the words of a sentence tell together.
fn told(line: &str, sentence: &Sentence, stretches: &[Stretch<'_>]) -> Cues {
    let mut words = stretches.iter().flat_map(|stretch| &stretch.words).peekable();
    let mut told = Cues::default();
    let mut first = false;
    while let Some(word) = words.next() {
        // "I would rather" wishes and "could you" asks for something; "it would be" guesses.
        let wishes = std::mem::replace(&mut first, is(word, "i") || is(word, "we"));
        let wishes = wishes && word.cues.any(Cues::FIRST);
        let requests = words.peek().is_some_and(|next| is(next, "you"));
        let sure = wishes || requests;
        told = told.with(if sure { word.cues.without(Cues::DOUBT) } else { word.cues });
    }
    told.with(han_cues(line.get(sentence.start..sentence.end).unwrap_or_default()))
}

/// Whether a Chinese text has "I", and not only "we".
fn speaks_of_itself(text: &str) -> bool {
    text.match_indices('我')
        .any(|(at, i)| !text.get(at + i.len()..).unwrap_or_default().starts_with('们'))
}

fn is(word: &Word<'_>, text: &str) -> bool {
    word.text.eq_ignore_ascii_case(text)
}

/// One sentence being read.
struct Reading<'s, 'a> {
    source: &'s AnchorSource<'a>,
    line: &'a str,
    under: Option<&'a str>,
    sentence: &'s Sentence,
    told: Cues,
    asks: bool,
    /// The sentence before, where it says what this one is about.
    lead: Option<&'s Before>,
}

impl<'a> Reading<'_, 'a> {
    /// Whether a sentence of the person's is meant to last, as what, and how surely.
    fn lasting(&self, stretches: &[Stretch<'_>]) -> Option<(AnchorKind, Lasting)> {
        let told = self.told;
        if self.source.voice != Voice::Person || self.asks || told.any(Cues::DOUBT) {
            return None;
        }
        let words: Vec<&Word<'_>> = stretches.iter().flat_map(|stretch| &stretch.words).collect();
        let mut opening = words.iter().filter(|word| !word.cues.any(Cues::OPENER));
        let first = opening.next()?;
        let second = opening.next().map(|word| word.text).unwrap_or_default();
        let idle = ["mind", "worry", "know", "think", "see", "get", "understand"].contains(&second);
        if idle && first.cues.any(Cues::DEMAND.with(Cues::WISH)) {
            return None;
        }
        let commanded = first.cues.any(Cues::WISH) || is(first, "do") && second == "not";
        let beside = |a: &str, b: &str| {
            words.windows(2).any(|pair| matches!(pair, [x, y] if is(x, a) && is(y, b)))
        };
        let wished = words.windows(2).any(
            |pair| matches!(pair, [x, y] if x.cues.any(Cues::FIRST) && y.cues.any(Cues::WISH)),
        );
        let chosen = words.windows(2).any(
            |pair| matches!(pair, [x, y] if (is(x, "we") || is(x, "i")) && y.cues.any(Cues::LEANING)),
        );
        let with = ["go", "went", "going"].iter().any(|verb| beside(verb, "with"));
        let han_wish = told.any(Cues::WISH) && words.iter().any(|word| word.han);
        if told.any(Cues::DECISION) || with || chosen {
            Some((AnchorKind::Decision, Lasting::Surely))
        } else if told.any(Cues::DEMAND) || commanded {
            Some((AnchorKind::Constraint, Lasting::Surely))
        } else if wished || han_wish {
            Some((AnchorKind::Constraint, Lasting::Perhaps))
        } else if told.any(Cues::LEANING) {
            Some((AnchorKind::Decision, Lasting::Perhaps))
        } else {
            // What has a value is kept for that.
            let bare = stretches.iter().all(|stretch| stretch.values.is_empty());
            bare.then(|| (AnchorKind::Constraint, self.of_itself()))
        }
    }

    /// How surely a sentence lasts that has neither a value nor a word for that: what the person says of
    /// themselves or under a heading is kept as it is.
    fn of_itself(&self) -> Lasting {
        let text = self.line.get(self.sentence.start..self.sentence.end).unwrap_or_default();
        if self.lead.is_some() || text.trim_end_matches(HEADS).contains(HEADS) {
            Lasting::Perhaps
        } else if self.told.any(Cues::SELF) || speaks_of_itself(text) {
            Lasting::Spoken
        } else {
            Lasting::Again
        }
    }

    /// The sentence as one anchor, without opening words.
    fn whole(&self, kind: AnchorKind, stretches: &[Stretch<'a>]) -> Option<Found<'a>> {
        let idle = |stretch: &&Stretch<'_>| stretch.subject.is_empty() && stretch.values.is_empty();
        let kept: Vec<&Stretch<'a>> = stretches.iter().skip_while(idle).collect();
        let start = self.opening(kept.first()?);
        let (start, about) = self.led(start, About::of(&kept));
        let end =
            kept.iter().map(|stretch| stretch.end).take_while(|end| end - start <= SENTENCE).last();
        let range = (start, end.unwrap_or(start + SENTENCE));
        (!about.subject.is_empty())
            .then(|| self.found(kind, range, (start, start), about, SENTENCE))
    }

    /// Where a stretch begins once the words that add nothing are off.
    fn opening(&self, stretch: &Stretch<'_>) -> usize {
        let adds = |word: &&Word<'_>| !word.cues.any(Cues::OPENER);
        stretch.words.iter().find(adds).map_or(stretch.start, |word| {
            let quoted = stretch.values.iter().any(|value| value.start == word.start);
            let before = self.line.get(stretch.start..word.start).unwrap_or_default();
            let mark = before.chars().next_back().filter(|mark| quoted && !mark.is_whitespace());
            word.start - mark.map_or(0, char::len_utf8)
        })
    }

    /// Where something begins and what it is about, with what the sentence before says of that.
    fn led(&self, start: usize, about: About) -> (usize, About) {
        match self.lead {
            Some(lead) => (lead.start, about.led_by(&lead.about)),
            None => (start, about),
        }
    }

    /// An anchor for each clause that carries values.
    fn clauses(&self, stretches: &[Stretch<'a>], found: &mut Vec<Found<'a>>) {
        let mut last: Option<usize> = None;
        for (index, stretch) in stretches.iter().enumerate() {
            if stretch.values.is_empty() || last.is_some_and(|last| index <= last) {
                continue;
            }
            let (mut from, mut to) = (index, index);
            let told = |at: usize| stretches.get(at).map_or(0, |stretch| stretch.subject.len());
            // By how many words what is from there to there says what it is about.
            let mut telling = told(index);
            if (telling < TELLING || refers(stretch))
                && from > 0
                && last.is_none_or(|last| last + 1 < from)
            {
                from -= 1;
                telling += told(from);
            }
            // What it is about may be said first.
            let close = |from: usize| {
                let ends = stretch.values.first().map_or(stretch.end, |value| value.start);
                stretches.get(from).is_some_and(|s| {
                    s.values.is_empty() && !s.names.is_empty() && ends - s.start <= LEAD
                })
            };
            while from > 0 && last.is_none_or(|last| last + 1 < from) && close(from - 1) {
                from -= 1;
                telling += told(from);
            }
            // What follows without a subject of its own is a list that goes on.
            while stretches.get(to + 1).is_some_and(|next| {
                telling < TELLING || !next.values.is_empty() && next.subject.len() < TELLING
            }) {
                to += 1;
                telling += told(to);
            }
            last = Some(to);
            found.extend(self.clause(stretches, (from, to)));
        }
    }

    fn clause(&self, stretches: &[Stretch<'a>], (from, to): (usize, usize)) -> Option<Found<'a>> {
        let kept: Vec<&Stretch<'a>> = stretches.iter().take(to + 1).skip(from).collect();
        let about = About::of(&kept);
        let (first, last) = (*about.values.first()?, *about.values.last()?);
        let start = self.opening(kept.first()?);
        let dangles = from == 0 || about.subject.is_empty() || refers(kept.first()?);
        let (start, about) = if dangles { self.led(start, about) } else { (start, about) };
        let kind = kind(&about.values, self.told)?;
        let range = (start, self.tail(&kept, &last));
        Some(self.found(kind, range, (first.start, last.end), about, CLAUSE))
    }

    /// Where a clause ends: at its last value, if much follows that only adds to it.
    fn tail(&self, kept: &[&Stretch<'a>], last: &Value) -> usize {
        let end = kept.last().map_or(last.end, |stretch| stretch.end);
        let words = kept.iter().flat_map(|stretch| &stretch.words);
        let (ahead, after): (Vec<&Word<'a>>, Vec<&Word<'a>>) = words
            .filter(|word| word.end() <= last.start || word.start >= last.end)
            .partition(|word| word.start < last.start);
        let telling = |word: &&&Word<'_>| word.han || !word.cues.any(Cues::STOP);
        let length = |word: &&Word<'_>| if word.han { word.text.chars().count() / 2 } else { 1 };
        let long = after.iter().map(length).sum::<usize>() > TAIL;
        let closing = self.line.get(last.end..).and_then(|rest| rest.chars().next());
        let mark = closing.filter(|c| !c.is_whitespace() && !c.is_alphanumeric());
        let after: Vec<Word<'a>> = after.into_iter().copied().collect();
        // What it is about may be said last, and what a colon announces belongs to the value.
        let announces = mark.is_some_and(|mark| HEADS.contains(&mark));
        let long = long && !announces && names(&after, &[]).is_empty();
        if long && last.kind != AnchorKind::Name && ahead.iter().filter(telling).count() >= TELLING
        {
            last.end + mark.map_or(0, char::len_utf8)
        } else {
            end
        }
    }

    fn found(
        &self,
        kind: AnchorKind,
        range: (usize, usize),
        keep: (usize, usize),
        about: About,
        limit: usize,
    ) -> Found<'a> {
        let said = (self.source.message, self.source.voice);
        let text = window(self.line, range, keep, limit);
        let under = self.under.filter(|_| about.subject.len() < TELLING);
        let found = Found::new(said, kind, (self.line, text), about, self.told);
        Found { under, question: self.asks, ..found }
    }
}

/// The most telling kind among values; an error where the sentence says that something went wrong
/// and shows it.
fn kind(values: &[Value], told: Cues) -> Option<AnchorKind> {
    let kind = values.iter().map(|value| value.kind).min()?;
    let shown = matches!(kind, AnchorKind::Quote | AnchorKind::Identifier | AnchorKind::Symbol);
    Some(if told.any(Cues::ERROR) && shown { AnchorKind::Error } else { kind })
}
