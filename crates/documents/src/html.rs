//! The text of a page of the web. What takes it out follows how the page is nested, and a page may be nested
//! as deeply as somebody likes.

use std::time::Duration;

use dom_smoothie::{Config, ParsePolicy, Readability, ReadabilityError, TextMode};
use serde::{Deserialize, Serialize};
use skein_domain::error::FileError;

use super::html_depth::limit_depth;
use super::worker::reader_thread::run_with_limits;

/// How long the text of a page is waited for.
const WAITED: Duration = Duration::from_secs(30);
/// A page of more elements is no page that somebody reads.
const ELEMENTS: usize = 200_000;
/// How deeply a page is nested that is written as Markdown, each level of which is a step further down the
/// stack, and a sign before each line. No page that people write is.
const DEEP: usize = 250;

/// A page as it came.
#[derive(Debug, Serialize, Deserialize)]
pub struct WebPage {
    /// All of it.
    pub html: String,
    pub url: String,
}

/// What a page says, as Markdown, or in words why it says nothing.
pub(super) type PageText = Result<String, String>;

/// Takes out what a page says, in this process. `go_on` is asked again and again whether there is room.
pub(super) fn extract_in_process(
    page: WebPage,
    go_on: impl Fn() -> Result<(), FileError>,
) -> Result<PageText, FileError> {
    // Not told to stop: its parser looks at nothing. The process ends with it.
    run_with_limits(WAITED, go_on, move |_| Ok(extract(&page).map_err(|error| error.to_string())))
}

/// The text of an article; of a page that is none, all of its text.
fn extract(page: &WebPage) -> Result<String, ReadabilityError> {
    let html = limit_depth(&page.html);
    let open = || {
        let config = Config { max_elements_to_parse: ELEMENTS, ..Config::default() };
        let mut opened = Readability::new(html.as_ref(), Some(&page.url), Some(config))?;
        let mode = if is_deep(&opened) { TextMode::Formatted } else { TextMode::Markdown };
        opened.config.text_mode = mode;
        Ok(opened)
    };
    let article = open()
        .and_then(|mut opened| opened.parse())
        .or_else(|_: ReadabilityError| open()?.parse_with_policy(ParsePolicy::Raw))?;
    Ok(format!("# {}\n\n{}", article.title, article.text_content.trim()))
}

/// Whether anything in a page is nested more deeply than its text is written as Markdown.
fn is_deep(page: &Readability) -> bool {
    let (mut at, mut depth) = (page.doc.root(), 0_usize);
    loop {
        if let Some(child) = at.first_child() {
            (at, depth) = (child, depth + 1);
            if depth > DEEP {
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
