//! Reads a local server's standard output line by line and passes the messages on to `rmcp`.
//!
//! Not here: the check of a line (`message_check`).

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::client_handler::McpClientHandler;
use super::message_check::{Checked, check, error_text};
use crate::mcp::server_log::ServerLog;

/// The buffer between the two, in bytes.
const BUFFER: usize = 64 * 1024;

/// Passes on the messages of a server, of at most `longest` bytes each. An unreadable answer
/// becomes an error response. If its call is unknown, all pending calls fail.
pub(crate) fn messages(
    stdout: impl AsyncRead + Send + Unpin + 'static,
    longest: usize,
    handler: McpClientHandler,
    log: ServerLog,
) -> DuplexStream {
    let (to, messages) = tokio::io::duplex(BUFFER);
    tokio::spawn(pass_on(stdout, longest, to, handler, log));
    messages
}

async fn pass_on(
    stdout: impl AsyncRead + Send + Unpin + 'static,
    longest: usize,
    mut to: DuplexStream,
    handler: McpClientHandler,
    log: ServerLog,
) {
    let mut stdout = BufReader::new(stdout);
    while let Some(line) = next_line(&mut stdout, longest).await {
        let mut message = match line {
            Ok(line) => match check(line) {
                Checked::Message(message) => message,
                Checked::Words => continue,
                Checked::Broken { id: Some(id), reason } => {
                    log.push(&reason);
                    error_text(&id, &reason).into_bytes()
                }
                Checked::Broken { id: None, reason } => {
                    log.push(&reason);
                    handler.fail_pending(&reason);
                    continue;
                }
            },
            Err(TooLong) => {
                handler.fail_pending(&format!("it is longer than {longest} bytes"));
                continue;
            }
        };
        message.push(b'\n');
        // The receiver is gone: the connection has ended.
        if to.write_all(&message).await.is_err() {
            return;
        }
    }
}

/// A line above the limit.
struct TooLong;

/// The next line without its end; `None` at the end. A line above the limit is skipped.
async fn next_line(
    stdout: &mut (impl AsyncBufReadExt + Unpin),
    longest: usize,
) -> Option<Result<Vec<u8>, TooLong>> {
    let mut line = Vec::new();
    let mut read = stdout.take(longest as u64 + 1).read_until(b'\n', &mut line).await.ok()?;
    if read == 0 {
        return None;
    }
    if line.pop_if(|last| *last == b'\n').is_some() {
        return Some(Ok(line));
    }
    if line.len() <= longest {
        // An incomplete last line.
        return None;
    }
    while read > 0 && line.last() != Some(&b'\n') {
        line.clear();
        read = stdout.take(BUFFER as u64).read_until(b'\n', &mut line).await.ok()?;
    }
    Some(Err(TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let text = format!("first\n{}\nlast\ncut", "x".repeat(200_000));
        let mut text = BufReader::new(text.as_bytes());
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut text, 100).await {
            lines.push(
                line.map_or_else(|TooLong| "long".into(), |it| String::from_utf8(it).unwrap()),
            );
        }
        assert_eq!(lines, ["first", "long", "last"]);
    }
}
