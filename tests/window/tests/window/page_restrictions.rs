//! Restrictions of the page, in case foreign code should ever run in it.

use std::net::TcpListener;

use serde_json::{Value, json};
use skein_window::{Skein, until};

#[test]
fn the_page_reaches_no_host() {
    let skein = Skein::start();
    let host = TcpListener::bind("127.0.0.1:0").unwrap();
    host.set_nonblocking(true).unwrap();
    let address = format!("http://{}/", host.local_addr().unwrap());

    let refused = "const [address] = arguments; const refused = []; \
         await fetch(address, { mode: 'no-cors' }).catch(() => refused.push('fetch')); \
         await new Promise((resolve) => { const image = new Image(); \
           image.onerror = () => resolve(refused.push('image')); image.onload = resolve; \
           image.src = address; }); \
         try { new WebSocket(address.replace('http', 'ws')).onerror = () => {}; } \
           catch { /* refused at once */ } \
         return refused;";
    assert_eq!(skein.run_async(refused, &json!([address])), json!(["fetch", "image"]));
    skein.run(&format!("location.href = '{address}'"));
    // A whole round trip later the page is still there, and there was no request.
    assert_eq!(skein.run_async("return document.title;", &json!([])), "Skein");
    assert!(host.accept().is_err(), "the page reached a host");
}

#[test]
fn the_page_runs_web_assembly_and_no_text() {
    let skein = Skein::start();
    // The smallest module there is: the magic number and the version.
    let wasm = "await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); \
                return 'compiled';";
    assert_eq!(skein.run_async(wasm, &json!([])), "compiled");
    let inline = "const script = document.createElement('script'); \
         script.textContent = 'window.ran = true'; document.body.append(script); \
         return window.ran === undefined;";
    assert_eq!(skein.run(inline), true);
    let handler = "document.body.insertAdjacentHTML('beforeend', \
           '<button onclick=\"window.ran = true\"></button>'); \
         document.body.lastElementChild.click(); return window.ran === undefined;";
    assert_eq!(skein.run(handler), true);
}

#[test]
fn the_page_asks_the_desktop_for_what_it_needs_and_gets_nothing_else() {
    let skein = Skein::start();
    let ask = |command: &str, arguments: Value| {
        let script = "const [command, given] = arguments; \
             return window.__TAURI_INTERNALS__.invoke(command, given) \
               .then(() => 'done', (error) => String(error));";
        let answer = skein.run_async(script, &json!([command, arguments]));
        answer.as_str().unwrap_or_default().to_owned()
    };
    let width = || skein.run("return innerWidth").as_f64().unwrap_or_default();

    // The page sets its own zoom once it has read the settings.
    skein.get("textbox", "Message").see();
    let before = width();
    assert_eq!(ask("plugin:webview|set_webview_zoom", json!({ "value": 2.0 })), "done");
    until("the page is twice as large", || width() * 2.0 == before);
    assert_eq!(ask("plugin:clipboard-manager|write_text", json!({ "text": "a" })), "done");
    let formatted = json!({ "html": "<p>a</p>", "altText": "a" });
    assert_eq!(ask("plugin:clipboard-manager|write_html", formatted), "done");

    assert_eq!(ask("plugin:notification|is_permission_granted", json!({})), "done");

    for refused in REFUSED {
        assert!(ask(refused, json!({})).contains("not allowed"), "{refused}");
    }
    let file = json!({ "path": "file:///etc/passwd" });
    assert!(ask("plugin:opener|open_path", file).contains("not allowed"));
    let url = json!({ "url": "file:///etc/passwd" });
    assert!(ask("plugin:opener|open_url", url).contains("Not allowed"));
}

/// Existing commands that a complete permission set would allow.
const REFUSED: [&str; 13] = [
    "plugin:app|version",
    "plugin:clipboard-manager|read_text",
    "plugin:dialog|message",
    "plugin:event|emit",
    "plugin:image|from_path",
    "plugin:menu|create_default",
    "plugin:notification|request_permission",
    "plugin:path|resolve_directory",
    "plugin:resources|close",
    "plugin:tray|new",
    "plugin:webview|internal_toggle_devtools",
    "plugin:window|get_all_windows",
    "plugin:window|set_title",
];
