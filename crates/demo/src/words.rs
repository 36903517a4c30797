//! A text as the demo model reads it: words without their endings, and where words have no spaces
//! between them, neighbouring characters. Not here: what any of them means.

/// A run of letters and digits, or of Chinese characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// Whether only a space, a hyphen or nothing is between it and the one before.
    pub(super) glued: bool,
}

impl Word<'_> {
    pub(super) fn is_chinese(&self) -> bool {
        self.text.starts_with(is_chinese)
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut end_before = None;
    let mut start = None;
    let mut class_before = Class::Other;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let class = Class::of(letter);
        if class == class_before && at < text.len() {
            continue;
        }
        if let Some(start) = start.take() {
            let between = end_before.and_then(|end| text.get(end..start));
            let glued = between.is_some_and(|between| matches!(between, "" | " " | "-" | "_"));
            words.extend(text.get(start..at).map(|text| Word { text, glued }));
            end_before = Some(at);
        }
        start = (class != Class::Other).then_some(at);
        class_before = class;
    }
    words
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Chinese,
    Word,
    Other,
}

impl Class {
    fn of(letter: char) -> Self {
        if is_chinese(letter) {
            Self::Chinese
        } else if letter.is_alphanumeric() {
            Self::Word
        } else {
            Self::Other
        }
    }
}

/// Whether a character is written without spaces between words.
pub(super) fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// A word without its endings.
pub(super) fn stem(word: &str) -> String {
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.chars().nth(2).is_some()) {
            return stem.trim_end_matches('e').to_owned();
        }
    }
    word.trim_end_matches('e').to_owned()
}

/// Each two neighbouring characters.
pub(super) fn twos(run: &str) -> Vec<String> {
    let letters: Vec<char> = run.chars().collect();
    letters.windows(2).map(|two| two.iter().collect()).collect()
}

/// Whether a lower-case text has a word; Chinese has no edges of words.
pub(super) fn says(lower: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return lower.contains(word);
    }
    lower.match_indices(word).any(|(at, _)| {
        let edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        let after = lower.get(at + word.len()..).and_then(|text| text.chars().next());
        edge(before) && edge(after)
    })
}
