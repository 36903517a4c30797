//! Tool calls that the user asks for in plain words.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_providers::value_at;

use super::reply::ToolRequest;

/// A tool, the parameter that a phrase names, and the phrase, whose group is the value.
const PHRASES: [(&str, &str, &str); 9] = [
    (
        "add_reminder",
        "content",
        r"(?s)^(?i:please |can you )*(?:(?i:remember|note down|don't forget)(?: that| to|:)? |(?:请|帮我)*(?:记住|记下|别忘了)[：:，,]?)(.+?)[.!。！]?$",
    ),
    ("clear_mind", "", r"(?i)\bclear your mind\b()|清空你?的?(?:思路|脑子|记忆|上下文)"),
    (
        "fetch_page",
        "url",
        r"(?i)(?:\b(?:fetch|open|read|load)\b|打开|读|抓取|看看)[^\n]*?(https?://[^\s>)\x22'，。]+)",
    ),
    (
        "web_search",
        "query",
        r"(?i)(?:\bsearch (?:the )?(?:web|internet|online)(?: for)?|(?:上网|网上|联网)(?:搜索|搜|查)(?:一下)?)[\s：:'\x22“]*([^\n'\x22”]+?)['\x22”]?[.?!。]?$",
    ),
    (
        "search_history",
        "query",
        r"(?i)(?:\bsearch (?:the |our )?(?:history|conversation)(?: for)?|(?:搜索|查找|查)(?:历史|聊天记录))[\s：:'\x22“]*([^\n'\x22”]+?)['\x22”]?[.?!。]?$",
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

/// The declared tool that the user's words ask for.
pub(super) fn requested_tool<'a>(
    asked: &str,
    tools: impl Iterator<Item = &'a ToolDeclaration> + Clone,
) -> Option<ToolRequest> {
    let asked = asked.trim();
    if asked.chars().nth(MAX_REQUEST_CHARS).is_some() {
        return None;
    }
    by_name(asked, tools.clone()).or_else(|| {
        COMPILED.iter().find_map(|(tool, name, phrase)| {
            let declared = tools.clone().any(|known| known.name == *tool);
            let found = phrase.captures(asked).filter(|_| declared)?;
            let value = found.get(1).map_or("", |group| group.as_str().trim());
            let is_here = *name == "path" && matches!(value, "" | "here" | "this" | "the");
            let value = if is_here { "." } else { value };
            let args = Some((*name, value)).filter(|(name, _)| !name.is_empty());
            Some(ToolRequest { tool: (*tool).to_owned(), args: args.into_iter().collect() })
        })
    })
}

/// A call of a tool by its name. The tools of MCP servers have no phrases.
fn by_name<'a>(
    asked: &str,
    tools: impl Iterator<Item = &'a ToolDeclaration>,
) -> Option<ToolRequest> {
    let lower = asked.to_lowercase();
    if !["use ", "call ", "run ", "用"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let says_tool = lower.contains("tool") || lower.contains("工具");
    let is_named = |tool: &&ToolDeclaration| {
        let name = tool.name.to_lowercase();
        let short = name.rsplit("__").next().unwrap_or(&name);
        lower.contains(&name) || says_tool && lower.contains(short)
    };
    let tool = tools.filter(is_named).max_by_key(|tool| tool.name.len())?;
    Some(ToolRequest { tool: tool.name.clone(), args: arguments(asked, tool) })
}

/// The arguments: the JSON in the message, or else its quoted words for the required parameters.
fn arguments(asked: &str, tool: &ToolDeclaration) -> Value {
    let json = asked.find('{').and_then(|from| asked.get(from..=asked.rfind('}')?));
    let args = json.and_then(|json| serde_json::from_str::<Value>(json).ok());
    if let Some(args) = args.filter(Value::is_object) {
        return args;
    }
    let mut quoted = asked.split(['"', '“', '”', '`']).skip(1).step_by(2);
    let required = value_at(&tool.parameters, "/required").as_array().into_iter().flatten();
    let names = required.filter_map(Value::as_str);
    names.map(|name| (name, quoted.next().unwrap_or(asked))).collect()
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
