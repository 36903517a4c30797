//! Tool calls that the user asks for in plain words.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;
use skein_domain::tool_declaration::ToolDeclaration;

use super::reply::Answer;

/// A tool, the parameter that a phrase names, and the phrase, whose group is the value.
const PHRASES: [(&str, &str, &str); 6] = [
    (
        "add_reminder",
        "content",
        r"(?s)^(?i:please |can you )*(?:(?i:remember|note down|don't forget)(?: that| to|:)? |(?:请|帮我)*(?:记住|记下|别忘了)[：:，,]?)(.+?)[.!。！]?$",
    ),
    (
        "fetch_page",
        "url",
        r"(?i)(?:\b(?:fetch|open|read|load)\b|打开|读|抓取|看看)[^\n]*?(https?://[^\s>)\x22'，。]+)",
    ),
    (
        "grep",
        "pattern",
        r"(?i)(?:\bsearch(?: the files| here)? for|\bgrep(?: for)?|\blook for|搜索|查找|找一下)[\s：:`'\x22“]*([^\n`'\x22”]+?)[`'\x22”]?[.?!。]?$",
    ),
    ("run_command", "command", r"(?i)(?:\b(?:run|execute)\b|运行|执行)[^`\n]*`([^`\n]+)`"),
    (
        "read_file",
        "path",
        r"(?i)(?:\b(?:read|open|show(?: me)?|print|look at)\b(?: the)?(?: file)?|读取?|打开|查看|显示)[\s`'\x22“]*([\w~./\\-]*[\w-]\.\w+)",
    ),
    (
        "list_directory",
        "path",
        r"(?i)\b(?:list|show)\b[^\n]*\b(?:files|folder|directory)\b(?:[^\n]*\b(?:in|of) ([\w./-]+))?|(?:列出|显示|有哪些)[^\n]*(?:文件|目录)",
    ),
];

static COMPILED: LazyLock<Vec<(&str, &str, Regex)>> = LazyLock::new(|| {
    let compiled = PHRASES
        .iter()
        .map(|(tool, name, phrase)| Regex::new(phrase).ok().map(|phrase| (*tool, *name, phrase)));
    compiled.flatten().collect()
});

/// Characters of the longest message that can ask for a tool. A longer one is pasted text.
const MAX_REQUEST_CHARS: usize = 400;

/// A call of the declared tool that the user's words ask for.
pub(super) fn requested_call(asked: &str, tools: &[ToolDeclaration]) -> Option<Answer> {
    let asked = asked.trim();
    if asked.chars().nth(MAX_REQUEST_CHARS).is_some() {
        return None;
    }
    COMPILED.iter().find_map(|(tool, name, phrase)| {
        let found = phrase.captures(asked)?;
        tools.iter().find(|known| known.name == *tool)?;
        let value = found.get(1).map_or("", |group| group.as_str().trim());
        let is_here = *name == "path" && matches!(value, "" | "here" | "this" | "the");
        let value = if is_here { "." } else { value };
        Some(Answer::Call { tool: (*tool).to_owned(), args: json!({ *name: value }) })
    })
}

/// True if the message is a notice of the program.
pub(super) fn is_notice(asked: &str) -> bool {
    asked.starts_with("[Notice from Skein") || asked.starts_with("[来自 Skein")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_compiles() {
        assert_eq!(COMPILED.len(), PHRASES.len());
    }
}
