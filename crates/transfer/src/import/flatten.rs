//! Flattens messages that contain their replies into one list. Such a tree is nested as deeply as
//! the conversation is long, and the recursive JSON parser would reach its limit.

use serde_json::Value;

/// The messages of the tree, each after its parent, whose id it then names. Text that is not a list
/// stays as it is.
///
/// # Errors
/// A message is not JSON.
pub(crate) fn flatten_messages(list: &str) -> serde_json::Result<Value> {
    if !list.trim_start().starts_with('[') {
        return serde_json::from_str(list);
    }
    let mut messages: Vec<Value> = Vec::new();
    for NestedMessage { parent: holder, text } in texts(list) {
        let mut message: Value = serde_json::from_str(&text)?;
        let id = holder.and_then(|holder| messages.get(holder)?.get(ID).cloned());
        if let Value::Object(fields) = &mut message {
            fields.remove(HELD);
            fields.extend(id.map(|id| (PARENT.to_owned(), id)));
        }
        messages.push(message);
    }
    Ok(Value::Array(messages))
}

/// LibreChat's key of a message id.
pub(crate) const ID: &str = "messageId";
pub(crate) const PARENT: &str = "parentMessageId";
const HELD: &str = "children";

/// A message without its replies.
struct NestedMessage {
    /// The index of its parent.
    parent: Option<usize>,
    text: String,
}

/// An open scope of the text.
enum OpenScope {
    List,
    /// A message, by its index.
    Message {
        place: usize,
        /// The number of brackets open in it, including its own.
        depth: usize,
    },
}

fn texts(list: &str) -> Vec<NestedMessage> {
    let mut messages: Vec<NestedMessage> = Vec::new();
    let mut open = Vec::new();
    let mut before = ("", "");
    let mut rest = list;
    while let Some(token) = token(&mut rest) {
        let holds = before == ("\"children\"", ":");
        before = (before.1, token);
        match (open.last_mut(), token) {
            (None | Some(OpenScope::List), "[") => open.push(OpenScope::List),
            (None | Some(OpenScope::List), "{") => {
                let holder = open.iter().rev().find_map(|open| match open {
                    OpenScope::Message { place, .. } => Some(*place),
                    OpenScope::List => None,
                });
                open.push(OpenScope::Message { place: messages.len(), depth: 1 });
                messages.push(NestedMessage { parent: holder, text: token.to_owned() });
            }
            (None | Some(OpenScope::List), "]") => drop(open.pop()),
            (None | Some(OpenScope::List), _) => {}
            (Some(OpenScope::Message { place, depth }), token) => {
                let Some(NestedMessage { text, .. }) = messages.get_mut(*place) else { continue };
                if token == "[" && *depth == 1 && holds {
                    text.push_str("null");
                    open.push(OpenScope::List);
                    continue;
                }
                text.push_str(token);
                match token {
                    "{" | "[" => *depth += 1,
                    "}" | "]" => *depth -= 1,
                    _ => {}
                }
                if *depth == 0 {
                    open.pop();
                }
            }
        }
    }
    messages
}

/// Takes the next token: a string, a bracket, a comma, a colon or a word.
fn token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let is_sign = |char: char| matches!(char, '{' | '}' | '[' | ']' | ',' | ':');
    let end = match text.chars().next()? {
        '"' => behind_string(text),
        first if is_sign(first) => 1,
        _ => {
            let ends = |char: char| is_sign(char) || char == '"' || char.is_whitespace();
            text.find(ends).unwrap_or(text.len())
        }
    };
    let (token, behind) = text.split_at_checked(end)?;
    *rest = behind;
    Some(token)
}

fn behind_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
