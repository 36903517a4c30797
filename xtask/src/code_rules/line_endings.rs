//! Checks the line endings of the checkout.

/// The tracked files with other line endings than `
/// `, from the output of `git ls-files --eol`, except binary ones.
pub fn others(listed: &str) -> Vec<&str> {
    let lines = listed.lines().filter_map(|line| line.split_once('\t'));
    let others = lines.filter(|(how, _)| {
        let is_kept = how.contains("attr/-text");
        let ends = |sign: &str| how.split_whitespace().any(|word| word.ends_with(sign));
        !is_kept && (ends("/crlf") || ends("/mixed"))
    });
    others.map(|(_, path)| path).collect()
}
