//! How long the anchors of 300,000 tokens of conversation take: under 300 ms is the promise.

use std::time::Instant;

use skein_context::anchors::{AnchorSource, Voice, extract};
use skein_context::message::MessageId;

/// About 300,000 tokens: 1.2 MB of talk, code, logs and Chinese.
fn conversation() -> Vec<(Voice, String)> {
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
            0 => (Voice::Person, (0..16).map(|i| talk(n * 16 + i)).collect()),
            1 => (Voice::Material, (0..90).map(|i| log(n * 90 + i)).collect()),
            2 => (Voice::Model, (0..50).map(|i| chinese(n * 50 + i)).collect()),
            _ => {
                let lines: String = (0..80).map(|i| code(n * 80 + i)).collect();
                (Voice::Model, format!("Here is the loop:\n```\n{lines}```\n"))
            }
        })
        .collect()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let texts = conversation();
    let sources: Vec<AnchorSource<'_>> = (1i64..)
        .zip(&texts)
        .map(|(id, (voice, text))| AnchorSource { message: MessageId(id), voice: *voice, text })
        .collect();
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    let mut best = u128::MAX;
    let mut found = 0;
    for _ in 0..7 {
        let begun = Instant::now();
        found = extract(&sources).len();
        best = best.min(begun.elapsed().as_millis());
    }
    println!("anchors of {bytes} bytes (about 300k tokens): {best} ms, {found} found");
}
