//! `fetch_page`: the text of a page on the open web, or of a document there.
//!
//! A grant for a host is for its scheme and port.

use std::time::Duration;

use async_trait::async_trait;
use encoding_rs::{Encoding, UTF_8};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Response, Url};
use serde::Deserialize;
use serde_json::{Value, json};
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

/// Bytes of a page that are read.
const BYTES: usize = 8 * 1024 * 1024;
/// Bytes of a document that are read, as large as one in the session's folder may be: it cannot be
/// read in part.
const DOCUMENT_BYTES: usize = 20 * 1024 * 1024;
/// So many bytes at its beginning tell a document.
const BEGIN: usize = 1_024;
/// How long a page may take in all.
const PATIENCE: Duration = Duration::from_secs(30);
/// Redirects that are followed.
const REDIRECTS: usize = 5;

pub(crate) struct FetchPage {
    pub net: HttpClient,
}

#[derive(Deserialize)]
struct FetchPageArgs {
    url: String,
}

#[async_trait]
impl Tool for FetchPage {
    fn declaration(&self) -> ToolDeclaration {
        declare(
            "fetch_page",
            include_str!("descriptions/fetch_page.md"),
            json!({ "url": { "type": "string" } }),
            &["url"],
        )
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReachesOut
    }

    /// One host, by its scheme and port: another port may be another program, and what came without
    /// encryption may be anybody's.
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
        // Not where its name leads: asking for that would tell somebody of it.
        if let Some(why) = blocked_reason(&url) {
            return Err(why);
        }
        // As it will be called: a letter that only looks like another one is seen to be none.
        Ok(Some(ApprovalPreview::Request { target: url.into() }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let fetched = async {
            let args: FetchPageArgs = parse_args(&call.args)?;
            fetch(&self.net, &args.url).await
        };
        let fetched = tokio::select! {
            fetched = tokio::time::timeout(PATIENCE, fetched) => fetched,
            () = call.cancel.cancelled() => return ToolOutcome::failed("Cancelled."),
        };
        let late = |_| ToolOutcome::failed(format!("No whole page in {} s.", PATIENCE.as_secs()));
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

/// What an address led to.
pub enum OpenResult {
    /// An answer of its own site.
    SameSite {
        response: Response,
        /// After the redirects.
        url: Url,
    },
    /// Another site, which nobody has said yes to.
    OtherSite { target: Url },
}

/// Opens an address of the open internet.
///
/// # Errors
/// In words, where it is refused or does not answer with success.
pub async fn open(net: &HttpClient, url: &str, accept: &str) -> Result<OpenResult, String> {
    let mut url = parsed(url)?;
    for _ in 0..=REDIRECTS {
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

/// The user said yes to a host with its scheme and port: its `www` is the same to them, and so is its
/// encrypted form where both are at their usual ports.
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
    // A proxy looks names up itself and would not know of the guard.
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
    load(&mut response, &mut bytes, BEGIN).await?;
    if DocumentKind::is_possible_document(&bytes) {
        load(&mut response, &mut bytes, DOCUMENT_BYTES + 1).await?;
        return document(bytes, url).await?.ok_or_else(not_text);
    }
    if !is_html && !is_text {
        return Err(not_text());
    }
    load(&mut response, &mut bytes, BYTES).await?;
    bytes.truncate(BYTES);
    let text = decode(&bytes, &kind);
    if !is_html {
        return Ok(text);
    }
    let page = WebPage { html: text, url: url.to_string() };
    let said = tokio::task::spawn_blocking(move || skein_documents::read_web_page(page));
    let said = said.await.map_err(|error| error.to_string())?;
    let said =
        said.map_err(|fault| format!("{url} cannot be read: {}.", file_error_text(&fault)))?;
    said.map_err(|why| format!("{url} has no text that can be read: {why}."))
}

/// Reads on until there are so many bytes, or all.
async fn load(response: &mut Response, bytes: &mut Vec<u8>, count: usize) -> Result<(), String> {
    while bytes.len() < count
        && let Some(chunk) = response.chunk().await.map_err(|error| error_chain(&error))?
    {
        bytes.extend_from_slice(&chunk);
    }
    Ok(())
}

/// What a document says; `None`: it is none.
async fn document(bytes: Vec<u8>, url: &Url) -> Result<Option<String>, String> {
    if bytes.len() > DOCUMENT_BYTES {
        return Err(format!("{url} is larger than {DOCUMENT_BYTES} bytes."));
    }
    let read = tokio::task::spawn_blocking(move || skein_documents::read(&bytes));
    let read = read.await.map_err(|error| error.to_string())?;
    let read =
        read.map_err(|fault| format!("{url} cannot be read: {}.", file_error_text(&fault)))?;
    Ok(read.map(|(_, document)| document.text))
}

/// Decodes by the header's charset, else by the page's own word, else as UTF-8.
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
