//! The values of a stretch of a line: shapes of words, and what several words make together
//! (numbers with units, dates, versions of products, names).

use std::sync::LazyLock;

use super::AnchorKind;
use super::cues::{Cues, han_cues, is_han_stop};
use super::lexicon::Lexicon;
use super::shape::shape;
use super::words::{Quoted, Word, stem, words};

/// A value and where it is in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// What it is.
    pub kind: AnchorKind,
    /// Byte offset.
    pub start: usize,
    /// Byte offset past it.
    pub end: usize,
}

/// Values in the order they begin: those beside a word are found without a look at each.
struct Placed {
    values: Vec<Value>,
    /// For each, the furthest end of it and of those before it.
    reach: Vec<usize>,
}

impl Placed {
    fn new(values: &[Value]) -> Self {
        let mut values = values.to_vec();
        values.sort_by_key(|value| value.start);
        let reach = values.iter().scan(0, |reach, value| {
            *reach = value.end.max(*reach);
            Some(*reach)
        });
        Self { reach: reach.collect(), values }
    }

    /// Those that have something of a word in them.
    fn in_word(&self, word: &Word<'_>) -> impl Iterator<Item = &Value> {
        let (start, end) = (word.start, word.end());
        let from = self.reach.partition_point(|reach| *reach <= start);
        let ahead = self.values.iter().skip(from).take_while(move |value| value.start < end);
        ahead.filter(move |value| start < value.end)
    }

    fn has(&self, word: &Word<'_>) -> bool {
        self.in_word(word).next().is_some()
    }
}

/// The values among `words`, in order. `opens` says whether the first word opens a sentence.
pub(super) fn values(
    line: &str,
    words: &[Word<'_>],
    quoted: &[Quoted],
    lexicon: &Lexicon,
    opens: bool,
) -> Vec<Value> {
    let mut found: Vec<Value> = quoted.iter().filter_map(|quote| quotation(line, quote)).collect();
    let mut next = 0;
    while let Some((word, rest)) = words.get(next..).and_then(<[Word<'_>]>::split_first) {
        let opened = quoted.partition_point(|quote| quote.open <= word.start);
        let last = opened.checked_sub(1).and_then(|last| quoted.get(last));
        let inside = last.is_some_and(|quote| word.start < quote.close);
        let before = next.checked_sub(1).and_then(|at| words.get(at));
        let first = opens && next == 0;
        let made = if inside { None } else { value(line, before, *word, rest, first, lexicon) };
        next += 1;
        if let Some(value) = made {
            next += rest.iter().take_while(|word| word.start < value.end).count();
            found.push(value);
        }
    }
    found.sort_by_key(|value| value.start);
    found
}

fn quotation(line: &str, quote: &Quoted) -> Option<Value> {
    let inside = line.get(quote.start..quote.end)?;
    let plain = if quote.code { AnchorKind::Symbol } else { AnchorKind::Quote };
    let spaced = inside.contains(char::is_whitespace);
    let kind = match shape(inside) {
        Some(kind) if !spaced => kind,
        Some(_) | None if spaced => AnchorKind::Quote,
        Some(_) | None => plain,
    };
    let telling = inside.chars().filter(|c| c.is_alphanumeric()).count() >= 2;
    telling.then_some(Value { kind, start: quote.start, end: quote.end })
}

fn value(
    line: &str,
    before: Option<&Word<'_>>,
    word: Word<'_>,
    rest: &[Word<'_>],
    first: bool,
    lexicon: &Lexicon,
) -> Option<Value> {
    if word.han {
        return chinese_name(word, lexicon);
    }
    let (start, end) = (word.start, word.end());
    match shape(word.text) {
        Some(AnchorKind::Number) => Some(number(line, before, word, rest)),
        Some(kind) => Some(Value { kind, start, end }),
        None => calendar(word, rest).or_else(|| name(line, word, rest, first, lexicon)),
    }
}

/// A bare number, or the date, version or measure it is part of.
fn number(line: &str, before: Option<&Word<'_>>, word: Word<'_>, rest: &[Word<'_>]) -> Value {
    let (start, mut end) = (word.start, word.end());
    let mut kind = AnchorKind::Number;
    let label = before.map(|word| word.text).unwrap_or_default();
    let product = before.is_some_and(|word| word.text.starts_with(char::is_uppercase));
    let versioned =
        matches!(label, "version" | "Version" | "release" | "Release") || label.ends_with("版本");
    if versioned || word.text.contains('.') && product && !word.text.contains(['%', '$', ',']) {
        kind = AnchorKind::Version;
    }
    if line.get(end..).is_some_and(|after| after.starts_with(" %")) {
        return Value { kind, start, end: end + 2 };
    }
    match rest.first() {
        Some(next) if next.han && next.start == end => {
            let (length, dated) = chinese_unit(next.text);
            end += length;
            if dated {
                kind = AnchorKind::Date;
                end = chinese_date_end(line, end);
            }
        }
        Some(next) => {
            let known = next.cues;
            let adjoins = next.start == end + 1;
            // "5 may" is a day; "£627 may" is not.
            let day = word.text.trim_end_matches(|c: char| c.is_ascii_lowercase()).len() <= 2;
            if adjoins && day && known.any(Cues::CALENDAR) {
                kind = AnchorKind::Date;
                end = date_end(next.end(), rest.get(1..).unwrap_or_default());
            } else if adjoins && known.any(Cues::UNIT) {
                let rate = rest.get(1).filter(|word| matches!(word.text, "per" | "a" | "an"));
                let each = rest.get(2).filter(|word| rate.is_some() && word.cues.any(Cues::UNIT));
                end = each.unwrap_or(next).end();
            }
        }
        None => {}
    }
    Value { kind, start, end }
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
    from + rest.chars().take(12).take_while(part).map(char::len_utf8).sum::<usize>()
}

/// A month or weekday and the numbers that follow it.
fn calendar(word: Word<'_>, rest: &[Word<'_>]) -> Option<Value> {
    let named = word.text.starts_with(char::is_uppercase) && word.text.len() > 2;
    let known = named && word.cues.any(Cues::CALENDAR);
    known.then(|| Value {
        kind: AnchorKind::Date,
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

/// Words in capitals side by side; the first word of a sentence only if it is never written small.
fn name(
    line: &str,
    word: Word<'_>,
    rest: &[Word<'_>],
    first: bool,
    lexicon: &Lexicon,
) -> Option<Value> {
    let capital = |word: &Word<'_>| {
        let mut chars = word.text.chars();
        chars.next().is_some_and(char::is_uppercase)
            && chars.any(char::is_lowercase)
            && word.text.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
    };
    let vague = word.cues.any(Cues::STOP.with(Cues::OPENER).with(Cues::DEMAND).with(Cues::WISH));
    if !capital(&word) || vague {
        return None;
    }
    let mut end = word.end();
    for next in rest.iter().take(3).take_while(|next| capital(next)) {
        if next.start != end + 1 {
            break;
        }
        end = next.end();
    }
    let owned = line.get(word.start..end).unwrap_or_default();
    let bare = owned.strip_suffix("'s").or_else(|| owned.strip_suffix("’s")).unwrap_or(owned);
    let telling = end > word.end() || rest.iter().take(4).any(|word| word.cues.any(Cues::PERSON));
    let common = first && lexicon.is_common(word.text, telling);
    (!common).then(|| Value {
        kind: AnchorKind::Name,
        start: word.start,
        end: word.start + bare.len(),
    })
}

const SURNAMES: &str = "王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏\
高马卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范姚谭廖邹熊陆郝孔崔邱秦江顾侯邵孟龚段雷钱汤尹黎武乔贺赖";
/// Words that begin with a surname's character and are none.
const NOT_NAMES: &[&str] = &[
    "周末", "周围", "周期", "周一", "周二", "周三", "周四", "周五", "周六", "周日", "周年", "黄色",
    "黄金", "何时", "何况", "任何", "任务", "许多", "夏天", "夏季", "曾经", "程序", "程度", "江边",
    "钱包", "雷达", "田野", "顾客", "唐突", "段落", "范围", "谢谢", "余额", "余下", "武器", "叶子",
    "杜绝", "张图", "汤水", "孔雀", "贺卡", "苏打", "戴上", "秦岭", "林业", "金额", "方案",
];

static SORTED: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut letters: Vec<char> = SURNAMES.chars().collect();
    letters.sort_unstable();
    letters
});

/// Whether a character begins the names of many people.
pub(super) fn is_surname(c: char) -> bool {
    SORTED.binary_search(&c).is_ok()
}

/// A surname and one or two more characters, in a run that speaks of people; elsewhere two more that
/// the whole text has together alone.
fn chinese_name(run: Word<'_>, lexicon: &Lexicon) -> Option<Value> {
    let told = han_cues(run.text).any(Cues::PERSON);
    let leads = |c: char| "叫找问由归给让请跟系是人理师事任户监边和与".contains(c);
    let mut before: Option<char> = None;
    for (at, c) in run.text.char_indices() {
        let behind = before.replace(c);
        if !is_surname(c) || !behind.is_none_or(leads) {
            continue;
        }
        let rest = run.text.get(at..).unwrap_or_default();
        if NOT_NAMES.iter().any(|word| rest.starts_with(word)) {
            continue;
        }
        let ends = |c: &char| !is_han_stop(*c) && !"负来管审签牵接联照看那组".contains(*c);
        let given: Vec<char> = rest.chars().skip(1).take(2).take_while(ends).collect();
        let whole = match given.as_slice() {
            [first, _] => !lexicon.goes_on(c, *first),
            _ => false,
        };
        if !given.is_empty() && (told || whole) {
            let start = run.start + at;
            let length: usize = given.iter().map(|c| c.len_utf8()).sum();
            return Some(Value {
                kind: AnchorKind::Name,
                start,
                end: start + c.len_utf8() + length,
            });
        }
    }
    None
}

/// Words that tell nothing of what a clause is about.
const EMPTY: Cues = Cues::STOP.with(Cues::CHANGE).with(Cues::URGE);

/// What a stretch is about besides its values and its reasons: stems of content words, pairs of Han
/// characters. Sorted, each once.
pub(super) fn subject(words: &[Word<'_>], values: &[Value], names: &[Name]) -> Vec<u64> {
    let stated = words.iter().skip(1).take_while(|word| !gives_reason(word)).count() + 1;
    let mut stems = in_order(words.get(..stated).unwrap_or(words), values);
    if stems.is_empty() {
        stems = in_order(words, values);
    }
    // What a reason stands before is what it is about.
    stems.extend(names.iter().flatten());
    stems.sort_unstable();
    stems.dedup();
    stems
}

fn gives_reason(word: &Word<'_>) -> bool {
    matches!(word.text, "because" | "since") || word.text.starts_with("因为")
}

/// A thing as a stretch names it: two stems, the same twice where one is enough.
pub(super) type Name = [u64; 2];

/// What stands before the thing that a Chinese sentence is about.
const HAN_OPENERS: &[&str] = &["关于", "说到", "对于", "至于", "以后", "之后", "以来"];

/// What a stretch names: of English, two words after an article; of Chinese, how it begins. Other
/// words say something of a thing and may be said of many.
pub(super) fn names(words: &[Word<'_>], values: &[Value]) -> Vec<Name> {
    let placed = Placed::new(values);
    let content = |word: &&Word<'_>| {
        !word.han && word.text.len() > 1 && !word.cues.any(EMPTY) && !placed.has(word)
    };
    let mut names: Vec<Name> = words
        .windows(3)
        .filter_map(|three| match three {
            [article, one, other] if determines(article) => {
                let beside = one.end() + 1 == other.start;
                let both = [one, other].into_iter().all(|word| content(&word));
                (both && beside).then(|| [stem(one.text), stem(other.text)])
            }
            _ => None,
        })
        .collect();
    if names.is_empty() {
        // A reason may be given for many things.
        let runs = words.iter().filter(|word| word.han).take_while(|run| !gives_reason(run));
        let runs = runs.flat_map(|run| bare(run, &placed));
        let opened = runs.map(|run| {
            HAN_OPENERS
                .iter()
                .fold(run, |text, opener| text.split_once(opener).map_or(text, |(_, after)| after))
        });
        let mut chunks = opened.flat_map(|text| text.split(is_han_stop));
        let first = chunks.find(|chunk| chunk.chars().nth(1).is_some());
        let pairs: Vec<u64> = first.into_iter().flat_map(pairs).take(2).collect();
        names.extend(pairs.first().map(|one| [*one, *pairs.get(1).unwrap_or(one)]));
    }
    names
}

fn determines(word: &Word<'_>) -> bool {
    let articles = ["the", "a", "an", "my", "our", "your", "his", "her", "their", "its"];
    articles.iter().any(|article| word.text.eq_ignore_ascii_case(article))
}

fn in_order(words: &[Word<'_>], values: &[Value]) -> Vec<u64> {
    let placed = Placed::new(values);
    let mut stems = Vec::new();
    for word in words {
        if word.han {
            stems.extend(bare(word, &placed).into_iter().flat_map(pairs));
        } else if !placed.has(word) && word.text.len() > 1 && !word.cues.any(EMPTY) {
            stems.push(stem(word.text));
        }
    }
    stems
}

/// A run without the values in it: whose name it is, is no part of what it is about.
fn bare<'a>(run: &Word<'a>, values: &Placed) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut from = run.start;
    let inside = values.in_word(run);
    for (start, end) in inside.map(|value| (value.start, value.end)).chain([(run.end(), run.end())])
    {
        let piece = from.saturating_sub(run.start)..start.saturating_sub(run.start);
        pieces.extend(run.text.get(piece).filter(|piece| !piece.is_empty()));
        from = end;
    }
    pieces
}

/// Neighbouring Han characters, those that join words left out.
fn pairs(run: &str) -> impl Iterator<Item = u64> {
    let mut before: Option<char> = None;
    run.chars().filter_map(move |c| {
        let content = (!is_han_stop(c)).then_some(c);
        let pair = before.zip(content).map(|(a, b)| u64::from(a) << 32 | u64::from(b));
        before = content;
        pair
    })
}

/// Stems of everything that tells something in a text, in its order.
pub(crate) fn stems(text: &str) -> Vec<u64> {
    text.lines().flat_map(|line| in_order(&words(line, 0, line.len()), &[])).collect()
}
