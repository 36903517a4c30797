//! `fetch_page` and `web_search` behind a test proxy that stands for the whole web, so that private
//! addresses stay blocked.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod tools_support;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::json;
use skein_platform::http::{HostLog, HttpClient, NetworkSettings, ProxySetting};
use skein_tools::builtin::builtin_tools;
use skein_tools::host::SearchBackend;
use skein_tools::{ApprovalPreview, Tool};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use tools_support::{Notebook, call, done, failed, named};

/// Status line, headers and body by address.
type Web = HashMap<&'static str, (&'static str, &'static str, Vec<u8>)>;

#[derive(Default)]
struct Hosts(Mutex<Vec<String>>);

impl HostLog for Hosts {
    fn contacted(&self, host: &str) {
        self.0.lock().unwrap().push(host.to_owned());
    }
}

/// The web tools behind a proxy that responds for these addresses, and the hosts they contacted.
async fn tools(web: Web, search: Option<SearchBackend>) -> (Vec<Arc<dyn Tool>>, Arc<Hosts>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let web = Arc::new(web);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let web = web.clone();
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                let (mut asked, mut length) = (String::new(), 0);
                stream.read_line(&mut asked).await.unwrap();
                loop {
                    let mut header = String::new();
                    stream.read_line(&mut header).await.unwrap();
                    if let Some(value) = header.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    if header.trim().is_empty() {
                        break;
                    }
                }
                stream.read_exact(&mut vec![0; length]).await.unwrap();
                let address = asked.split(' ').nth(1).unwrap();
                let nothing = ("404 Not Found", "", Vec::new());
                let (status, headers, body) = web.get(address).unwrap_or(&nothing);
                let head = format!(
                    "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                // The reader may have closed the connection.
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(body).await;
            });
        }
    });
    let hosts = Arc::new(Hosts::default());
    let settings = NetworkSettings { proxy: ProxySetting::Custom { url, no_proxy: String::new() } };
    let notebook = Arc::new(Notebook::default());
    let net = HttpClient::new(&settings, hosts.clone()).unwrap();
    (builtin_tools::builtin_tools(None, notebook, net, search), hosts)
}

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

#[tokio::test]
async fn a_page_comes_as_the_text_of_its_article() {
    let words = "The article says many things about many matters. ".repeat(30);
    let page = format!(
        "<html><head><title>A title</title><script>evil()</script></head><body><nav><a href='/a'>menu</a></nav>\
         <article><h1>A title</h1><p>{words}</p><h2>Part</h2><p>{words}<a href='/more'>more</a></p></article>\
         <footer>imprint</footer></body></html>"
    );
    let web = Web::from([("http://site.example/", ("200 OK", HTML, page.into_bytes()))]);
    let (tools, hosts) = tools(web, None).await;
    let text =
        done(call(&named(&tools, "fetch_page"), json!({ "url": "http://site.example/" })).await);
    assert!(text.starts_with("# A title\n\n"), "{text}");
    assert!(text.contains("many matters") && text.contains("## Part"), "{text}");
    assert!(!text.contains("evil()") && !text.contains("<p>"), "{text}");
    assert_eq!(*hosts.0.lock().unwrap(), ["site.example"]);
}

#[tokio::test]
async fn what_is_no_article_or_not_html_comes_as_it_can() {
    let gbk = encoding_rs::GBK.encode("<title>标题</title><p>你好，世界</p>").0.into_owned();
    let by_meta = [b"<meta charset=\"gbk\">".to_vec(), gbk.clone()].concat();
    let text = |kind: &'static str, body: &str| ("200 OK", kind, body.as_bytes().to_vec());
    let web = Web::from([
        ("http://a.example/short", text(HTML, "<p>Only this.</p>")),
        ("http://a.example/gbk", ("200 OK", "Content-Type: text/html; charset=GBK\r\n", gbk)),
        ("http://a.example/meta", ("200 OK", "Content-Type: text/html\r\n", by_meta)),
        ("http://a.example/plain", text("Content-Type: text/plain\r\n", "<p>as it is</p>")),
        ("http://a.example/json", text("Content-Type: application/ld+json\r\n", "{\"a\": 1}")),
        ("http://a.example/image", text("Content-Type: image/png\r\n", "PNG")),
        ("http://a.example/empty", text(HTML, "")),
        (
            "http://a.example/broken",
            text(HTML, "<div><p>unclosed <b>words</div></p></html><table>"),
        ),
    ]);
    let (tools, _) = tools(web, None).await;
    let fetch = named(&tools, "fetch_page");
    for (path, part) in [
        ("short", "Only this."),
        ("gbk", "你好，世界"),
        ("meta", "你好，世界"),
        ("plain", "<p>as it is</p>"),
        ("json", "{\"a\": 1}"),
        ("broken", "words"),
    ] {
        let url = format!("http://a.example/{path}");
        let text = done(call(&fetch, json!({ "url": url })).await);
        assert!(text.contains(part), "{path}: {text}");
    }
    let asked = |path: &str| json!({ "url": format!("http://a.example/{path}") });
    assert!(failed(call(&fetch, asked("image")).await).contains("image/png, not text"));
    assert!(failed(call(&fetch, asked("none")).await).contains("404"));
    let empty = call(&fetch, asked("empty")).await;
    assert!(format!("{empty:?}").len() < 300, "{empty:?}");
}

#[tokio::test]
async fn a_page_that_is_nested_without_end_comes_as_its_text() {
    let words = "The quotation says many things about many matters. ".repeat(30);
    let nested = |levels: usize| {
        let (open, close) = ("<blockquote>".repeat(levels), "</blockquote>".repeat(levels));
        let page = format!("<title>A title</title>{open}<p>{words}</p>{close}");
        ("200 OK", HTML, page.into_bytes())
    };
    // Three thousand levels would overflow the stack of a thread.
    let web =
        Web::from([("http://a.example/some", nested(3)), ("http://a.example/deep", nested(3_000))]);
    let (tools, _) = tools(web, None).await;
    let fetch = named(&tools, "fetch_page");
    for (path, begin) in [("some", "# A title\n\n> "), ("deep", "# A title\n\nThe")] {
        let url = format!("http://a.example/{path}");
        let text = done(call(&fetch, json!({ "url": url })).await);
        assert!(text.starts_with(begin) && text.contains("many matters"), "{path}: {text}");
    }
}

#[tokio::test]
async fn a_document_comes_as_what_it_says() {
    let file = |kind: &'static str, bytes: &[u8]| ("200 OK", kind, bytes.to_vec());
    let pages = include_bytes!("../../documents/tests/documents/pages.pdf");
    let endless = [&pages[..], &vec![b' '; 21 << 20]].concat();
    let web = Web::from([
        ("http://a.example/pdf", file("Content-Type: application/pdf\r\n", pages)),
        (
            "http://a.example/unnamed",
            file(
                "Content-Type: binary/octet-stream\r\n",
                include_bytes!("../../documents/tests/documents/talk.pptx"),
            ),
        ),
        ("http://a.example/as-html", file(HTML, pages)),
        (
            "http://a.example/locked",
            file(
                "Content-Type: application/pdf\r\n",
                include_bytes!("../../documents/tests/documents/locked.pdf"),
            ),
        ),
        (
            "http://a.example/half",
            file("Content-Type: application/pdf\r\n", pages.split_at(1_000).0),
        ),
        ("http://a.example/endless", file("Content-Type: application/pdf\r\n", &endless)),
        ("http://a.example/none", file("Content-Type: application/pdf\r\n", b"")),
    ]);
    let (tools, _) = tools(web, None).await;
    let fetch = named(&tools, "fetch_page");
    let asked = |path: &str| json!({ "url": format!("http://a.example/{path}") });
    for (path, part) in [
        ("pdf", "[Page 2]\nThe deploy port of page two is 7443."),
        ("unnamed", "[Slide 2]\nThreads"),
        ("as-html", "[Page 2]\nThe deploy port of page two is 7443."),
    ] {
        let text = done(call(&fetch, asked(path)).await);
        assert!(text.contains(part), "{path}: {text}");
    }
    for (path, part) in [
        ("locked", "it is protected with a password"),
        ("half", "cannot be read"),
        ("endless", "is larger than 20971520 bytes"),
        ("none", "application/pdf, not text"),
    ] {
        let message = failed(call(&fetch, asked(path)).await);
        assert!(message.contains(part), "{path}: {message}");
    }
}

#[tokio::test]
async fn the_person_is_shown_the_address_as_it_will_be_called() {
    let (tools, _) = tools(Web::new(), None).await;
    let fetch = named(&tools, "fetch_page");
    // Two of its letters are Cyrillic.
    let shown = fetch.preview(&json!({ "url": "https://gооgle.com/a b" })).await;
    let target = "https://xn--ggle-55da.com/a%20b".to_owned();
    assert_eq!(shown, Ok(Some(ApprovalPreview::Request { target })));
    assert!(fetch.preview(&json!({ "url": "google" })).await.is_err());
}

#[tokio::test]
async fn an_address_that_is_refused_is_not_asked_about() {
    let (tools, hosts) = tools(Web::new(), None).await;
    let fetch = named(&tools, "fetch_page");
    for url in [
        "http://127.0.0.1:8080/",
        "http://2130706433/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://localhost/",
        "https://router.lan/",
        "https://ada:pw@loom.example/",
        "file:///etc/passwd",
    ] {
        let shown = fetch.preview(&json!({ "url": url })).await;
        assert!(shown.is_err_and(|why| why.contains("is refused")), "{url}");
    }
    assert!(hosts.0.lock().unwrap().is_empty(), "nobody is asked about a name");
}

#[tokio::test]
async fn redirects_stay_on_the_site_that_was_agreed_to_and_never_lead_inside() {
    let to = |target: &'static str| ("302 Found", target, Vec::new());
    let web = Web::from([
        ("http://site.example/a", to("Location: http://www.site.example/b\r\n")),
        (
            "http://www.site.example/b",
            ("200 OK", "Content-Type: text/plain\r\n", b"arrived".to_vec()),
        ),
        ("http://site.example/away", to("Location: https://other.example/x\r\n")),
        ("http://site.example/inside", to("Location: http://127.0.0.1:8080/\r\n")),
        ("http://site.example/metadata", to("Location: http://169.254.169.254/latest\r\n")),
        ("http://site.example/file", to("Location: file:///etc/passwd\r\n")),
        ("http://site.example/circle", to("Location: /circle\r\n")),
        ("http://site.example/nowhere", ("302 Found", "", Vec::new())),
        ("http://other.example/", ("200 OK", "Content-Type: text/plain\r\n", b"never".to_vec())),
    ]);
    let (tools, hosts) = tools(web, None).await;
    let fetch = named(&tools, "fetch_page");
    let asked = |path: &str| json!({ "url": format!("http://site.example/{path}") });
    assert_eq!(done(call(&fetch, asked("a")).await), "arrived");
    for (path, target) in [
        ("away", "https://other.example/x"),
        ("inside", "http://127.0.0.1:8080/"),
        ("metadata", "http://169.254.169.254/latest"),
        ("file", "file:///etc/passwd"),
    ] {
        let text = done(call(&fetch, asked(path)).await);
        assert_eq!(text, format!("This page redirects to {target}. Fetch that if it is wanted."));
        if !target.starts_with("https") {
            failed(call(&fetch, json!({ "url": target })).await);
        }
    }
    assert!(failed(call(&fetch, asked("circle")).await).contains("circles"));
    assert!(failed(call(&fetch, asked("nowhere")).await).contains("nowhere"));
    let contacted = hosts.0.lock().unwrap().clone();
    assert!(contacted.iter().all(|host| host.ends_with("site.example")), "{contacted:?}");
}

#[tokio::test]
async fn a_page_without_an_end_is_read_to_its_limit() {
    let page = vec![b'a'; 20_000_000];
    let web =
        Web::from([("http://big.example/", ("200 OK", "Content-Type: text/plain\r\n", page))]);
    let (tools, _) = tools(web, None).await;
    let text =
        done(call(&named(&tools, "fetch_page"), json!({ "url": "http://big.example/" })).await);
    assert_eq!(text.len(), 8 * 1024 * 1024);
}

#[tokio::test]
async fn a_search_names_titles_addresses_and_excerpts_and_never_its_key() {
    let url = "http://search.example/search?q=rust+%26+co&format=json";
    let answer = json!({ "results": [
        { "title": "One", "url": "https://one.example", "content": "first ".repeat(100) },
        { "title": "Two", "url": "https://two.example" },
        { "unexpected": true }
    ] });
    let body = answer.to_string().into_bytes();
    let web = Web::from([(url, ("200 OK", "Content-Type: application/json\r\n", body))]);
    let engine = SearchBackend::Searxng { url: "http://search.example/".into() };
    let (searx, hosts) = tools(web, Some(engine)).await;
    let text = done(call(&named(&searx, "web_search"), json!({ "query": "rust & co" })).await);
    assert!(text.starts_with("One\nhttps://one.example\nfirst first"), "{text}");
    assert!(text.contains("Two\nhttps://two.example\n"), "{text}");
    assert!(text.chars().count() < 2_000);
    assert_eq!(*hosts.0.lock().unwrap(), ["search.example"]);
    assert!(
        failed(call(&named(&searx, "web_search"), json!({ "query": "x" })).await).contains("404")
    );

    let endless = vec![b' '; 3_000_000];
    let web = Web::from([(url, ("200 OK", "Content-Type: application/json\r\n", endless))]);
    let engine = SearchBackend::Searxng { url: "http://search.example/".into() };
    let (long, _) = tools(web, Some(engine)).await;
    let asked = json!({ "query": "rust & co" });
    assert!(failed(call(&named(&long, "web_search"), asked).await).contains("too long"));

    // The proxy refuses the tunnel: the error contains neither key nor query.
    let (brave, _) =
        tools(Web::new(), Some(SearchBackend::Brave { key: "secret-key".into() })).await;
    let message =
        failed(call(&named(&brave, "web_search"), json!({ "query": "private words" })).await);
    assert!(!message.contains("secret-key") && !message.contains("private"), "{message}");
}
