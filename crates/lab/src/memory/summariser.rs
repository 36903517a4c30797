//! The one summariser of the measurement, so that what differs is Skein: it understands nothing, quotes
//! how messages begin and takes a fifth of the room it is given.

/// Words of the program by which a request for a summary is told from one for an answer.
pub const ASKED: &str = "Whoever goes on with that conversation";

/// Characters of a message that are quoted.
const HEAD: usize = 48;
/// Characters of the summary for each token it may take: a fifth of what these would be in English.
const CHARS_IN_A_TOKEN: f64 = 0.8;

/// What it answers to a request: the summary before it and the beginnings of messages of the user and the
/// model, spread evenly over all there are.
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
