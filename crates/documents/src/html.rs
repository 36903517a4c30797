//! Extracts the text of a web page. Extraction recurses, and a hostile page can be nested to any
//! depth, so the depth is limited.

use std::time::Duration;

use dom_smoothie::{Config, ParsePolicy, Readability, ReadabilityError, TextMode};
use serde::{Deserialize, Serialize};
use skein_domain::error::FileError;

use super::html_depth::limit_depth;
use super::reader_thread::run_with_limits;

/// The time limit for one page.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The limit of elements on a page. Pages written for readers have fewer.
const MAX_ELEMENTS: usize = 200_000;
/// The deepest nesting that is written as Markdown. Each level costs a stack frame and a sign
/// before each line; pages written for readers stay below.
const MAX_DEPTH: usize = 250;

/// A web page as the server sent it.
#[derive(Debug, Serialize, Deserialize)]
pub struct WebPage {
    /// The whole HTML.
    pub html: String,
    pub url: String,
}

/// The text of a page as Markdown, or the reason in words why there is none.
pub(super) type PageText = Result<String, String>;

/// Extracts the text of a page in this process. `go_on` is polled and stops the work by an error.
pub(super) fn extract_in_process(
    page: WebPage,
    go_on: impl Fn() -> Result<(), FileError>,
) -> Result<PageText, FileError> {
    // The parser does not check the stop signal: it ends with the process.
    run_with_limits(TIME_LIMIT, go_on, move |_| {
        Ok(extract(&page).map_err(|error| error.to_string()))
    })
}

/// The text of an article, or all text of a page that is not an article.
fn extract(page: &WebPage) -> Result<String, ReadabilityError> {
    let html = limit_depth(&page.html);
    let open = || {
        let config = Config { max_elements_to_parse: MAX_ELEMENTS, ..Config::default() };
        let mut opened = Readability::new(html.as_ref(), Some(&page.url), Some(config))?;
        let mode = if is_too_deep(&opened) { TextMode::Formatted } else { TextMode::Markdown };
        opened.config.text_mode = mode;
        Ok(opened)
    };
    let article = open()
        .and_then(|mut opened| opened.parse())
        .or_else(|_: ReadabilityError| open()?.parse_with_policy(ParsePolicy::Raw))?;
    Ok(format!("# {}\n\n{}", article.title, article.text_content.trim()))
}

/// True if an element is nested deeper than Markdown is written.
fn is_too_deep(page: &Readability) -> bool {
    let (mut at, mut depth) = (page.doc.root(), 0_usize);
    loop {
        if let Some(child) = at.first_child() {
            (at, depth) = (child, depth + 1);
            if depth > MAX_DEPTH {
                return true;
            }
            continue;
        }
        at = loop {
            if let Some(next) = at.next_sibling() {
                break next;
            }
            let Some(parent) = at.parent() else { return false };
            (at, depth) = (parent, depth.saturating_sub(1));
        };
    }
}
