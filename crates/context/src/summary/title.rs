//! Naming a conversation.

use super::material::{render, shortened};
use crate::message::{ContentPart, Message, Role};
use crate::prompts;
use crate::window::{Prompt, PromptMessage};

/// Characters of each message that are read for a name.
const CHARS: usize = 1_200;

/// Messages that are read for a name.
const MESSAGES: usize = 6;

/// Characters of the longest name.
const LONGEST: usize = 60;

/// Asks for a name, from the beginning of a conversation.
pub fn title_request<'a>(path: impl IntoIterator<Item = &'a Message>) -> Prompt {
    let texts = path.into_iter().filter_map(render).take(MESSAGES);
    let text: String = texts.map(|text| format!("{}\n", shortened(&text, CHARS))).collect();
    let text = format!("<conversation>\n{text}</conversation>\n");
    let asked = PromptMessage { role: Role::User, parts: [ContentPart::Text { text }].into() };
    Prompt {
        system: prompts::TITLE.to_owned(),
        tools: Vec::new(),
        messages: vec![asked],
        stable_messages: 0,
    }
}

/// A model's answer as a name: one line without reasoning, quotation marks and full stop. `None`
/// when nothing is left.
pub fn clean_title(answer: &str) -> Option<String> {
    let line =
        super::accept::without_reasoning(answer).lines().find(|line| !line.trim().is_empty())?;
    let line = line.trim().trim_start_matches(['#', '*', '-', ' ']);
    let line = line.strip_prefix("Title:").or_else(|| line.strip_prefix("标题：")).unwrap_or(line);
    let quotes = ['"', '\'', '“', '”', '‘', '’', '「', '」', '《', '》', '*', '`', '.', '。', ' '];
    let title: String = line.trim_matches(quotes).chars().take(LONGEST).collect();
    (!title.trim().is_empty()).then(|| title.trim().to_owned())
}

/// What a conversation is called until it has a name: the beginning of what it was begun with. `None`
/// where that says nothing.
pub fn opening(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let start: String = line.chars().take(LONGEST).collect();
    Some(if start.len() < line.len() { format!("{}…", start.trim_end()) } else { start })
}
