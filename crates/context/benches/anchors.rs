//! How long the anchors of 300,000 tokens of conversation take, and the passages that fit a question:
//! in milliseconds, and beside what counting the same text takes on the same machine.
//!
//! Fails where the anchors take longer than promised, or grow faster than the text.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use skein_context::facts::{Author, FactSource, extract};
use skein_context::retrieval;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_domain::ids::MessageId;

const PROMISED: Duration = Duration::from_millis(300);
/// How much longer four times the text may take, with room for what a busy machine adds.
const LINEAR: f64 = 6.0;

/// About 300,000 tokens: 1.2 MB of talk, code, logs and Chinese.
fn conversation() -> Vec<(Author, String)> {
    let talk = |n: usize| {
        format!(
            "I looked at the importer again and the queue depth was {n} when it stalled, which is \
             more than we expected. The settings are in /srv/app{n}/config.toml and Mia Berg asked \
             for a fix by March {}. We should never restart it during the day because the auditors \
             watch. ",
            n % 28 + 1
        )
    };
    let log = |n: usize| {
        format!("2026-03-11 12:{:02}:07 worker-{n} GET /api/items/{n} 200 {n}ms\n", n % 60)
    };
    let chinese =
        |n: usize| format!("导入器今天处理了{n}条记录，超时时间改为{}秒，张伟负责跟进。", n % 90);
    let code = |n: usize| format!("    let row_{n} = parse_row(input, {n}).unwrap_or_default();\n");
    (0..240)
        .map(|n| match n % 4 {
            0 => (Author::User, (0..16).map(|i| talk(n * 16 + i)).collect()),
            1 => (Author::Material, (0..90).map(|i| log(n * 90 + i)).collect()),
            2 => (Author::Model, (0..50).map(|i| chinese(n * 50 + i)).collect()),
            _ => {
                let lines: String = (0..80).map(|i| code(n * 80 + i)).collect();
                (Author::Model, format!("Here is the loop:\n```\n{lines}```\n"))
            }
        })
        .collect()
}

fn sources(texts: &[(Author, String)]) -> Vec<FactSource<'_>> {
    let numbered = (1i64..).zip(texts);
    numbered
        .map(|(id, (voice, text))| FactSource {
            message: MessageId(id),
            author: *voice,
            text,
            document: None,
        })
        .collect()
}

/// The best of several runs.
fn measure<T>(mut work: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed()
    };
    (0..7).map(once).min().unwrap_or_default()
}

fn main() -> ExitCode {
    let texts = conversation();
    let (whole, quarter) = (sources(&texts), sources(texts.get(..60).unwrap_or_default()));
    let counter = TokenCounter::for_model("gpt-4o");
    let counting = measure(|| whole.iter().map(|it| counter.text(it.text)).sum::<u32>());
    let anchors = measure(|| extract(&whole));
    let question = "Who asked for a fix of /srv/app2001/config.toml, and by when?";
    let count = |text: &str| counter.text(text);
    let indexing = measure(|| retrieval::PassageIndex::of(&whole));
    let index = retrieval::PassageIndex::of(&whole);
    let ranking = measure(|| retrieval::retrieve(question, &index, 2_000, count));
    let part = measure(|| extract(&quarter));
    let times = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
    let tokens: u32 = whole.iter().map(|it| counter.text(it.text)).sum();
    println!("a conversation of {tokens} tokens, counted in {counting:.1?}");
    let anchoring = times(anchors, counting);
    println!("its anchors: {anchors:.1?}, {anchoring:.2} times the counting (under 300 ms)");
    println!("its passages, once: {indexing:.1?}, {:.2} times", times(indexing, counting));
    println!("those for a question: {ranking:.1?}");
    let growth = times(anchors, part);
    println!("four times the text: {growth:.1} times the anchoring (linear: 4)");
    if anchors < PROMISED && growth < LINEAR { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
