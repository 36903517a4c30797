//! A fixed summariser, so that the measurement compares Skein alone. It quotes the beginnings of
//! messages and uses a fifth of the allowed length.

/// Words of the summary prompt that distinguish it from a request for a reply.
pub const ASKED: &str = "Whoever goes on with that conversation";

/// Characters quoted of a message.
const HEAD: usize = 48;
/// Characters of the summary per allowed token: a fifth of the average in English.
const CHARS_IN_A_TOKEN: f64 = 0.8;

/// The reply to a summary request: the previous summary and the beginnings of user and model
/// messages, evenly sampled.
pub fn summary(request: &str) -> String {
    let budget = request.rsplit_once("Stay under ").and_then(|(_, rest)| rest.split_once(' '));
    let budget = budget.and_then(|(tokens, _)| tokens.parse::<u32>().ok()).unwrap_or(500);
    let heads = heads(request);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small quotient")]
    let quoted = (f64::from(budget) * CHARS_IN_A_TOKEN / HEAD as f64) as usize;
    let step = heads.len().div_ceil(quoted.max(1)).max(1);
    let quoted: String = heads.iter().step_by(step).map(|head| format!("- {head}\n")).collect();
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
