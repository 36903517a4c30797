//! The title of a conversation: the prompt for one, and cleaning the reply.
//!
//! Not here: asking a model (`app::turn::titles`).

use skein_domain::message::{ContentPart, Message, Role};

use super::render::{render_message, truncate_middle};
use crate::prompts;
use crate::window::{Prompt, PromptMessage};

/// Characters of each message in the prompt for a title.
const CHARS: usize = 1_200;

/// The number of messages in the prompt for a title.
const MESSAGES: usize = 6;

/// Characters of the longest title.
const MAX_TITLE: usize = 60;

/// Characters of a line that are searched for a title; a URL in it may be long.
const MAX_LINE: usize = 4_000;

/// The prompt for a title, from the beginning of a conversation.
pub fn title_request<'a>(path: impl IntoIterator<Item = &'a Message>) -> Prompt {
    let texts = path.into_iter().filter_map(render_message).take(MESSAGES);
    let text: String = texts.map(|text| format!("{}\n", truncate_middle(&text, CHARS))).collect();
    let text = format!("<conversation>\n{text}</conversation>\n");
    let request = PromptMessage { role: Role::User, parts: [ContentPart::Text { text }].into() };
    Prompt { system: prompts::TITLE.to_owned(), messages: vec![request], ..Prompt::default() }
}

/// A title from a model's reply: one line without reasoning, links, quotation marks and full stop. `None`:
/// nothing is left.
pub fn clean_title(answer: &str) -> Option<String> {
    let line =
        super::validation::strip_reasoning(answer).lines().find(|line| !line.trim().is_empty())?;
    let line = strip_links(line.trim());
    let line = line.trim_start_matches(['#', '*', '-', ' ']);
    let line = line.strip_prefix("Title:").or_else(|| line.strip_prefix("标题：")).unwrap_or(line);
    let quotes = ['"', '\'', '“', '”', '‘', '’', '「', '」', '《', '》', '*', '`', ' '];
    shortened_title(line.trim_matches(|mark| quotes.contains(&mark) || STOPS.contains(&mark)))
}

/// The title until a model has written one: the beginning of the first message. `None`: the message has no
/// text.
pub fn provisional_title(text: &str) -> Option<String> {
    text.lines().find_map(|line| shortened_title(strip_links(line).trim().trim_end_matches(STOPS)))
}

/// A line without Markdown links and images; their texts stay.
pub fn strip_links(line: &str) -> String {
    let mut rest: String = line.chars().take(MAX_LINE).collect();
    let mut dialogue = String::new();
    // From the inside out: the text of a link may be an image.
    while let Some((before, behind)) = rest.split_once("](") {
        match (before.rsplit_once('['), behind.split_once(')')) {
            (Some((before, words)), Some((_, after))) => {
                let before = before.strip_suffix('!').unwrap_or(before);
                rest = format!("{before}{words}{after}");
            }
            (None, _) | (_, None) => {
                dialogue.push_str(before);
                dialogue.push_str("](");
                rest = behind.to_owned();
            }
        }
    }
    dialogue + &rest
}

/// Full stops, which are removed from the end of a title.
const STOPS: [char; 2] = ['.', '。'];

/// A line as a title. A longer line is cut after a word and gets an ellipsis.
fn shortened_title(line: &str) -> Option<String> {
    let line = line.trim();
    let start: String = line.chars().take(MAX_TITLE).collect();
    if start.len() == line.len() {
        return (!line.is_empty()).then_some(start);
    }
    let is_cut = |edge: Option<char>| edge.is_some_and(is_of_a_word);
    let within = is_cut(start.chars().next_back()) && is_cut(line.chars().nth(MAX_TITLE));
    let whole = start.rsplit_once(char::is_whitespace).filter(|_| within);
    let start = whole.map_or(start.as_str(), |(whole, _)| whole);
    let open =
        |mark: char| mark.is_whitespace() || ",;:，；：、".contains(mark) || STOPS.contains(&mark);
    Some(format!("{}…", start.trim_end_matches(open)))
}

/// True for letters of scripts that separate words by spaces. Chinese and Japanese may be cut after any
/// character.
fn is_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() && letter < '\u{2e80}'
}
