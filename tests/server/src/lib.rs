//! An HTTP server for tests, which gives scripted replies and records requests.
//!
//! It replays recorded bytes, may cut them anywhere, stall, send them in pieces, or refuse.
//! Blocking and with the standard library only, so that any test can use it. One request per
//! connection.

mod file_lock;
mod token_meter;
mod wait;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub use file_lock::is_locked;
pub use token_meter::{MeteredPrompt, TokenMeter};
pub use wait::{patiently, until};

/// A received request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// For example `POST`.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// In order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, as text.
    pub body: String,
    /// When its first line was read.
    pub began: Instant,
}

impl Asked {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A step of a reply.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends these bytes of the body.
    Send(Vec<u8>),
    /// Waits.
    Pause(Duration),
    /// Waits until the client disconnects or the server is dropped.
    Hold,
}

/// A reply: its head, then its steps, then the end of the connection.
#[derive(Debug, Clone)]
pub struct Reply {
    head: String,
    acts: Vec<Act>,
}

impl Reply {
    /// A reply with this status, content type and body.
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let head = format!("HTTP/1.1 {status} Scripted\r\nContent-Type: {content_type}\r\n");
        Self { head, acts: vec![Act::Send(body.into())] }
    }

    /// A stream of server-sent events.
    pub fn events(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, "text/event-stream", body)
    }

    /// A JSON reply.
    pub fn json(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::new(status, "application/json", body)
    }

    /// A recorded exchange: status line, headers, blank line, body without chunk framing.
    pub fn recorded(http: &[u8]) -> Self {
        let (head, body) = parted(http);
        let head: String = head
            .lines()
            .filter(|line| {
                let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
                !matches!(name.as_str(), "content-length" | "transfer-encoding" | "connection")
            })
            .map(|line| format!("{line}\r\n"))
            .collect();
        Self { head, acts: vec![Act::Send(body.to_vec())] }
    }

    /// No reply: the connection is closed at once.
    pub fn nothing() -> Self {
        Self { head: String::new(), acts: Vec::new() }
    }

    /// Adds a header.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.head.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    /// Adds a step.
    pub fn then(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Truncates the body, as if the connection broke there.
    pub fn cut_at(mut self, bytes: usize) -> Self {
        let mut left = bytes;
        for act in &mut self.acts {
            if let Act::Send(body) = act {
                body.truncate(left);
                left -= body.len();
            }
        }
        self
    }

    /// Splits the body into pieces of this many bytes, each sent separately.
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        let split = |act: Act| match act {
            Act::Send(body) => {
                body.chunks(bytes.max(1)).map(|piece| Act::Send(piece.to_vec())).collect()
            }
            other => vec![other],
        };
        self.acts = self.acts.into_iter().flat_map(split).collect();
        self
    }
}

/// The head and body of a recorded exchange.
pub fn parted(http: &[u8]) -> (String, &[u8]) {
    for (mark, length) in [(&b"\r\n\r\n"[..], 4), (&b"\n\n"[..], 2)] {
        if let Some(at) = http.windows(length).position(|window| window == mark) {
            return (String::from_utf8_lossy(&http[..at]).into_owned(), &http[at + length..]);
        }
    }
    (String::from_utf8_lossy(http).into_owned(), &[])
}

/// A running server. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Starts a server on a free port of the loopback. `script` gets each request and its number,
    /// from 0.
    pub fn start(script: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let ended = Arc::new(AtomicBool::new(false));
        let (seen, over) = (Arc::clone(&asked), Arc::clone(&ended));
        let script = Arc::new(script);
        let count = Arc::new(AtomicUsize::new(0));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                let (count, over) = (Arc::clone(&count), Arc::clone(&over));
                thread::spawn(move || {
                    // A client may disconnect at any time.
                    let Some(request) = read(&stream) else { return };
                    let number = {
                        let mut seen = seen.lock().expect("no panic");
                        seen.push(request.clone());
                        count.fetch_add(1, Ordering::SeqCst)
                    };
                    let reply = script(&request, number);
                    let _ = play(stream, &reply, &over);
                });
            }
        });
        Self { address, asked, ended }
    }

    /// Starts a server that always gives the same reply.
    pub fn always(reply: Reply) -> Self {
        Self::start(move |_, _| reply.clone())
    }

    /// For example `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let began = Instant::now();
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Asked { method, path, headers, body: String::new(), began };
    let length = request.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    Some(request)
}

fn play(mut stream: TcpStream, reply: &Reply, over: &AtomicBool) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    if reply.head.is_empty() {
        return stream.shutdown(Shutdown::Both);
    }
    write!(stream, "{}Connection: close\r\n\r\n", reply.head)?;
    for act in &reply.acts {
        match act {
            Act::Send(bytes) => {
                stream.write_all(bytes)?;
                stream.flush()?;
            }
            Act::Pause(wait) => thread::sleep(*wait),
            Act::Hold => hold(&mut stream, over)?,
        }
    }
    stream.shutdown(Shutdown::Both)
}

fn hold(stream: &mut TcpStream, over: &AtomicBool) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(20)))?;
    let mut byte = [0];
    loop {
        let gone = matches!(stream.read(&mut byte), Ok(0));
        if gone || over.load(Ordering::SeqCst) {
            return Ok(());
        }
    }
}
