//! Which modules a piece of code names.

/// The first name after every `root`, such as `std::`. Groups (`std::{io, fs}`) give each of their names.
pub fn after(root: &str, code: &str) -> Vec<String> {
    code.split(root).skip(1).flat_map(first_names).collect()
}

/// The first name after every `crate::`, and after every `super::super::…` that climbs from a
/// module `depth` levels down to the root.
pub fn from_the_crate_root(code: &str, depth: usize) -> Vec<String> {
    let mut names = after("crate::", code);
    let mut climbed = 0;
    for path in code.split("super::").skip(1) {
        climbed += 1;
        // Nothing between two `super::`: the climb goes on.
        if !path.is_empty() {
            if climbed >= depth {
                names.extend(first_names(path));
            }
            climbed = 0;
        }
    }
    names
}

fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let mut depth = 0;
    let mut members = vec![String::new()];
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => members.push(String::new()),
            letter => members.last_mut().into_iter().for_each(|member| member.push(letter)),
        }
    }
    members.iter().map(|member| name(member.trim_start())).collect()
}

fn name(path: &str) -> String {
    path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}
