//! Names under which foreign tools are declared: `server__tool`, as providers allow them.

use std::collections::BTreeSet;

/// Characters a provider allows in a tool's name at most.
const LENGTH: usize = 64;

/// Characters that a name keeps beside a mark.
const MARKED: usize = LENGTH - 7;

/// The declared name of a server's tool. Letters, digits, `_` and `-`, beginning with a letter or
/// `_`, at most 64; what is too long keeps its beginning and a mark of the whole.
pub(super) fn declared(server: &str, tool: &str) -> String {
    let mut name = qualified(server, tool);
    if name.len() > LENGTH {
        name.truncate(MARKED);
        name.push_str(&format!("_{:06x}", mark(&format!("{server}\0{tool}"))));
    }
    name
}

/// How the declared names of all tools of a server begin; those of another one may, too.
pub(super) fn beginning(server: &str) -> String {
    let mut beginning = qualified(server, "");
    beginning.truncate(MARKED);
    beginning
}

fn qualified(server: &str, tool: &str) -> String {
    let clean = |text: &str| -> String {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        text.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
    };
    let mut name = format!("{}__{}", clean(server), clean(tool));
    if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    name
}

/// Names for several tools in their order: one that is taken gets a number.
pub(super) fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut distinct = Vec::new();
    for name in names {
        let mut free = name.clone();
        let mut number = 2;
        while !taken.insert(free.clone()) {
            let ending = format!("_{number}");
            free = name.chars().take(LENGTH - ending.len()).collect::<String>() + &ending;
            number += 1;
        }
        distinct.push(free);
    }
    distinct
}

/// 24 bits of FNV-1a: the same on every machine and in every version, as a name must be.
fn mark(text: &str) -> u32 {
    let hash = text
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 24)) & 0x00ff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_every_provider_and_stay_apart() {
        for (server, tool, name) in [
            ("time", "get_current_time", "time__get_current_time"),
            ("my files", "read/file.v2", "my_files__read_file_v2"),
            ("文件", "读", "____" /* two, and two more between */),
            ("9lives", "x", "_9lives__x"),
        ] {
            let declared = declared(server, tool);
            if server == "文件" {
                assert!(declared.starts_with(name));
            } else {
                assert_eq!(declared, name);
            }
        }
        let long = |ending: &str| declared("server", &format!("{}{ending}", "long".repeat(30)));
        assert_eq!(long("a").len(), 64);
        assert_ne!(long("a"), long("b"));
        assert_eq!(long("a"), long("a"));
        for server in ["time", "my files", "9lives", &"long".repeat(30)] {
            assert!(declared(server, "tool").starts_with(&beginning(server)), "{server}");
        }
        let same = vec!["x".repeat(64), "x".repeat(64), "y".to_owned()];
        assert_eq!(
            distinct(same),
            ["x".repeat(64), format!("{}_2", "x".repeat(62)), "y".to_owned()]
        );
    }
}
