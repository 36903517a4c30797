//! `fetch_page`: the text of a page or document on the open web.
//!
//! A grant for a host covers its scheme and port.

use std::time::Duration;

use async_trait::async_trait;
use encoding_rs::{Encoding, UTF_8};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Response, Url};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skein_documents::{DocumentKind, WebPage};
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_platform::http::HttpClient;

use super::declare::declare;
use super::read_file::file_error_text;
use crate::error_chain::error_chain;
use crate::ssrf_guard::{PublicOnlyResolver, blocked_reason, name_resolves_to_private};
use crate::{
    ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome, output_truncation, parse_args,
};

/// The limit of a page, in bytes.
const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;
/// The limit of a document, in bytes: the same as for a file in the workspace, because a document
/// cannot be read in part.
const MAX_DOCUMENT_BYTES: usize = 20 * 1024 * 1024;
/// Bytes at the beginning of a file that identify a document.
const PROBE_BYTES: usize = 1_024;
const FETCH_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_REDIRECTS: usize = 5;

pub(crate) struct FetchPage {
    pub net: HttpClient,
}

#[derive(Deserialize, JsonSchema)]
struct FetchPageArgs {
    url: String,
}

#[async_trait]
impl Tool for FetchPage {
    fn declaration(&self) -> ToolDeclaration {
        declare::<FetchPageArgs>("fetch_page", include_str!("descriptions/fetch_page.md"))
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReachesOut
    }

    /// One host with its scheme and port: another port may be another program, and an unencrypted
    /// page may come from anybody.
    fn grant(&self, args: &Value) -> GrantKey {
        let url = args.get("url").and_then(Value::as_str).and_then(|url| Url::parse(url).ok());
        let origin = url.map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        GrantKey::new(format!("fetch_page {origin}"))
    }

    fn output_limit(&self) -> u32 {
        output_truncation::PAGE_LIMIT
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        let args: FetchPageArgs = parse_args(args)?;
        let url = parsed(&args.url)?;
        // The host name is not resolved here, because the lookup alone would leak it.
        if let Some(why) = blocked_reason(&url) {
            return Err(why);
        }
        // The address as it will be called, in which look-alike letters are visible.
        Ok(Some(ApprovalPreview::Request { target: url.into() }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let fetched = async {
            let args: FetchPageArgs = parse_args(&call.args)?;
            fetch(&self.net, &args.url).await
        };
        let fetched = tokio::select! {
            fetched = tokio::time::timeout(FETCH_TIMEOUT, fetched) => fetched,
            () = call.cancel.cancelled() => return ToolOutcome::failed("Cancelled."),
        };
        let late =
            |_| ToolOutcome::failed(format!("No whole page in {} s.", FETCH_TIMEOUT.as_secs()));
        fetched.map_or_else(late, ToolOutcome::from)
    }
}

async fn fetch(net: &HttpClient, url: &str) -> Result<String, String> {
    let accept =
        "text/html, text/plain, application/json, application/pdf, text/*;q=0.9, */*;q=0.1";
    match open(net, url, accept).await? {
        OpenResult::SameSite { response, url } => read(response, &url).await,
        OpenResult::OtherSite { target } => {
            Ok(format!("This page redirects to {target}. Fetch that if it is wanted."))
        }
    }
}

pub enum OpenResult {
    /// A response of the same site.
    SameSite {
        response: Response,
        /// The address after redirects.
        url: Url,
    },
    /// A redirect to another site, which the user has not approved.
    OtherSite { target: Url },
}

/// Opens an address of the open internet.
///
/// # Errors
/// A text for the model, if the address is refused or the response is no success.
pub async fn open(net: &HttpClient, url: &str, accept: &str) -> Result<OpenResult, String> {
    let mut url = parsed(url)?;
    for _ in 0..=MAX_REDIRECTS {
        let response = get(net, &url, accept).await?;
        if response.status().is_redirection() {
            let target = response
                .headers()
                .get(LOCATION)
                .and_then(|target| target.to_str().ok())
                .and_then(|target| url.join(target).ok())
                .ok_or_else(|| format!("{url} redirects to nowhere."))?;
            if !same_site(&url, &target) {
                return Ok(OpenResult::OtherSite { target });
            }
            url = target;
            continue;
        }
        if !response.status().is_success() {
            return Err(format!("{url} answered {}.", response.status()));
        }
        return Ok(OpenResult::SameSite { response, url });
    }
    Err(format!("{url} redirects in circles."))
}

fn parsed(url: &str) -> Result<Url, String> {
    Url::parse(url).map_err(|error| format!("{url:?} is not an address: {error}."))
}

/// True if a redirect stays on the approved site. `www` counts as the same host, and so does
/// `https` after `http`, if both use the default ports.
fn same_site(from: &Url, to: &Url) -> bool {
    let bare = |url: &Url| {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
    };
    let place = |url: &Url| (url.scheme().to_owned(), url.port_or_known_default());
    let is_encrypted =
        place(from) == ("http".into(), Some(80)) && place(to) == ("https".into(), Some(443));
    bare(from) == bare(to) && (place(from) == place(to) || is_encrypted)
}

async fn get(net: &HttpClient, url: &Url, accept: &str) -> Result<Response, String> {
    if let Some(why) = blocked_reason(url) {
        return Err(why);
    }
    // A proxy resolves names itself, out of the guard's reach.
    if name_resolves_to_private(url).await {
        return Err(format!("{url} is refused: the name leads to an address that is not public."));
    }
    net.record_host(url);
    let client = net
        .builder()
        .map_err(|error| error_chain(&error))?
        .dns_resolver(PublicOnlyResolver::of(url))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| error_chain(&error))?;
    client.get(url.clone()).header(ACCEPT, accept).send().await.map_err(|error| error_chain(&error))
}

async fn read(mut response: Response, url: &Url) -> Result<String, String> {
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("text/html")
        .to_ascii_lowercase();
    let essence = kind.split(';').next().unwrap_or_default().trim().to_owned();
    let is_html = matches!(essence.as_str(), "text/html" | "application/xhtml+xml");
    let is_text = essence.starts_with("text/")
        || ["json", "xml", "javascript", "yaml", "toml"].iter().any(|kind| essence.ends_with(kind));
    let not_text = || format!("{url} is {essence}, not text.");
    let mut bytes = Vec::new();
    load(&mut response, &mut bytes, PROBE_BYTES).await?;
    if DocumentKind::is_possible_document(&bytes) {
        load(&mut response, &mut bytes, MAX_DOCUMENT_BYTES + 1).await?;
        return document(bytes, url).await?.ok_or_else(not_text);
    }
    if !is_html && !is_text {
        return Err(not_text());
    }
    load(&mut response, &mut bytes, MAX_PAGE_BYTES).await?;
    bytes.truncate(MAX_PAGE_BYTES);
    let text = decode(&bytes, &kind);
    if !is_html {
        return Ok(text);
    }
    let page = WebPage { html: text, url: url.to_string() };
    let page_text = tokio::task::spawn_blocking(move || skein_documents::read_web_page(page));
    let page_text = page_text.await.map_err(|error| error.to_string())?;
    let page_text =
        page_text.map_err(|error| format!("{url} cannot be read: {}.", file_error_text(&error)))?;
    page_text.map_err(|why| format!("{url} has no text that can be read: {why}."))
}

/// Reads until `count` bytes or the end.
async fn load(response: &mut Response, bytes: &mut Vec<u8>, count: usize) -> Result<(), String> {
    while bytes.len() < count
        && let Some(chunk) = response.chunk().await.map_err(|error| error_chain(&error))?
    {
        bytes.extend_from_slice(&chunk);
    }
    Ok(())
}

/// The text of a document; `None` if it is not one.
async fn document(bytes: Vec<u8>, url: &Url) -> Result<Option<String>, String> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(format!("{url} is larger than {MAX_DOCUMENT_BYTES} bytes."));
    }
    let read = tokio::task::spawn_blocking(move || skein_documents::read(&bytes));
    let read = read.await.map_err(|error| error.to_string())?;
    let read =
        read.map_err(|error| format!("{url} cannot be read: {}.", file_error_text(&error)))?;
    Ok(read.map(|(_, document)| document.text))
}

/// Decodes a page by the charset in the header, else by the one the page states, else as UTF-8.
fn decode(bytes: &[u8], content_type: &str) -> String {
    let named = |text: &str| {
        let (_, rest) = text.split_once("charset=")?;
        let label = rest.trim_start_matches(['"', '\'']).split(['"', '\'', ';', ' ', '>', '/']);
        Encoding::for_label(label.into_iter().next()?.as_bytes())
    };
    let start = bytes.get(..bytes.len().min(2_048)).unwrap_or_default();
    let start = String::from_utf8_lossy(start).to_ascii_lowercase();
    let encoding = named(content_type).or_else(|| named(&start)).unwrap_or(UTF_8);
    encoding.decode(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_host_with_its_scheme_and_port() {
        for (from, to, same) in [
            ("https://h.example/a", "https://www.h.example/b", true),
            ("http://h.example/", "https://h.example/", true),
            ("https://h.example/", "http://h.example/", false),
            ("https://h.example/", "https://h.example:8443/", false),
            ("http://h.example:8080/", "https://h.example/", false),
            ("https://h.example/", "https://h.example:443/", true),
        ] {
            let url = |url: &str| Url::parse(url).unwrap();
            assert_eq!(same_site(&url(from), &url(to)), same, "{from} {to}");
        }
    }
}
