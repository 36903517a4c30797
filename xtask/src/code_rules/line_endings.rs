//! How lines end in the checkout.

/// The tracked files that hold another end of a line than `\n`, out of `git ls-files --eol`, but for
/// those that are kept byte for byte.
pub fn others(listed: &str) -> Vec<&str> {
    let lines = listed.lines().filter_map(|line| line.split_once('\t'));
    let others = lines.filter(|(how, _)| {
        let is_kept = how.contains("attr/-text");
        let ends = |sign: &str| how.split_whitespace().any(|word| word.ends_with(sign));
        !is_kept && (ends("/crlf") || ends("/mixed"))
    });
    others.map(|(_, path)| path).collect()
}
