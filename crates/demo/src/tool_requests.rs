//! Tool calls that the user asks for in plain words, or that a notice of the program asks for.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};
use skein_domain::tool_declaration::ToolDeclaration;
use skein_providers::value_at;

use super::reply::ToolRequest;

/// A phrase, the tool that it asks for, and the parameter whose value is its group.
const PHRASES: &[(&str, &str, &str)] = &[
    (
        r"(?is)^(?:please |can you |could you )*(?:remember|note down|make a note|don't forget)(?: that| to|:)? (.+?)[.!]?$",
        "add_reminder",
        "content",
    ),
    (r"(?s)^(?:请|帮我)*(?:记住|记下|别忘了)[：:，,]?(.+?)[。！]?$", "add_reminder", "content"),
    (r"(?i)\bclear your mind\b()", "clear_mind", ""),
    (r"()清空(你的)?(思路|脑子|记忆|上下文)", "clear_mind", ""),
    (r"(?i)\b(?:fetch|open|read|load)\b[^\n]*?(https?://[^\s>)\x22'，。]+)", "fetch_page", "url"),
    (r"(?:打开|读取?|抓取|看看)[^\n]*?(https?://[^\s>)\x22'，。]+)", "fetch_page", "url"),
    (
        r"(?i)\bsearch (?:the )?(?:web|internet|online) (?:for )?[`\x22'“]?([^`\x22'”\n]+?)[`\x22'”]?[.?!]?$",
        "web_search",
        "query",
    ),
    (r"(?:上网|网上|联网)(?:搜索|搜|查)(?:一下)?[：: “]*([^”\n]+?)[”。]?$", "web_search", "query"),
    (
        r"(?i)\bsearch (?:the |our |my )?(?:history|conversation|earlier messages) (?:for )?[`\x22'“]?([^`\x22'”\n]+?)[`\x22'”]?[.?!]?$",
        "search_history",
        "query",
    ),
    (
        r"(?:搜索|查找|查)(?:历史|之前的对话|聊天记录)[里中]?(?:的)?[：: “]*([^”\n]+?)[”。]?$",
        "search_history",
        "query",
    ),
    (
        r"(?i)\b(?:search(?: the (?:files|folder|code))?(?: here)? for|grep(?: for)?|look for)\s+[`\x22'“]?([^`\x22'”\n]+?)[`\x22'”]?(?: in (?:the |these )?(?:files|folder|code))?[.?!]?$",
        "grep",
        "pattern",
    ),
    (r"(?:搜索|查找|搜一下|找一下)[：: “\x22]*([^”\x22\n]+?)[”\x22。]?$", "grep", "pattern"),
    (r"(?i)\b(?:run|execute)\b[^`\n]*`([^`\n]+)`", "run_command", "command"),
    (r"(?:运行|执行)[^`\n]*`([^`\n]+)`", "run_command", "command"),
    (
        r"(?i)\b(?:read|open|show(?: me)?|cat|print|look at)\s+(?:the )?(?:file )?[`\x22'“]?([\w~./\\-]*[\w-]\.\w+)[`\x22'”]?",
        "read_file",
        "path",
    ),
    (
        r"(?:读取?|打开|看看|查看|显示)(?:一下)?(?:文件)?[ “`\x22]*([\w~./\\-]*[\w-]\.\w+)",
        "read_file",
        "path",
    ),
    (
        r"(?i)\b(?:list|show)\b[^\n]*\b(?:files|folder|directory)\b(?:[^\n]*\b(?:in|of) [`\x22']?([\w./-]*/[\w./-]*|[\w-]+/?)[`\x22']?)?",
        "list_directory",
        "path",
    ),
    (r"(?:列出|显示|看看|有哪些)[^\n]*(?:文件|目录)()", "list_directory", "path"),
];

static COMPILED: LazyLock<Vec<(Regex, &'static str, &'static str)>> = LazyLock::new(|| {
    let compile = |(phrase, tool, name): &(&str, &'static str, &'static str)| {
        Some((Regex::new(phrase).ok()?, *tool, *name))
    };
    PHRASES.iter().filter_map(compile).collect()
});

/// Characters of the longest message that can ask for a tool. A longer one is pasted text.
const MAX_REQUEST_CHARS: usize = 400;

/// The declared tool that the user's words ask for.
pub(super) fn requested_tool(asked: &str, tools: &[ToolDeclaration]) -> Option<ToolRequest> {
    let asked = asked.trim();
    if asked.chars().nth(MAX_REQUEST_CHARS).is_some() {
        return None;
    }
    by_name(asked, tools).or_else(|| {
        COMPILED.iter().find_map(|(phrase, tool, name)| {
            let declared = tools.iter().any(|known| known.name == *tool);
            let found = phrase.captures(asked).filter(|_| declared)?;
            let value = found.get(1).map_or("", |group| group.as_str().trim());
            let here = matches!(value, "" | "here" | "this" | "the");
            let value = if here && *name == "path" { "." } else { value };
            Some(match *name {
                "" => ToolRequest::new(tool, []),
                name => ToolRequest::new(tool, [(name, json!(value))]),
            })
        })
    })
}

/// A call of a tool by its name. The tools of MCP servers have no phrases.
fn by_name(asked: &str, tools: &[ToolDeclaration]) -> Option<ToolRequest> {
    let lower = asked.to_lowercase();
    let asks = ["use ", "call ", "run ", "invoke ", "调用", "使用", "用"];
    if !asks.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let named = |tool: &&ToolDeclaration| {
        let short = tool.name.rsplit("__").next().unwrap_or(&tool.name).to_lowercase();
        let spoken = [
            format!("{short} tool"),
            format!("tool {short}"),
            format!("{short}工具"),
            format!("工具{short}"),
            format!("{short} 工具"),
        ];
        lower.contains(&tool.name.to_lowercase())
            || spoken.iter().any(|words| lower.contains(words))
    };
    let tool = tools.iter().filter(named).max_by_key(|tool| tool.name.len())?;
    Some(ToolRequest { tool: tool.name.clone(), args: arguments(asked, tool) })
}

/// The arguments: the JSON in the message, or else its quoted words for the required parameters.
fn arguments(asked: &str, tool: &ToolDeclaration) -> Value {
    let json = asked
        .find('{')
        .and_then(|from| asked.get(from..=asked.rfind('}')?))
        .and_then(|json| serde_json::from_str::<Value>(json).ok());
    if let Some(args) = json.filter(Value::is_object) {
        return args;
    }
    let mut quoted = asked.split(['"', '“', '”', '`']).skip(1).step_by(2);
    let mut numbers = asked
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse::<i64>().ok());
    let mut args = Map::new();
    for name in value_at(&tool.parameters, "/required")
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        let kind = value_at(&tool.parameters, "/properties")
            .get(name)
            .and_then(|schema| schema["type"].as_str());
        let value = match kind {
            Some("integer" | "number") => json!(numbers.next().unwrap_or(0)),
            Some("boolean") => json!(true),
            _ => json!(quoted.next().unwrap_or(asked)),
        };
        args.insert(name.to_owned(), value);
    }
    Value::Object(args)
}

/// True if the message is a notice of the program.
pub(super) fn is_notice(asked: &str) -> bool {
    asked.starts_with("[Notice from Skein")
        || asked.starts_with("[Skein")
        || asked.starts_with("【Skein")
        || asked.starts_with("[来自 Skein")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_compiles() {
        assert_eq!(COMPILED.len(), PHRASES.len());
    }
}
