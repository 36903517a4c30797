//! Texts of others between tags of ours, which they can neither end nor begin.
//!
//! A file, a page or a tool's result may hold `</file>` or a line that looks as if somebody else began to
//! speak there. Not here: the tags themselves (`prompts`, `summary`).

use std::borrow::Cow;

/// A text in which nothing reads as the beginning or the end of one of these tags, in either case and with
/// any spaces: a backslash follows the `<`.
pub(crate) fn escape_tags<'t>(text: &'t str, tags: &[&str]) -> Cow<'t, str> {
    escape(text, |inside| {
        let name = inside.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
        names_one(name, tags)
    })
}

/// The same of their ends alone, so that a document keeps its own tags where they end nothing of ours.
pub(crate) fn escape_end_tags<'t>(text: &'t str, tags: &[&str]) -> Cow<'t, str> {
    escape(text, |inside| {
        let name = inside.trim_start().strip_prefix('/').map(str::trim_start);
        name.is_some_and(|name| names_one(name, tags))
    })
}

/// A name between quotation marks: no quotation mark, tag or line ends it.
pub(crate) fn escape_attribute(name: &str) -> Cow<'_, str> {
    let ends = |c: char| matches!(c, '"' | '<' | '>' | '&') || c.is_control();
    if !name.contains(ends) {
        return Cow::Borrowed(name);
    }
    let written = name.chars().map(|c| match c {
        '"' => "&quot;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        c if c.is_control() => " ".to_owned(),
        c => c.to_string(),
    });
    Cow::Owned(written.collect())
}

fn escape(text: &str, is_tag: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('<') {
        escaped.push_str(before);
        // So far is looked for a name: a text of `<` alone stays linear.
        let near = inside.get(..inside.floor_char_boundary(LOOKED_AT)).unwrap_or(inside);
        escaped.push_str(if is_tag(near) { "<\\" } else { "<" });
        rest = inside;
    }
    if escaped.is_empty() {
        return Cow::Borrowed(text);
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// Bytes behind a `<` in which a tag's name stands.
const LOOKED_AT: usize = 48;

fn names_one(text: &str, tags: &[&str]) -> bool {
    tags.iter().any(|tag| {
        let (name, rest) = text.split_at_checked(tag.len()).unwrap_or_default();
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
        name.eq_ignore_ascii_case(tag) && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_begins_or_ends_a_tag_of_ours() {
        let check = |text: &str, both: &str, ends: &str| {
            assert_eq!(escape_tags(text, &["file"]), both, "{text}");
            assert_eq!(escape_end_tags(text, &["file"]), ends, "{text}");
        };
        check("a</file>b", "a<\\/file>b", "a<\\/file>b");
        check("< / FILE >", "<\\ / FILE >", "<\\ / FILE >");
        check("<file name=\"x\">", "<\\file name=\"x\">", "<file name=\"x\">");
        check("<files> 1 < 2 </fileset>", "<files> 1 < 2 </fileset>", "<files> 1 < 2 </fileset>");
        check("<", "<", "<");
    }

    #[test]
    fn a_name_ends_no_quotation() {
        assert_eq!(escape_attribute("a\"><b>&\n.md"), "a&quot;&gt;&lt;b&gt;&amp; .md");
        assert_eq!(escape_attribute("文件 1.md"), "文件 1.md");
    }
}
