//! The browser's way back from a sign-in: one request on the loopback, answered with a page of a few
//! words.
//!
//! Whatever else knocks (another page of the browser, another program) is turned away, and the wait
//! goes on. Not here: what the request brings ([`crate::mcp::sign_in`]).

use std::time::Duration;

use reqwest::Url;
use serde::{Deserialize, Serialize};
use specta::Type;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a request may take to be sent: browsers open connections that they never use.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of its head.
const HEAD: usize = 16 * 1024;

/// What the page in the browser says, in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInPageText {
    /// That the user is signed in.
    pub done: String,
    /// That they are not.
    pub failed: String,
}

/// A request that belongs to this sign-in.
pub(crate) struct CallbackRequest {
    pub answer: CallbackResult,
    pub reply: BrowserResponse,
}

/// How the browser came back.
pub(crate) enum CallbackResult {
    /// With a code, in this address.
    Code(Url),
    /// With a no, and the code for why.
    Refused(String),
}

/// The browser, while it waits for the page.
pub(crate) struct BrowserResponse(TcpStream);

impl BrowserResponse {
    /// Shows the words. Where the browser is gone, nobody reads them.
    pub async fn send(mut self, words: &str) {
        let _ = tokio::time::timeout(PATIENCE, respond(&mut self.0, "200 OK", words)).await;
    }

    /// Goes on to another page.
    pub async fn redirect(mut self, page: &Url) {
        let status = format!("303 See Other\r\nLocation: {page}");
        let _ = tokio::time::timeout(PATIENCE, respond(&mut self.0, &status, "")).await;
    }
}

/// Reads a request. `None`: it is not the way back from the sign-in with this state.
pub(crate) async fn read_callback(mut stream: TcpStream, state: &str) -> Option<CallbackRequest> {
    let head = tokio::time::timeout(PATIENCE, head(&mut stream)).await.ok()??;
    let target = head.strip_prefix("GET ")?.split(' ').next()?;
    let address = Url::parse("http://127.0.0.1").and_then(|base| base.join(target)).ok();
    let address =
        address.filter(|address| address.path() == "/callback" && says(address, "state", state));
    let Some(address) = address else {
        let _ = tokio::time::timeout(PATIENCE, respond(&mut stream, "404 Not Found", "")).await;
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

fn says(address: &Url, name: &str, value: &str) -> bool {
    address.query_pairs().any(|(known, said)| known == name && said == value)
}

/// The head of a request; `None` for one that is none, or too long.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if head.len() > HEAD || stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(head).ok()
}

async fn respond(stream: &mut TcpStream, status: &str, words: &str) -> std::io::Result<()> {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>Skein</title><p>{words}</p>");
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
