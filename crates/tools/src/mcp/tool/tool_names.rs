//! Names under which foreign tools are declared: `server__tool`, as providers allow them.
//!
//! A name says whose tool it is and nothing else does: it depends neither on the other servers nor on
//! which of them run just now.

/// Characters a provider allows in a tool's name at most.
const LENGTH: usize = 64;

/// Characters that a name keeps beside a mark.
const MARKED: usize = LENGTH - 9;

/// The declared name of a server's tool. Letters, digits, `_` and `-`, beginning with a letter or
/// `_`, at most 64. What does not fit, or could be read as another server's, keeps what it can and
/// gets a mark of the whole.
pub(crate) fn declared_name(server: &str, tool: &str) -> String {
    let written = format!("{server}__{tool}");
    let mut name: String = written.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    let is_divided = !server.contains("__") && !server.ends_with('_');
    if name != written || name.len() > LENGTH || !is_divided {
        name.truncate(MARKED);
        name.push_str(&format!("_{:08x}", mark(&format!("{server}\0{tool}"))));
    }
    name
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// FNV-1a: the same on every machine and in every version, as a name must be.
fn mark(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What a server says of its tool: the description, or at least a title.
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
            assert!(name.len() <= LENGTH && name.chars().all(is_allowed), "{name}");
            assert!(!name.starts_with(|first: char| first.is_ascii_digit() || first == '-'));
        }
    }
}
