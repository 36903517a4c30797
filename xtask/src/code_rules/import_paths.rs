//! Finds the modules that code imports.

/// The first name after every `root`, such as `std::`. Groups (`std::{io, fs}`) give each of their
/// names.
pub fn after(root: &str, code: &str) -> Vec<String> {
    code.split(root).skip(1).flat_map(first_names).collect()
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
