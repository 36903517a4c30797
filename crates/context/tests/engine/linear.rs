//! No text makes what is read whole take longer than linear (law 13).
//!
//! The times are a hundred times what each text takes, and less than anything quadratic does, were it only
//! moving bytes about.

use std::time::{Duration, Instant};

use skein_context::facts::{Author, FactSource, extract};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_domain::ids::MessageId;

#[track_caller]
fn takes_at_most<T>(seconds: u64, text: &str, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    assert!(begun.elapsed() < Duration::from_secs(seconds), "{text:.40}");
    done
}

#[test]
fn law_13_no_text_makes_counting_slower_than_linear() {
    let million = 1_000_000;
    let texts = [
        "a".repeat(million),
        " ".repeat(million),
        "\n".repeat(million),
        " \n".repeat(million / 2),
        "-".repeat(million),
        "字".repeat(million / 3),
        "亚A".repeat(million / 4),
        "!A".repeat(million / 2),
        "\u{301}".repeat(million / 2),
        "\u{301}1".repeat(million / 3),
        "👩‍👩‍👧".repeat(million / 18),
        "'s'S'ſ".repeat(million / 7),
        "aaaaaaaab".repeat(million / 9),
        "中文没有空格".repeat(million / 18),
    ];
    // One of each encoding.
    for model in ["gpt-4", "gpt-4o"] {
        let counter = TokenCounter::for_model(model);
        for text in &texts {
            let tokens = takes_at_most(15, text, || counter.text(text));
            let tokens = usize::try_from(tokens).unwrap();
            assert!(tokens > 1_000 && tokens <= text.len(), "{model} {text:.20}");
        }
    }
}

#[test]
fn law_13_no_text_makes_finding_facts_slower_than_linear() {
    let length = 2_000_000;
    let all = |piece: &str| piece.repeat(length / piece.len());
    let many = |piece: fn(usize) -> String| (0..length / 26).map(piece).collect::<String>();
    let texts = [
        all("7443 "),
        all("7443, "),
        all("loom, "),
        all("\"warp\" "),
        all("`a"),
        all("\""),
        all(")"),
        all("the loom warp "),
        all("the port of loom is now 7443 "),
        all("Mia Berg "),
        all("王小明7443字"),
        all("王小明7443字，"),
        all("a:\n"),
        all("{\"id\": 7443, \"name\": \"loom\"}, "),
        many(|n| format!("the loom warp {n} is {n} ")),
        many(|n| format!("the loom port {n} is now {n}.\n")),
        many(|n| format!("the {n} loom {n} port, ")),
    ];
    for text in texts {
        let halves = text.split_at(text.floor_char_boundary(text.len() / 2));
        for author in [Author::User, Author::Material] {
            let source =
                |id, text| FactSource { message: MessageId(id), author, text, document: None };
            let sources = [source(1, halves.0), source(2, halves.1)];
            takes_at_most(20, &text, || extract(&sources));
        }
    }
}
