//! Limits the nesting of a web page's elements before it is parsed. An HTML parser scans all open
//! elements at many start tags, so unclosed `<div>`s cost quadratic time. Browsers stop at 512
//! levels for that reason.
//!
//! Not here: an HTML parser. This is a scan of tags. It may count an element as open that the rules
//! of HTML have closed, and then drops a harmless tag; the text always stays.

use std::borrow::Cow;
use std::collections::HashMap;

/// The limit of open elements.
const MAX_OPEN: u32 = 500;

/// Elements without an end tag, or with an optional one that the next such element implies.
const WITHOUT_END_TAG: [&str; 39] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "html", "head", "body", "p", "li", "dt", "dd", "option", "optgroup", "tr",
    "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup", "rb", "rt", "rtc", "rp",
    "basefont", "bgsound", "frame", "keygen",
];
/// Elements whose content contains no tags.
const RAW: [&str; 8] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

/// Elements of other vocabularies, in which a tag may close itself and no element is raw.
const FOREIGN: [&str; 2] = ["svg", "math"];
/// Elements that end a foreign one, or that contain HTML within it.
const ENDS_FOREIGN: [&str; 53] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
    "foreignobject",
    "desc",
    "title",
    "annotation-xml",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
];

/// The open elements of one name.
#[derive(Default)]
struct Open {
    kept: u32,
    /// The number of innermost ones whose start tag was dropped.
    dropped: u32,
}

/// The page without the tags of elements that are nested too deeply.
pub(super) fn limit_depth(html: &str) -> Cow<'_, str> {
    let mut open: HashMap<String, Open> = HashMap::new();
    let (mut depth, mut limited, mut copied, mut at) = (0_u32, String::new(), 0, 0);
    while let Some(tag) = next_tag(html, at) {
        at = tag.end;
        let is_open = |name: &&str| open.get(*name).is_some_and(|it| it.kept > 0);
        let mut is_foreign = FOREIGN.iter().any(is_open);
        if is_foreign && !tag.is_end && ENDS_FOREIGN.contains(&tag.name.as_str()) {
            for name in FOREIGN {
                depth -= open.remove(name).map_or(0, |it| it.kept);
            }
            is_foreign = false;
        }
        if WITHOUT_END_TAG.contains(&tag.name.as_str()) {
            continue;
        }
        if !is_foreign && RAW.contains(&tag.name.as_str()) {
            at = end_of_raw(html, &tag);
            continue;
        }
        if tag.closes_itself && is_foreign {
            continue;
        }
        let of_name = open.entry(tag.name).or_default();
        let is_dropped = match tag.is_end {
            false if depth >= MAX_OPEN => {
                of_name.dropped += 1;
                true
            }
            false => {
                of_name.kept += 1;
                depth += 1;
                false
            }
            true if of_name.dropped > 0 => {
                of_name.dropped -= 1;
                true
            }
            true => {
                depth -= of_name.kept.min(1);
                of_name.kept -= of_name.kept.min(1);
                false
            }
        };
        if is_dropped {
            limited.push_str(html.get(copied..tag.begin).unwrap_or_default());
            copied = tag.end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    limited.push_str(html.get(copied..).unwrap_or_default());
    Cow::Owned(limited)
}

struct Tag {
    /// In lower case.
    name: String,
    is_end: bool,
    closes_itself: bool,
    /// Offset in bytes.
    begin: usize,
    end: usize,
}

/// The next tag from a byte offset on. Comments are skipped.
fn next_tag(html: &str, mut from: usize) -> Option<Tag> {
    loop {
        let begin = from + html.get(from..)?.find('<')?;
        let rest = html.get(begin + 1..)?;
        if let Some(comment) = rest.strip_prefix("!--") {
            // The shortest comments are `<!-->` and `<!--->`.
            let is_empty = comment.starts_with('>') || comment.starts_with("->");
            from = begin + if is_empty { 4 } else { 4 + comment.find("-->")? };
            continue;
        }
        let (is_end, named) = match rest.strip_prefix('/') {
            Some(named) => (true, named),
            None => (false, rest),
        };
        if !named.starts_with(|it: char| it.is_ascii_alphabetic()) {
            from = begin + 1;
            continue;
        }
        let name =
            named.split(|it: char| it.is_ascii_whitespace() || it == '/' || it == '>').next();
        let name = name.unwrap_or_default().to_ascii_lowercase();
        let length = tag_length(named)?;
        let closes_itself = named.get(..length - 1).is_some_and(|it| it.ends_with('/'));
        let end = html.len() - named.len() + length;
        return Some(Tag { name, is_end, closes_itself, begin, end });
    }
}

/// The length of a tag in bytes, including its `>`. A `>` within quotes does not end it.
fn tag_length(named: &str) -> Option<usize> {
    let mut quote = None;
    let mut before_value = false;
    for (at, byte) in named.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') if before_value => quote = Some(byte),
            (None, b'=') => before_value = true,
            (None, byte) => before_value &= byte.is_ascii_whitespace(),
        }
    }
    None
}

/// The offset at which a raw element ends, or the end of the page.
fn end_of_raw(html: &str, tag: &Tag) -> usize {
    if tag.is_end {
        return tag.end;
    }
    let mut from = tag.end;
    while let Some(at) = html.get(from..).and_then(|rest| rest.find("</")) {
        from += at + 2;
        let name = html.get(from..from + tag.name.len());
        if name.is_some_and(|name| name.eq_ignore_ascii_case(&tag.name)) {
            return from;
        }
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unclosed_elements_are_nested_so_deeply_and_no_deeper() {
        for tag in ["<div>", "<DIV class='a > b'>", "<section><b>", "<x-a>"] {
            let page = format!("<p>{}wool</p>", tag.repeat(10_000));
            let limited = limit_depth(&page);
            let kept = limited.matches('<').count();
            assert!(kept <= 503 && limited.contains("wool"), "{kept} of {tag}");
        }
    }

    #[test]
    fn what_stands_behind_a_deep_place_keeps_its_tags() {
        let deep = format!("{}wool{}", "<div>".repeat(9_000), "</div>".repeat(9_000));
        let page = format!("{deep}<article><p>silk</article>");
        let limited = limit_depth(&page);
        assert_eq!(limited.matches("<div>").count(), 500);
        assert_eq!(limited.matches("</div>").count(), 500);
        assert!(limited.ends_with("<article><p>silk</article>"), "{limited}");
    }

    #[test]
    fn a_page_as_people_write_them_stays_as_it_is() {
        let row = "<tr><td><p>a<br><li>b<td><img src=\"x>y\">";
        let script = "<script>if (a < b) { '<div>'.repeat(9) }</script><!-- <div> -->";
        let icon = "<svg><path d='M0 0'/></svg>";
        let page = format!("<table>{}</table>", format!("{row}{script}{icon}").repeat(2_000));
        assert!(matches!(limit_depth(&page), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn whatever_stands_there_is_scanned(page in "[<>/a-c'\"=! é-]{0,200}") {
            prop_assert_eq!(limit_depth(&page), page.as_str());
        }
    }
}
