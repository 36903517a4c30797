//! What the page may not do, whatever text should ever run in it.

use std::net::TcpListener;

use serde_json::json;
use skein_window::Skein;

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
    // A whole round trip later, the page is still there, and nobody has called.
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
