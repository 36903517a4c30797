//! An MCP server over standard input and output, for tests on every system.
//!
//!     mcp-test-server odd|many [OPTION]…
//!
//! `odd` does on request what servers have been seen to do ([`odd_server`]); `many` has sixty tools
//! ([`many_server`]). Options that are not listed in [`options`] or in the server's module are ignored.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod many_server;
mod odd_server;
mod odd_tools;
mod options;
mod output;

use std::io::BufRead;

use serde_json::Value;

/// A server for the requests and notifications of one client.
trait TestServer {
    fn receive(&mut self, message: &Value);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // The lock ends with the process.
    let _lock = options::apply(&args);
    let mut server: Box<dyn TestServer> = match args.first().map(String::as_str) {
        Some("odd") => Box::new(odd_server::OddServer::start(&args)),
        Some("many") => Box::new(many_server::ManyServer),
        _ => options::fail("The first argument is odd or many."),
    };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        server.receive(&serde_json::from_str(&line).unwrap());
    }
    if options::has(&args, "--stubborn") {
        options::hang();
    }
}
