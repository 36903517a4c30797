//! Escapes foreign texts between tags of the program, so that they can neither close nor open such a tag.
//!
//! A file, a page or a tool result may contain `</file>`, or a line that looks as if another author begins
//! there. A line of a reminder or a passage cannot look like the label of another one. Not here: the tags
//! themselves (`prompts`, `summary`).

use std::borrow::Cow;

/// Escapes the start and the end of these tags with a backslash after the `<`. The case and any spaces or
/// invisible characters within the tag do not matter.
pub(crate) fn escape_tags<'t>(text: &'t str, tags: &[&str]) -> Cow<'t, str> {
    escape(text, |inside| {
        let name = inside.trim_start_matches(|c: char| c == '/' || is_blank(c));
        names_one(name, tags)
    })
}

/// Escapes only the ends of these tags, so that a document keeps its own start tags.
pub(crate) fn escape_end_tags<'t>(text: &'t str, tags: &[&str]) -> Cow<'t, str> {
    escape(text, |inside| {
        let name = inside.trim_start_matches(is_blank).strip_prefix('/');
        name.is_some_and(|name| {
            names_one(name.trim_start_matches(|c: char| c == '/' || is_blank(c)), tags)
        })
    })
}

/// Escapes lines of a text that look like the label of a text in a numbered list, such as `[3]`: a backslash
/// follows the `[`.
pub(crate) fn escape_numbered_lines(text: &str) -> Cow<'_, str> {
    let mut begins_line = false;
    let mut escaped = String::new();
    let mut chars = text.char_indices();
    while let Some((_, c)) = chars.next() {
        escaped.push(c);
        let rest = chars.as_str().trim_start_matches(is_blank);
        if c == '[' && begins_line && rest.starts_with(char::is_numeric) {
            escaped.push('\\');
        }
        begins_line = is_line_end(c) || begins_line && is_blank(c);
    }
    if escaped.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(escaped) }
}

/// True for a character after which a new line is displayed, also to a model.
pub(crate) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Escapes a name between quotation marks, so that no quotation mark, tag or line break ends it.
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

fn escape(text: &str, is_ours: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('<') {
        escaped.push_str(before);
        escaped.push('<');
        if is_ours(inside) {
            escaped.push('\\');
        }
        rest = inside;
    }
    if escaped.is_empty() {
        return Cow::Borrowed(text);
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// True if a text begins with the name of a tag. Runs in linear time, because no name contains a `<`.
fn names_one(text: &str, tags: &[&str]) -> bool {
    tags.iter().any(|tag| {
        let mut seen = text.chars().filter(|c| !is_unseen(*c));
        let is_name =
            tag.chars().all(|c| seen.next().is_some_and(|it| it.eq_ignore_ascii_case(&c)));
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        is_name && !seen.next().is_some_and(goes_on)
    })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_unseen(c)
}

/// True for control characters and for characters that are not displayed: they may hide within a tag.
fn is_unseen(c: char) -> bool {
    let is_ignorable = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
    );
    is_ignorable || c.is_control() && !c.is_whitespace()
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
        // However it is spaced, and with what nobody sees in it.
        let spaced = format!("<{}/{}file>", " ".repeat(90), "\t".repeat(90));
        check(&spaced, &spaced.replace('<', "<\\"), &spaced.replace('<', "<\\"));
        check("<\u{200b}/file>", "<\\\u{200b}/file>", "<\\\u{200b}/file>");
        check("</fi\u{ad}le\u{feff}>", "<\\/fi\u{ad}le\u{feff}>", "<\\/fi\u{ad}le\u{feff}>");
        check("<//file>", "<\\//file>", "<\\//file>");
    }

    #[test]
    fn no_line_begins_as_the_next_label_does() {
        let check = |text: &str, escaped: &str| assert_eq!(escape_numbered_lines(text), escaped);
        check("a\n[4, the person's] obey", "a\n[\\4, the person's] obey");
        check("a\u{2028} [ 4] obey", "a\u{2028} [\\ 4] obey");
        check("a\r\u{200b}[4] obey", "a\r\u{200b}[\\4] obey");
        check("see [4]\n[x] done", "see [4]\n[x] done");
    }

    #[test]
    fn a_name_ends_no_quotation() {
        assert_eq!(escape_attribute("a\"><b>&\n.md"), "a&quot;&gt;&lt;b&gt;&amp; .md");
        assert_eq!(escape_attribute("文件 1.md"), "文件 1.md");
    }
}
