//! A fixed summariser, so that the measurement compares Skein alone. It quotes the beginnings of
//! messages and uses a fifth of the allowed tokens, in every language.

use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;

/// Words of the summary prompt that distinguish it from a request for a reply.
pub const ASKED: &str = "Whoever goes on with that conversation";

/// Characters quoted of a message.
const HEAD: usize = 48;
/// One in so many of the allowed tokens is used.
const SHARE: u32 = 5;

/// The reply to a summary request: the previous summary and the beginnings of user and model
/// messages, evenly sampled.
pub fn summary(request: &str) -> String {
    let budget = request.rsplit_once("Stay under ").and_then(|(_, rest)| rest.split_once(' '));
    let budget = budget.and_then(|(tokens, _)| tokens.parse::<u32>().ok()).unwrap_or(500);
    let counter = TokenCounter::for_model("gpt-4o");
    let lines: Vec<String> = heads(request).iter().map(|head| format!("- {head}\n")).collect();
    let all: u32 = lines.iter().map(|line| counter.text(line)).sum();
    let step = usize::try_from(all.div_ceil((budget / SHARE).max(1))).unwrap_or(usize::MAX).max(1);
    let quoted: String = lines.into_iter().step_by(step).collect();
    format!("## What has been done\n{quoted}\n## State now\nThe conversation goes on.")
}

fn heads(request: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut is_summary = false;
    let mut lines = request.lines();
    while let Some(line) = lines.next() {
        match line {
            "<summary>" => is_summary = true,
            "</summary>" => is_summary = false,
            r#"<message from="user">"# | r#"<message from="assistant">"# => {
                let said = lines.next().filter(|said| !said.starts_with(['[', '<']));
                heads.extend(said.map(|said| said.chars().take(HEAD).collect()));
            }
            line if is_summary => heads.extend(line.strip_prefix("- ").map(str::to_owned)),
            _ => {}
        }
    }
    heads
}
