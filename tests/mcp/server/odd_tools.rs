//! The tools of the odd server that leave its state as it is.

use std::io::{Cursor, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::odd_server::environment;
use crate::output::{announce_tools, answer, send, text, write_raw};

/// All tools of the odd server, but those with a schema of their own.
pub const TOOLS: [&str; 18] = [
    "echo",
    "big",
    "twice",
    "crash",
    "hang",
    "grow",
    "flood",
    "noise",
    "refuse",
    "environment",
    "child",
    "picture",
    "snapshot",
    "empty",
    "sulk",
    "half",
    "garbled",
    "anonymous",
];

pub fn call(name: &str, request: &Value) {
    let arguments = &request["params"]["arguments"];
    match name {
        "echo" => {
            announce_tools(3);
            let words = match &arguments["text"] {
                Value::String(words) => words.clone(),
                other => other.to_string(),
            };
            answer(request, text(&format!("echo: {words}")));
        }
        "big" => answer(request, text(&"x".repeat(count(&arguments["characters"])))),
        "twice" => {
            let words = "line\n".repeat(count(&arguments["lines"]));
            let mut result = text(&words);
            result["structuredContent"] = json!({ "content": words });
            answer(request, result);
        }
        "crash" => std::process::exit(7),
        "hang" => report_progress(request["params"]["_meta"]["progressToken"].clone()),
        "flood" => flood(request),
        "noise" => make_noise(request),
        // A lone surrogate, which `serde_json` does not write.
        "half" => write_result_start(request, "cut here: \\ud83d\"}]}}\n"),
        "garbled" => write_result_start(request, "cut\n"),
        "anonymous" => {
            write_raw("{\"result\": {\"content\": [{\"type\": \"text\", \"text\": \"cut\n")
        }
        "environment" => {
            let words = json!(environment()).to_string();
            // Reversed, no key in it is recognised.
            let is_reversed = arguments["backwards"] == true;
            let words = if is_reversed { words.chars().rev().collect() } else { words };
            answer(request, text(&words));
        }
        "child" => leave_child(request, arguments["lock"].as_str().unwrap()),
        "picture" => answer(request, json!({ "content": [image(&"QUJD".repeat(1_000))] })),
        "snapshot" => {
            let page = json!({ "type": "text", "text": "the page:" });
            answer(request, json!({ "content": [page, image(&STANDARD.encode(png(640, 480)))] }));
        }
        "empty" => answer(request, json!({ "content": [], "isError": true })),
        _ => {
            let mut result = text("unknown tool");
            result["isError"] = json!(true);
            answer(request, result);
        }
    }
}

fn count(number: &Value) -> usize {
    number.as_u64().unwrap().try_into().unwrap()
}

/// Writes a result up to its text, and then `rest` as it is.
fn write_result_start(request: &Value, rest: &str) {
    let begin = format!("{{\"jsonrpc\": \"2.0\", \"id\": {}, ", request["id"]);
    write_raw(&format!(
        "{begin}\"result\": {{\"content\": [{{\"type\": \"text\", \"text\": \"{rest}"
    ));
}

/// Reports progress for 100 seconds, whatever else is asked.
fn report_progress(token: Value) {
    std::thread::spawn(move || {
        for step in 0..10_000 {
            let params = json!({ "progressToken": token, "progress": step, "message": "hanging" });
            send(json!({ "method": "notifications/progress", "params": params }));
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}

/// Writes five megabytes to standard error, the last one without an end of line.
fn flood(request: &Value) {
    let line = |n| format!("noise {n} {}\n", "y".repeat(200));
    let lines: String = (0..20_000).map(line).collect();
    let mut stderr = std::io::stderr().lock();
    stderr.write_all(lines.as_bytes()).unwrap();
    stderr.write_all("z".repeat(1_000_000).as_bytes()).unwrap();
    answer(request, text("flooded"));
}

/// Writes lines that are no messages, and messages that nobody asked for.
fn make_noise(request: &Value) {
    write_raw("this is not JSON\n\n{\"jsonrpc\": \"2.0\", \"id\": 99999, \"result\": {}}\n[1]\n");
    send(json!({ "id": "never asked", "result": {} }));
    send(json!({ "method": "notifications/unknown", "params": { "a": 1 } }));
    answer(request, text("after the noise"));
}

/// Starts a process that keeps `lock` locked for a minute and has this server's output for its own.
fn leave_child(request: &Value, lock: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--sleep", "60", "--lock", lock]).stdin(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::spawn(move || child.wait());
    answer(request, text("left a child behind"));
}

fn image(data: &str) -> Value {
    json!({ "type": "image", "data": data, "mimeType": "image/png" })
}

/// A picture of one colour.
fn png(width: u32, height: u32) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb([0x30, 0x80, 0xc0]));
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}
