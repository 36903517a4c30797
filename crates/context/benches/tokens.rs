//! Counting beside `tiktoken-rs`, in one run, on texts of a megabyte: `cargo bench -p
//! skein-context --bench tokens`.
//!
//! The prose is drawn sentence by sentence from two pages. The "varied" texts are drawn from the
//! tokens of the vocabulary, common ones more often, so that they are as little alike as language
//! gets: nothing that remembers earlier words can shine there. The texts take turns, so that none
//! finds the processor's caches as it left them.
#![allow(clippy::print_stdout, reason = "a benchmark is there to print")]
#![allow(clippy::expect_used, reason = "a benchmark has nobody to report an error to")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use tiktoken_rs::CoreBPE;

const SIZE: usize = 1_000_000;
const ROUNDS: usize = 7;

fn main() {
    // `cargo test --benches` and editors run every target: only `cargo bench` asks for figures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let ours = TokenCounter::for_model("gpt-4o");
    let (our_load, _) = timed(|| ours.text("") as usize);
    let mut theirs = None;
    let (their_load, _) = timed(|| theirs.insert(tiktoken_rs::o200k_base()).is_ok().into());
    let theirs = theirs.and_then(Result::ok).expect("the vocabulary is in the crate");
    println!("loading o200k_base: skein {our_load:.0?}, tiktoken-rs {their_load:.0?}\n");

    let texts = [
        ("English", shuffled(include_str!("text/english.txt"), &['.', '?', '!'])),
        ("Chinese", shuffled(include_str!("text/chinese.txt"), &['，', '。', '；', '\n'])),
        ("code", shuffled(&code(), &['\n'])),
        ("English, varied", varied(&theirs, |word| word.starts_with(' ') && is_latin(word), '.')),
        ("Chinese, varied", varied(&theirs, is_chinese, '，')),
        ("one million a", "a".repeat(SIZE)),
        ("a thousand spaces", format!("{}x", " ".repeat(999)).repeat(SIZE / 1000)),
        ("emoji", "👩‍👩‍👧🎉🇨🇳".repeat(SIZE / 30)),
        ("base64", base64()),
        ("rules of -", rules("-")),
        ("rules of =", rules("=")),
        ("rules of *", rules("*")),
        ("rules of /", rules("/")),
        ("one million -", "-".repeat(SIZE)),
        ("no rule twice", (16..1_400).map(|length| format!("{}\n", "-".repeat(length))).collect()),
    ];
    let mut best = texts.each_ref().map(|_| [Duration::MAX; 2]);
    for _ in 0..ROUNDS {
        for ((_, text), best) in texts.iter().zip(&mut best) {
            let (our_time, our_count) = timed(|| ours.text(text) as usize);
            let (their_time, their_count) = timed(|| theirs.encode_ordinary(text).len());
            assert_eq!(our_count, their_count);
            *best = [best[0].min(our_time), best[1].min(their_time)];
        }
    }
    println!("{:<18} {:>10} {:>12} {:>7}", "MB/s, one core", "skein", "tiktoken-rs", "ratio");
    for ((name, text), [our_time, their_time]) in texts.iter().zip(best) {
        let speed = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
        let (ours, theirs) = (speed(our_time), speed(their_time));
        println!("{name:<18} {ours:>10.1} {theirs:>12.1} {:>6.1}×", ours / theirs);
    }
}

/// Lines as they stand under headings and around comments, of many lengths.
fn rules(mark: &str) -> String {
    let lines = (20..=120).map(|length| format!("{}\n", mark.repeat(length)));
    let some: String = lines.collect();
    some.repeat(SIZE / some.len())
}

fn timed(count: impl FnOnce() -> usize) -> (Duration, usize) {
    let (start, wall) = (on_processor(), Instant::now());
    let tokens = black_box(count());
    let spent = start.zip(on_processor()).map(|(start, end)| end - start);
    (spent.unwrap_or_else(|| wall.elapsed()), tokens)
}

/// Time this thread has had a processor, where the system says so (Linux): what others do
/// meanwhile on a busy machine then does not count. Yielding brings the figure up to date.
fn on_processor() -> Option<Duration> {
    std::thread::yield_now();
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(line.split(' ').next()?.parse().ok()?))
}

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }
}

fn shuffled(page: &str, ends: &[char]) -> String {
    let sentences: Vec<&str> = page.split_inclusive(ends).collect();
    let mut dice = Dice(1);
    let mut text = String::with_capacity(SIZE + 1000);
    while text.len() < SIZE {
        text.extend(sentences.get(dice.below(sentences.len())).copied());
    }
    text
}

fn code() -> String {
    [
        include_str!("../src/tokens/pretokenize.rs"),
        include_str!("../src/tokens/vocabulary.rs"),
        include_str!("../../domain/src/message.rs"),
        include_str!("tokens.rs"),
    ]
    .concat()
}

fn is_latin(word: &str) -> bool {
    word.trim_start().chars().all(|letter| letter.is_ascii_lowercase())
}

fn is_chinese(word: &str) -> bool {
    word.chars().all(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

/// Words joined into sentences; the second half of the list as often as each further half.
fn varied(vocabulary: &CoreBPE, wanted: impl Fn(&str) -> bool, end: char) -> String {
    let tokens = (0..200_000).filter_map(|id| vocabulary.decode_bytes(&[id]).ok());
    let words: Vec<String> = tokens
        .filter_map(|token| String::from_utf8(token).ok())
        .filter(|word| wanted(word))
        .collect();
    let mut dice = Dice(1);
    let mut text = String::with_capacity(SIZE + 1000);
    while text.len() < SIZE {
        for _ in 0..3 + dice.below(9) {
            let common = words.len() >> dice.below(6);
            text.push_str(words.get(dice.below(common)).map_or("", String::as_str));
        }
        text.push(end);
    }
    text
}

fn base64() -> String {
    let mut dice = Dice(1);
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..SIZE)
        .filter_map(|_| letters.get(dice.below(64)).map(|letter| char::from(*letter)))
        .collect()
}
