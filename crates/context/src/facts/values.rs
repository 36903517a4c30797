//! The values of a stretch of a line: shapes of words, and what several words make together
//! (numbers with units, dates, versions of products, names).

use super::fact::FactKind;
use super::words::cue_words::{Cues, is_han_function, is_han_stop};
use super::words::tokenize::{Quotation, Word, words};
use super::words::word_key::stem;
use super::words::word_shape::value_kind;
use super::words::word_stats::WordStats;

/// The mark before the title of a work in Chinese: a name, not the words of somebody.
const TITLE: char = '《';

/// A value and where it is in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FactValue {
    /// The kind of value.
    pub kind: FactKind,
    /// Byte offset.
    pub start: usize,
    /// Byte offset past it.
    pub end: usize,
}

/// Values in the order they begin: those beside a word are found without a look at each.
struct ValueIndex {
    values: Vec<FactValue>,
    /// For each, the furthest end of it and of those before it.
    reach: Vec<usize>,
}

impl ValueIndex {
    fn new(values: &[FactValue]) -> Self {
        let mut values = values.to_vec();
        values.sort_by_key(|value| value.start);
        let reach = values.iter().scan(0, |reach, value| {
            *reach = value.end.max(*reach);
            Some(*reach)
        });
        Self { reach: reach.collect(), values }
    }

    /// Those that have something of a word in them.
    fn in_word(&self, word: &Word<'_>) -> impl Iterator<Item = &FactValue> {
        let (start, end) = (word.start, word.end());
        let from = self.reach.partition_point(|reach| *reach <= start);
        let ahead = self.values.iter().skip(from).take_while(move |value| value.start < end);
        ahead.filter(move |value| start < value.end)
    }

    fn has(&self, word: &Word<'_>) -> bool {
        self.in_word(word).next().is_some()
    }
}

/// The reasons for capital letters in a clause, beside names.
#[derive(Clone, Copy)]
pub(super) struct Capitals {
    /// True if the first word opens a sentence.
    pub opens_sentence: bool,
    /// True if the language capitalises all nouns.
    pub of_nouns: bool,
}

/// The values among `words`, in order.
pub(super) fn values(
    line: &str,
    words: &[Word<'_>],
    quoted: &[Quotation],
    stats: &WordStats,
    capitals: Capitals,
) -> Vec<FactValue> {
    let reading = ValueReader { line, stats, nouns: capitals.of_nouns };
    let mut values: Vec<FactValue> =
        quoted.iter().filter_map(|quote| quotation(line, quote)).collect();
    let mut next = 0;
    while let Some((word, rest)) = words.get(next..).and_then(<[Word<'_>]>::split_first) {
        let opened = quoted.partition_point(|quote| quote.open <= word.start);
        let last = opened.checked_sub(1).and_then(|last| quoted.get(last));
        let inside = last.is_some_and(|quote| word.start < quote.close);
        let before = next.checked_sub(1).and_then(|at| words.get(at));
        let first = capitals.opens_sentence && next == 0;
        let made = if inside { None } else { reading.value(before, *word, rest, first) };
        next += 1;
        if let Some(value) = made {
            next += rest.iter().take_while(|word| word.start < value.end).count();
            values.push(value);
        }
    }
    values.sort_by_key(|value| value.start);
    values
}

fn quotation(line: &str, quote: &Quotation) -> Option<FactValue> {
    let inside = line.get(quote.start..quote.end)?;
    let is_title = line.get(quote.open..).is_some_and(|text| text.starts_with(TITLE));
    let plain = match quote.code {
        true => FactKind::Symbol,
        false if is_title => FactKind::Name,
        false => FactKind::Quote,
    };
    let spaced = inside.contains(char::is_whitespace);
    let kind = match value_kind(inside) {
        Some(kind) if !spaced => kind,
        Some(_) | None if spaced => FactKind::Quote,
        Some(_) | None => plain,
    };
    let telling = inside.chars().filter(|c| c.is_alphanumeric()).count() >= 2;
    telling.then_some(FactValue { kind, start: quote.start, end: quote.end })
}

/// Recognises the values of a clause by its line and by how the conversation writes its words.
struct ValueReader<'l> {
    line: &'l str,
    stats: &'l WordStats,
    /// True where a capital names nothing by itself.
    nouns: bool,
}

impl ValueReader<'_> {
    fn value(
        &self,
        before: Option<&Word<'_>>,
        word: Word<'_>,
        rest: &[Word<'_>],
        first: bool,
    ) -> Option<FactValue> {
        if word.han {
            return None;
        }
        let (start, end) = (word.start, word.end());
        match value_kind(word.text) {
            Some(FactKind::Number) => Some(number(self.line, before, word, rest)),
            Some(kind) => Some(FactValue { kind, start, end }),
            None => calendar(word, rest).or_else(|| self.name(word, rest, first)),
        }
    }

    /// Words in capitals side by side; one alone only where capitals name something, and the first word of
    /// a sentence only if it is never written small.
    fn name(&self, word: Word<'_>, rest: &[Word<'_>], first: bool) -> Option<FactValue> {
        let capital = |word: &Word<'_>| {
            let mut chars = word.text.chars();
            chars.next().is_some_and(char::is_uppercase)
                && chars.any(char::is_lowercase)
                && word
                    .text
                    .chars()
                    .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
        };
        let vague = Cues::STOP.with(Cues::OPENER).with(Cues::DEMAND).with(Cues::WISH);
        if !capital(&word) || word.cues.any(vague) {
            return None;
        }
        let mut end = word.end();
        for next in rest.iter().take(3).take_while(|next| capital(next)) {
            if next.start != end + 1 {
                break;
            }
            end = next.end();
        }
        let several = end > word.end();
        let common = if self.nouns { !several } else { first && self.stats.is_common(word.text) };
        let text = self.line.get(word.start..end).unwrap_or_default();
        let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        (!common || several && !first).then(|| FactValue {
            kind: FactKind::Name,
            start: word.start,
            end: word.start + bare.len(),
        })
    }
}

/// A bare number, or the date, version or measure it is part of.
fn number(line: &str, before: Option<&Word<'_>>, word: Word<'_>, rest: &[Word<'_>]) -> FactValue {
    let (start, mut end) = (word.start, word.end());
    let mut kind = FactKind::Number;
    let label = before.map(|word| word.text).unwrap_or_default();
    let product = before.is_some_and(|word| word.text.starts_with(char::is_uppercase));
    let versioned =
        matches!(label, "version" | "Version" | "release" | "Release") || label.ends_with("版本");
    if versioned || word.text.contains('.') && product && !word.text.contains(['%', '$', ',']) {
        kind = FactKind::Version;
    }
    let mark = line.get(end..).and_then(|after| {
        let after = after.strip_prefix([' ', '\u{a0}', '\u{202f}'])?;
        after.chars().next().filter(|c| matches!(c, '%' | '€' | '$' | '£' | '¥'))
    });
    if let Some(mark) = mark {
        let space = line.get(end..).and_then(|after| after.find(mark)).unwrap_or_default();
        return FactValue { kind, start, end: end + space + mark.len_utf8() };
    }
    match rest.first() {
        Some(next) if next.han && next.start == end => {
            let (length, dated) = chinese_unit(next.text);
            end += length;
            if dated {
                kind = FactKind::Date;
                end = chinese_date_end(line, end);
            }
        }
        Some(next) => {
            let known = next.cues;
            let adjoins = next.start == end + 1;
            // "5 may" is a day; "£627 may" is not.
            let day = word.text.trim_end_matches(|c: char| c.is_ascii_lowercase()).len() <= 2;
            let joined = adjoins && matches!(next.text, "de" | "of" | "d");
            let month = rest.get(1).filter(|it| joined && it.cues.any(Cues::CALENDAR));
            if let Some(month) = month.filter(|_| day) {
                kind = FactKind::Date;
                end = date_end(month.end(), rest.get(2..).unwrap_or_default());
            } else if adjoins && day && known.any(Cues::CALENDAR) {
                kind = FactKind::Date;
                end = date_end(next.end(), rest.get(1..).unwrap_or_default());
            } else if adjoins && known.any(Cues::UNIT) {
                let rate = rest.get(1).filter(|word| matches!(word.text, "per" | "a" | "an"));
                let each = rest.get(2).filter(|word| rate.is_some() && word.cues.any(Cues::UNIT));
                end = each.unwrap_or(next).end();
            }
        }
        None => {}
    }
    FactValue { kind, start, end }
}

/// The length of the unit that a Chinese run begins with, and whether it is one of dates.
fn chinese_unit(run: &str) -> (usize, bool) {
    let units =
        ["分钟", "小时", "毫秒", "微秒", "公里", "公斤", "千克", "厘米", "毫米", "个月", "工作日"];
    if let Some(unit) = units.iter().find(|unit| run.starts_with(**unit)) {
        return (unit.len(), false);
    }
    match run.chars().next() {
        Some(c @ ('年' | '月' | '日' | '号' | '点' | '时')) => (c.len_utf8(), true),
        Some(
            c @ ('秒' | '天' | '周' | '元' | '块' | '万' | '亿' | '个' | '次' | '台' | '条' | '名'
            | '人' | '米' | '克' | '度' | '页' | '行' | '位' | '件' | '份' | '层' | '核'
            | '倍' | '兆' | '字' | '吨' | '升'),
        ) => (c.len_utf8(), false),
        _ => (0, false),
    }
}

/// Where a Chinese date that has begun ends: digits and its own characters follow.
fn chinese_date_end(line: &str, from: usize) -> usize {
    let rest = line.get(from..).unwrap_or_default();
    let part = |c: &char| {
        c.is_ascii_digit() || matches!(c, '月' | '日' | '号' | '点' | '时' | '分' | '半')
    };
    let length = rest.chars().take(12).take_while(part).map(char::len_utf8).sum::<usize>();
    let (date, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
    // Digits that a word goes on with are a piece of it: "3月2Kq".
    let is_continued = after.starts_with(|c: char| c.is_ascii_alphanumeric());
    let whole =
        if is_continued { date.trim_end_matches(|c: char| c.is_ascii_digit()) } else { date };
    from + whole.len()
}

/// A month or weekday and the numbers that follow it.
fn calendar(word: Word<'_>, rest: &[Word<'_>]) -> Option<FactValue> {
    let named = word.text.starts_with(char::is_uppercase) && word.text.len() > 2;
    let known = named && word.cues.any(Cues::CALENDAR);
    known.then(|| FactValue {
        kind: FactKind::Date,
        start: word.start,
        end: date_end(word.end(), rest),
    })
}

fn date_end(end: usize, rest: &[Word<'_>]) -> usize {
    let part = |word: &&Word<'_>| {
        let numeric = word.text.starts_with(|c: char| c.is_ascii_digit());
        let joins = matches!(word.text, "at" | "of" | "the" | "am" | "pm" | "AM" | "PM");
        numeric || joins || word.cues.any(Cues::CALENDAR)
    };
    let parts = rest.iter().take(4).take_while(part);
    parts
        .filter(|word| word.text.len() > 3 || word.text.starts_with(|c: char| c.is_ascii_digit()))
        .map(Word::end)
        .last()
        .unwrap_or(end)
}

/// The most telling kind among values; an error where the sentence says that something went wrong and
/// shows it.
pub(super) fn most_telling(values: &[FactValue], told: Cues) -> FactKind {
    let kind = values.iter().map(|value| value.kind).min().unwrap_or(FactKind::Statement);
    let shown = matches!(kind, FactKind::Quote | FactKind::Identifier | FactKind::Symbol);
    if told.any(Cues::ERROR) && shown { FactKind::Error } else { kind }
}

/// Words that tell nothing of what a clause is about.
const EMPTY: Cues = Cues::STOP.with(Cues::CHANGE).with(Cues::PAST).with(Cues::URGE);

/// How many words of a clause say what it is about, its values left out; two Han characters are one.
pub(super) fn content_word_count(words: &[Word<'_>], values: &[FactValue]) -> usize {
    let placed = ValueIndex::new(values);
    let length = |word: &Word<'_>| match word.han {
        true => {
            let outside = pieces_outside(word, &placed).into_iter().flat_map(str::chars);
            outside.filter(|c| !is_han_function(*c)).count() / 2
        }
        false => usize::from(is_content(word) && !placed.has(word)),
    };
    words.iter().map(length).sum()
}

/// Stems of the words that say what a clause is about, its values left out: pairs of Han characters.
pub(super) fn topic_stems(words: &[Word<'_>], values: &[FactValue]) -> Vec<u64> {
    let placed = ValueIndex::new(values);
    let mut stems = Vec::new();
    for word in words {
        if word.han {
            stems.extend(pieces_outside(word, &placed).into_iter().flat_map(pairs));
        } else if !placed.has(word) && is_content(word) {
            stems.push(stem(word.text));
        }
    }
    stems
}

/// Two small letters are an article or a preposition in one language or another.
fn is_content(word: &Word<'_>) -> bool {
    let joins = word.text.len() == 2 && word.text.bytes().all(|it| it.is_ascii_lowercase());
    word.text.len() > 1 && !joins && !word.cues.any(EMPTY)
}

/// A run of Han without the values in it.
fn pieces_outside<'a>(run: &Word<'a>, values: &ValueIndex) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut from = run.start;
    let inside = values.in_word(run).map(|value| (value.start, value.end));
    for (start, end) in inside.chain([(run.end(), run.end())]) {
        let piece = from.saturating_sub(run.start)..start.saturating_sub(run.start);
        pieces.extend(run.text.get(piece).filter(|piece| !piece.is_empty()));
        from = end.max(from);
    }
    pieces
}

/// Neighbouring Han characters, those that join words left out.
fn pairs(run: &str) -> impl Iterator<Item = u64> {
    let mut before: Option<char> = None;
    run.chars().filter_map(move |c| {
        let content = (!is_han_stop(c)).then_some(c);
        let pair = before.zip(content).map(|(a, b)| pair(a, b));
        before = content;
        pair
    })
}

pub(super) fn pair(a: char, b: char) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// Stems of everything that tells something in a text, in its order.
pub(crate) fn stems(text: &str) -> Vec<u64> {
    text.lines().flat_map(|line| topic_stems(&words(line, 0, line.len()), &[])).collect()
}
