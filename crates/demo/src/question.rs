//! What a question is about: the name of a thing, what is asked of it, and which kind of value would
//! answer. Found by how a question is built in English and Chinese, not by what things there are.

use std::collections::HashSet;

use super::lexicon::{
    ATTRIBUTES, CHINESE_ATTRIBUTES, CHINESE_STOP, DETERMINERS, JOINING, QUALIFIERS, STOP, TIES,
};
use super::wanted::Wanted;
use super::words::{stem, twos, words};

/// How much less a word tells that says what is asked of a thing, beside its name: the answer often
/// has another one.
const OF_A_PREDICATE: f64 = 0.4;

/// The same of two characters that may belong to different words.
const OF_A_JOINT: f64 = 0.5;

/// The words of a name in English, after its article: more are rarely part of it.
const NAME: usize = 2;

/// How much more a phrase tells of what is asked about that has an article before it.
const DETERMINED: f64 = 1.5;
/// The same where what is asked is tied to it: in "the price of the boat", it is the boat.
const TIED: f64 = 3.0;

/// Chinese characters that stand before what a question is about.
const BEFORE: [char; 12] = ['对', '给', '由', '把', '跟', '和', '与', '问', '归', '按', '从', '让'];
/// The same behind it.
const AFTER: [char; 10] = ['要', '会', '该', '能', '可', '就', '都', '也', '还', '再'];

/// A question.
pub(super) struct Question {
    /// Stems and pairs of Chinese characters, each once, with how much it tells: 1 for a name.
    pub(super) focus: Vec<(String, f64)>,
    /// Words of a name that stand side by side.
    pub(super) pairs: Vec<(String, String)>,
    /// Stems that name the kind of thing asked for.
    pub(super) beside: Vec<String>,
    /// What it may be about, in English: a sentence without it is no answer.
    pub(super) things: Vec<Thing>,
    /// Its Chinese, as it is written, without what only asks.
    pub(super) chinese: Vec<Chunk>,
    /// Everything but the words that only ask, as it is written.
    pub(super) telling: Vec<String>,
    pub(super) wanted: Wanted,
}

/// A stretch of a question's Chinese.
pub(super) struct Chunk {
    pub(super) text: String,
    /// Whether the question ends with it, after what describes it.
    pub(super) head: bool,
}

/// A thing that a question names.
pub(super) struct Thing {
    /// As it is written.
    pub(super) words: Vec<String>,
    /// How much more than others the words before it point at it.
    pub(super) leaning: f64,
}

/// A run of English words side by side, all of them telling.
#[derive(Default)]
struct Phrase {
    words: Vec<String>,
    /// Whether an article or the like stands before it.
    determined: bool,
    /// Whether a word before it ties it to something: "of", "about".
    tied: bool,
}

impl Question {
    pub(super) fn of(question: &str) -> Self {
        let lower = question.to_lowercase();
        let mut asked = Self {
            focus: Vec::new(),
            pairs: Vec::new(),
            beside: Vec::new(),
            things: Vec::new(),
            chinese: Vec::new(),
            telling: Vec::new(),
            wanted: Wanted::of(&lower),
        };
        let phrases = asked.phrases(&lower);
        let named = phrases.iter().any(|phrase| phrase.points() && phrase.names());
        for phrase in &phrases {
            asked.take(phrase, named);
        }
        asked.things = things(&phrases);
        if asked.focus.is_empty() {
            let beside = std::mem::take(&mut asked.beside);
            asked.focus = beside.into_iter().map(|stem| (stem, 1.0)).collect();
        }
        asked.focus.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        asked.focus.dedup_by(|later, earlier| later.0 == earlier.0);
        asked
    }

    /// The words to search a history for.
    pub(super) fn search_words(&self) -> String {
        let mut seen = HashSet::new();
        let words = self.telling.iter().filter(|word| seen.insert(word.as_str()));
        words.take(8).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// The English phrases of a question; its Chinese is taken in on the way.
    fn phrases(&mut self, lower: &str) -> Vec<Phrase> {
        let mut phrases: Vec<Phrase> = Vec::new();
        let mut phrase = Phrase::default();
        let mut tied = false;
        for word in words(lower).into_iter().filter(|word| !QUALIFIERS.contains(&word.text)) {
            let ends = word.is_chinese() || STOP.contains(word.text) || is_letter(word.text);
            if ends || !word.glued {
                let determined = DETERMINERS.contains(&word.text);
                tied = TIES.contains(&word.text) || tied && determined;
                let next = Phrase { words: Vec::new(), determined, tied };
                phrases.push(std::mem::replace(&mut phrase, next));
            }
            if word.is_chinese() {
                self.run(word.text);
            } else if !ends {
                self.telling.push(word.text.to_owned());
                phrase.words.push(word.text.to_owned());
            }
        }
        phrases.push(phrase);
        phrases.retain(|phrase| !phrase.words.is_empty());
        phrases
    }

    /// Takes a Chinese run: what it is about is said first.
    fn run(&mut self, run: &str) {
        let stopped = without(CHINESE_STOP, run);
        let named = CHINESE_ATTRIBUTES.iter().filter(|word| stopped.contains(**word));
        self.beside.extend(named.flat_map(|word| twos(word)));
        let about = without_attributes(&stopped);
        let telling = about.split(' ').any(|chunk| chunk.chars().nth(1).is_some());
        // Who asks about dates asks about nothing else.
        let about = if telling { about } else { stopped };
        let letters = run.chars().count();
        let mut at = 0;
        for chunk in about.split(' ') {
            let long = chunk.chars().count();
            let bare = chunk.trim_start_matches(BEFORE).trim_end_matches(AFTER);
            let bare = if bare.chars().nth(1).is_some() { bare } else { chunk };
            if bare.chars().nth(1).is_some() {
                for (nth, two) in twos(bare).into_iter().enumerate() {
                    let place = (at + nth) as f64 / letters as f64;
                    let joins = two.contains(|letter| JOINING.contains(letter));
                    let share = if joins { OF_A_JOINT } else { 1.0 };
                    self.focus.push((two, share * (1.0 - (1.0 - OF_A_PREDICATE) * place)));
                }
                self.telling.push(bare.to_owned());
                let head = run.ends_with(&format!("的{bare}"));
                self.chinese.push(Chunk { text: bare.to_owned(), head });
            }
            at += long + 1;
        }
    }

    /// Takes an English phrase: after an article it begins with a name, elsewhere it is one only
    /// where nothing else is. `named`: something else is.
    fn take(&mut self, phrase: &Phrase, named: bool) {
        let stems: Vec<String> = phrase.words.iter().map(|word| stem(word)).collect();
        let kind = |at: usize| phrase.words.get(at).is_some_and(|word| is_kind(word));
        for (at, stem) in stems.iter().enumerate() {
            let in_name = phrase.points() && at < NAME || !named;
            // In "ticket office" the first word is no kind of thing but part of the name.
            let part = in_name && !kind(at + 1) && stems.len() > at + 1;
            if kind(at) && !part {
                self.beside.push(stem.clone());
            } else {
                self.focus.push((stem.clone(), if in_name { 1.0 } else { OF_A_PREDICATE }));
            }
        }
        for (at, pair) in stems.windows(2).enumerate() {
            let in_name = phrase.points() && at + 1 < NAME || !named;
            if let ([one, other], true, false) = (pair, in_name, kind(at + 1)) {
                self.pairs.push((one.clone(), other.clone()));
            }
        }
    }
}

impl Phrase {
    /// Whether the words before it say that it is a thing.
    fn points(&self) -> bool {
        self.determined || self.tied
    }

    /// What it names, without a kind of thing behind it.
    fn thing(&self) -> Thing {
        let most = if self.determined { NAME } else { usize::MAX };
        let mut words: Vec<String> = self.words.iter().take(most).cloned().collect();
        while words.len() > 1 && words.last().is_some_and(|word| is_kind(word)) {
            words.pop();
        }
        let leaning = match (self.tied, self.determined) {
            (true, _) => TIED,
            (false, true) => DETERMINED,
            (false, false) => 1.0,
        };
        Thing { words, leaning }
    }

    /// Whether the question names one thing, not only a kind of thing.
    fn names(&self) -> bool {
        self.words.iter().take(NAME).any(|word| !is_kind(word))
    }
}

/// Whether a word names a kind of thing.
fn is_kind(word: &str) -> bool {
    ATTRIBUTES.contains(word) || ATTRIBUTES.contains(stem(word).as_str())
}

/// A Chinese run with a space for each character of such words.
fn without(words: &[&str], run: &str) -> String {
    words
        .iter()
        .fold(run.to_owned(), |run, word| run.replace(word, &" ".repeat(word.chars().count())))
}

/// What a question may be about: what an article or a preposition points at, else what it names first.
fn things(phrases: &[Phrase]) -> Vec<Thing> {
    let named = phrases.iter().filter(|phrase| phrase.names());
    let pointed: Vec<Thing> =
        named.clone().filter(|phrase| phrase.points()).map(Phrase::thing).collect();
    if pointed.is_empty() { named.take(1).map(Phrase::thing).collect() } else { pointed }
}

/// The same for words that name a kind of thing, where they stand by themselves: elsewhere they are
/// part of a name.
fn without_attributes(run: &str) -> String {
    let bare = |chunk: &str| {
        let mut rest = chunk;
        while let Some(after) = CHINESE_ATTRIBUTES.iter().find_map(|word| rest.strip_prefix(word)) {
            rest = after;
        }
        let gone = chunk.chars().count() - rest.chars().count();
        format!("{}{rest}", " ".repeat(gone))
    };
    run.split(' ').map(bare).collect::<Vec<_>>().join(" ")
}

/// A letter by itself, as of "dog's".
fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.starts_with(|letter: char| letter.is_ascii_alphabetic())
}
