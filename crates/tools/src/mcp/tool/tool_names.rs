//! Declared names of MCP tools: `server__tool`, in the characters that providers allow.
//!
//! A name depends only on the server and its tool, not on other servers or on which of them run.

/// The limit of a tool's name, in characters.
const MAX_NAME: usize = 64;

/// The characters of a name before a hash.
const MAX_BEFORE_HASH: usize = MAX_NAME - 9;

/// The declared name of a server's tool: letters, digits, `_` and `-`, beginning with a letter or
/// `_`, at most 64 characters. A name that does not fit, or is ambiguous, is truncated and gets a
/// hash of the original.
pub(crate) fn declared_name(server: &str, tool: &str) -> String {
    let written = format!("{server}__{tool}");
    let mut name: String = written.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    let is_divided = !server.contains("__") && !server.ends_with('_');
    if name != written || name.len() > MAX_NAME || !is_divided {
        name.truncate(MAX_BEFORE_HASH);
        name.push_str(&format!("_{:08x}", mark(&format!("{server}\0{tool}"))));
    }
    name
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// FNV-1a, which is the same on every machine and in every version.
fn mark(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The description of a tool, or else its title.
pub(crate) fn tool_description(tool: &rmcp::model::Tool) -> String {
    match (&tool.description, &tool.title) {
        (Some(description), _) => description.clone().into_owned(),
        (None, Some(title)) => title.clone(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_fit_every_provider_and_stay_apart() {
        let long = "long".repeat(30);
        let check = |server: &str, tool: &str, expected: &str| {
            assert_eq!(declared_name(server, tool), expected, "{server} {tool}");
        };
        check("time", "get_current_time", "time__get_current_time");
        check("time", "_private", "time___private");
        check("my files", "read/file.v2", "my_files__read_file_v2_957eb83b");
        let tools = [
            ("搜索", "read"),
            ("文件", "read"),
            ("my files", "read"),
            ("my.files", "read"),
            ("my_files", "read"),
            ("9lives", "x"),
            ("_9lives", "x"),
            ("a", "b__c"),
            ("a__b", "c"),
            ("a", "_b"),
            ("a_", "b"),
            ("server", &format!("{long}a")),
            ("server", &format!("{long}b")),
        ];
        let names: BTreeSet<String> =
            tools.iter().map(|(server, tool)| declared_name(server, tool)).collect();
        assert_eq!(names.len(), tools.len(), "{names:?}");
        for name in names {
            assert!(name.len() <= MAX_NAME && name.chars().all(is_allowed), "{name}");
            assert!(!name.starts_with(|first: char| first.is_ascii_digit() || first == '-'));
        }
    }
}
