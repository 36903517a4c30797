//! Finds type names that a crate defines more than once, also for different platforms.

use std::collections::BTreeMap;

use super::source::Source;

/// The names that are defined in several places of a folder, each with its files.
pub fn repeated(product: &[&Source], folder: &str) -> Vec<String> {
    let mut files_of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in product.iter().filter(|it| it.is_in(folder)) {
        for name in source.code.lines().filter_map(defined_type) {
            files_of.entry(name).or_default().push(&source.path);
        }
    }
    let repeated = files_of.into_iter().filter(|(_, files)| files.len() > 1);
    repeated.map(|(name, files)| format!("`{name}`: {}", files.join(", "))).collect()
}

/// The name of the type that a line without indentation defines.
fn defined_type(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}
