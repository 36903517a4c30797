//! Markdown as HTML without raw HTML and external references, for an exported page and the clipboard.
//!
//! Emphasis, links, struck-out text and formulas are those of the app window: the extensions are those of
//! `ui/src/markdown/parse`. Not here: the frame of a page (`html`), formulas as MathML (`mathml`).

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, Options, format_html, parse_document};

use super::mathml::mathml;

/// Steps of the search for the ends of formulas, above which `\(` and `\[` begin none in a text.
const MAX_SEARCH_STEPS: usize = 20_000_000;

/// Renders Markdown: raw HTML becomes text, a remote picture its description, and a link keeps its target
/// only if that is a web page or a mail address.
pub(crate) fn markdown_html(text: &str) -> String {
    let mut options = options();
    options.extension.math_latex = formula_search_steps(text) <= MAX_SEARCH_STEPS;
    let arena = Arena::new();
    let root = parse_document(&arena, text, &options);
    for node in root.descendants().collect::<Vec<_>>() {
        restrict(&arena, node);
    }
    let mut html = String::new();
    // Writing to a string does not fail.
    let _ = format_html(root, &options, &mut html);
    html
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.autolink = true;
    options.extension.cjk_friendly_emphasis = true;
    options.extension.math_dollars = true;
    // Only two tildes strike out. One is undone in `restrict`: models write ranges as 3~5.
    options.extension.subscript = true;
    options.render.hardbreaks = true;
    options.render.escape = true;
    options
}

/// The most steps that the parser needs to look for the ends of formulas. Each `\(` and `\[` without an end
/// makes it look at all backslashes up to the end of the paragraph.
fn formula_search_steps(text: &str) -> usize {
    let (mut steps, mut openers) = (0_usize, 0_usize);
    for line in text.lines() {
        if line.trim().is_empty() {
            openers = 0;
        }
        for (at, _) in line.match_indices('\\') {
            let is_opener = matches!(line.as_bytes().get(at + 1), Some(b'(' | b'['));
            openers += usize::from(is_opener);
            steps = steps.saturating_add(openers);
        }
    }
    steps
}

fn restrict<'a>(arena: &'a Arena<'a>, node: Node<'a>) {
    let mut data = node.data_mut();
    match &data.value {
        NodeValue::HtmlInline(tag) if is_line_break(tag) => data.value = NodeValue::LineBreak,
        NodeValue::Link(link) if is_harmless(&link.url) => {}
        NodeValue::Link(_) | NodeValue::Image(_) => {
            drop(data);
            move_children_out(node);
            node.detach();
        }
        NodeValue::Math(math) if !math.display_math && is_variable(node) => {
            let source = format!("${}$", math.literal);
            data.value = NodeValue::Text(source.into());
        }
        NodeValue::Math(math) => {
            if let Some(html) = mathml(&math.literal, math.display_math) {
                data.value = NodeValue::Raw(html);
            }
        }
        NodeValue::Subscript => {
            drop(data);
            let tilde = || NodeValue::Text("~".into());
            node.insert_before(arena.alloc(tilde().into()));
            move_children_out(node);
            node.data_mut().value = tilde();
        }
        _ => {}
    }
}

/// True if the second dollar sign begins a word: `$HOME/$USER` is no formula.
fn is_variable(node: Node<'_>) -> bool {
    let begins_word = |text: &str| {
        let first = text.chars().next();
        first.is_some_and(|it| it.is_ascii_digit() || it.is_ascii_uppercase() || "_{".contains(it))
    };
    let next = node.next_sibling();
    next.is_some_and(|next| next.data().value.text().is_some_and(begins_word))
}

/// Puts the children of a node before it.
fn move_children_out(node: Node<'_>) {
    for child in node.children().collect::<Vec<_>>() {
        node.insert_before(child);
    }
}

fn is_line_break(tag: &str) -> bool {
    matches!(tag.to_ascii_lowercase().as_str(), "<br>" | "<br/>" | "<br />")
}

fn is_harmless(url: &str) -> bool {
    let lower = url.trim_start().to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_formatted_in_the_app_window_is_so_in_html() {
        for (markdown, html) in [
            ("**Wool** and *warp*", "<p><strong>Wool</strong> and <em>warp</em></p>\n"),
            ("**注意：**请看", "<p><strong>注意：</strong>请看</p>\n"),
            ("~~old~~ 3~5, 4~6", "<p><del>old</del> 3~5, 4~6</p>\n"),
            ("one\ntwo<br>three", "<p>one<br />\ntwo<br />\nthree</p>\n"),
            ("[go](https://a.example)", "<p><a href=\"https://a.example\">go</a></p>\n"),
            (
                "see https://a.example/b.",
                "<p>see <a href=\"https://a.example/b\">https://a.example/b</a>.</p>\n",
            ),
            ("`a<b`", "<p><code>a&lt;b</code></p>\n"),
            ("```rust\na*b*\n```", "<pre><code class=\"language-rust\">a*b*\n</code></pre>\n"),
            ("$HOME/$USER and $5", "<p>$HOME/$USER and $5</p>\n"),
            (
                "$\\ce{a_1 * b_1 * c}$ and \\(\\ce{x < y}\\)",
                "<p><span data-math-style=\"inline\">\\ce{a_1 * b_1 * c}</span> and \
                 <span data-math-style=\"inline\">\\ce{x &lt; y}</span></p>\n",
            ),
            (
                "$$\n\\ce{H2O}\n$$",
                "<p><span data-math-style=\"display\">\n\\ce{H2O}\n</span></p>\n",
            ),
        ] {
            assert_eq!(markdown_html(markdown), html, "{markdown}");
        }
        for (markdown, begin) in [
            ("$a_1 * b_1 * c$", "<p><math xmlns=\"http://www.w3.org/1998/Math/MathML\">"),
            (
                "$$\n\\frac{1}{2}\n$$",
                "<p><math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">",
            ),
        ] {
            let html = markdown_html(markdown);
            assert!(html.starts_with(begin) && html.ends_with("</math></p>\n"), "{html}");
        }
        let table = markdown_html("| a | b |\n|---|--:|\n| 1 | **2** |");
        assert!(table.contains("<td align=\"right\"><strong>2</strong></td>"), "{table}");
        let list = markdown_html("- [x] done\n- [ ] open");
        assert!(list.contains("checked=\"\" disabled=\"\" /> done"), "{list}");
    }

    #[test]
    fn a_text_of_openings_without_ends_has_no_formulas_and_many_formulas_stay() {
        let openings = format!("{}x\\)", "\\(".repeat(100_000));
        assert_eq!(markdown_html(&openings), format!("<p>{}x)</p>\n", "(".repeat(100_000)));
        let formula = "<mi>x</mi>";
        let apart = markdown_html(&"\\(x\\)\n\n".repeat(20_000));
        assert_eq!(apart.matches(formula).count(), 20_000);
        assert_eq!(markdown_html(&"\\(x\\) ".repeat(2_000)).matches(formula).count(), 2_000);
    }

    #[test]
    fn html_stays_text_and_no_target_but_a_page_or_a_mail_address_is_kept() {
        for (markdown, html) in [
            ("<script>run()</script>", "&lt;script&gt;run()&lt;/script&gt;\n"),
            ("a <img src=x onerror=run()>", "<p>a &lt;img src=x onerror=run()&gt;</p>\n"),
            ("[a **b**](javascript:run())", "<p>a <strong>b</strong></p>\n"),
            ("[a](file:///etc/passwd)", "<p>a</p>\n"),
            ("[![far](https://a.example/x.png)](data:text/html,x)", "<p>far</p>\n"),
            ("<javascript:run()>", "<p>javascript:run()</p>\n"),
            ("<a@b.example>", "<p><a href=\"mailto:a@b.example\">a@b.example</a></p>\n"),
        ] {
            assert_eq!(markdown_html(markdown), html, "{markdown}");
        }
    }
}
