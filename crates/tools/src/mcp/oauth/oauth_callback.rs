//! Receives the redirect of a sign-in: one request on the loopback, answered with a short page.
//!
//! Other requests (of other pages or programs) are rejected, and the wait goes on. Not here: the
//! exchange of the code (`oauth_flow`).

use std::time::Duration;

use reqwest::Url;
use serde::{Deserialize, Serialize};
use specta::Type;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time limit of a request: browsers open connections that they never use.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);
/// The limit of a request's head, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// The text of the page in the browser, in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInPageText {
    /// After a successful sign-in.
    pub done: String,
    /// After a failed one.
    pub failed: String,
}

/// The request of this sign-in.
pub(crate) struct CallbackRequest {
    pub answer: CallbackResult,
    pub reply: BrowserResponse,
}

/// The result of a sign-in in the browser.
pub(crate) enum CallbackResult {
    /// An address with a code.
    Code(Url),
    /// A refusal with its error code.
    Refused(String),
}

/// The browser, while it waits for the page.
pub(crate) struct BrowserResponse(TcpStream);

impl BrowserResponse {
    /// Shows a text. Errors are ignored: the browser is gone.
    pub async fn send(mut self, words: &str) {
        let _ = tokio::time::timeout(REQUEST_TIMEOUT, respond(&mut self.0, "200 OK", words)).await;
    }

    pub async fn redirect(mut self, page: &Url) {
        let status = format!("303 See Other\r\nLocation: {page}");
        let _ = tokio::time::timeout(REQUEST_TIMEOUT, respond(&mut self.0, &status, "")).await;
    }
}

/// Reads a request; `None` if it does not belong to the sign-in with this state.
pub(crate) async fn read_callback(mut stream: TcpStream, state: &str) -> Option<CallbackRequest> {
    let head = tokio::time::timeout(REQUEST_TIMEOUT, head(&mut stream)).await.ok()??;
    let target = head.strip_prefix("GET ")?.split(' ').next()?;
    let address = Url::parse("http://127.0.0.1").and_then(|base| base.join(target)).ok();
    let address = address
        .filter(|address| address.path() == "/callback" && has_parameter(address, "state", state));
    let Some(address) = address else {
        let _ =
            tokio::time::timeout(REQUEST_TIMEOUT, respond(&mut stream, "404 Not Found", "")).await;
        return None;
    };
    let refused = address.query_pairs().find(|(name, _)| name == "error");
    let refused = refused.map(|(_, code)| code.into_owned());
    let answer = match refused {
        Some(code) => CallbackResult::Refused(code),
        None => CallbackResult::Code(address),
    };
    Some(CallbackRequest { answer, reply: BrowserResponse(stream) })
}

fn has_parameter(address: &Url, name: &str, value: &str) -> bool {
    address.query_pairs().any(|(known, said)| known == name && said == value)
}

/// The head of a request; `None` if it is malformed or too long.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if head.len() > MAX_HEAD || stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(head).ok()
}

async fn respond(stream: &mut TcpStream, status: &str, words: &str) -> std::io::Result<()> {
    let text = words.replace('&', "&amp;").replace('<', "&lt;");
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>Skein</title><p>{text}</p>");
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        page.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(page.as_bytes()).await?;
    stream.shutdown().await
}
