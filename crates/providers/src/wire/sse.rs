//! Splits bytes into frames: server-sent events, or one JSON value per line.
//!
//! Pure, and linear in the number of bytes however they are cut. It accepts real servers' output:
//! CRLF or LF, comments as keep-alive, characters cut by a chunk, frames of a megabyte, plain JSON
//! instead of a stream, a web page. Not here: the meaning of a frame (the formats).

/// The framing of a format's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Events,
    /// One JSON value per line.
    Lines,
}

/// A frame of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// The data of an event, or a line.
    Data(String),
    /// The whole body, if it is not a stream.
    Whole(String),
}

/// The shape of the body, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyShape {
    Unknown,
    Events,
    Lines,
    Whole,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Splits a growing body into frames.
#[derive(Debug)]
pub(crate) struct FrameSplitter {
    cut: Framing,
    shape: BodyShape,
    buffer: Vec<u8>,
    /// Bytes of `buffer` that are known to contain no line end.
    scanned: usize,
    /// The data lines of the unfinished event.
    data: Option<String>,
}

impl FrameSplitter {
    pub(crate) fn new(cut: Framing) -> Self {
        Self { cut, shape: BodyShape::Unknown, buffer: Vec::new(), scanned: 0, data: None }
    }

    /// Adds bytes and returns the frames they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.buffer.extend_from_slice(bytes);
        if self.shape == BodyShape::Unknown {
            self.shape = self.look();
        }
        match self.shape {
            BodyShape::Unknown | BodyShape::Whole => Vec::new(),
            BodyShape::Events | BodyShape::Lines => self.take_lines(),
        }
    }

    /// The frames that the end completes: an event or line without its end, or the whole body.
    pub(crate) fn end(&mut self) -> Vec<Frame> {
        let rest = std::mem::take(&mut self.buffer);
        let rest = String::from_utf8_lossy(&rest);
        let rest = rest.trim_start_matches('\u{feff}');
        let mut frames = Vec::new();
        match self.shape {
            BodyShape::Unknown => {}
            BodyShape::Whole => frames.push(Frame::Whole(rest.to_owned())),
            BodyShape::Lines => frames.extend(line_frame(rest)),
            BodyShape::Events => {
                frames.extend(self.event_line(rest.trim_end_matches('\r')));
                frames.extend(self.data.take().map(Frame::Data));
            }
        }
        frames
    }

    fn look(&self) -> BodyShape {
        if BYTE_ORDER_MARK.starts_with(&self.buffer) {
            return BodyShape::Unknown;
        }
        let bytes = self.buffer.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.buffer);
        match (bytes.iter().find(|byte| !byte.is_ascii_whitespace()), self.cut) {
            (None, _) => BodyShape::Unknown,
            (Some(b'<'), _) => BodyShape::Whole,
            (Some(b'{' | b'['), Framing::Events) => BodyShape::Whole,
            (Some(_), Framing::Events) => BodyShape::Events,
            (Some(_), Framing::Lines) => BodyShape::Lines,
        }
    }

    /// The number of bytes that no frame has taken yet.
    pub(crate) fn buffered(&self) -> usize {
        self.buffer.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn take_lines(&mut self) -> Vec<Frame> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut frames = Vec::new();
        let mut read = 0;
        while let Some(end) = end_of_line(&buffer, self.scanned) {
            let line = String::from_utf8_lossy(buffer.get(read..end).unwrap_or_default());
            let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
            match self.shape {
                BodyShape::Lines => frames.extend(line_frame(line)),
                BodyShape::Events | BodyShape::Unknown | BodyShape::Whole => {
                    frames.extend(self.event_line(line));
                }
            }
            read = end + 1;
            self.scanned = read;
        }
        buffer.drain(..read);
        self.scanned = buffer.len();
        self.buffer = buffer;
        frames
    }

    /// Handles one line of an event stream; a blank one ends the event. Names and ids of events are
    /// ignored: the data repeats them.
    fn event_line(&mut self, line: &str) -> Option<Frame> {
        if line.is_empty() {
            return self.data.take().map(Frame::Data);
        }
        let value = line.strip_prefix("data:")?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
        None
    }
}

fn end_of_line(bytes: &[u8], scanned: usize) -> Option<usize> {
    let fresh = bytes.get(scanned..)?;
    fresh.iter().position(|byte| *byte == b'\n').map(|at| scanned + at)
}

fn line_frame(line: &str) -> Option<Frame> {
    let line = line.trim();
    (!line.is_empty()).then(|| Frame::Data(line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(cut: Framing, chunks: &[&[u8]]) -> Vec<Frame> {
        let mut framer = FrameSplitter::new(cut);
        let mut frames: Vec<_> = chunks.iter().flat_map(|chunk| framer.push(chunk)).collect();
        frames.extend(framer.end());
        frames
    }

    fn data(values: &[&str]) -> Vec<Frame> {
        values.iter().map(|value| Frame::Data((*value).to_owned())).collect()
    }

    #[test]
    fn events_come_whole_wherever_the_chunks_are_cut() {
        let body =
            ": hello\r\n\r\nevent: x\r\ndata: naïve ☕\r\ndata: 二\r\n\r\nid: 4\ndata:[DONE]\n\n";
        let whole = data(&["naïve ☕\n二", "[DONE]"]);
        for at in 0..body.len() {
            let (one, other) = body.as_bytes().split_at(at);
            assert_eq!(frames(Framing::Events, &[one, other]), whole, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        assert_eq!(frames(Framing::Events, &bytes), whole);
    }

    #[test]
    fn a_last_event_needs_no_blank_line() {
        assert_eq!(frames(Framing::Events, &[b"data: a\n\ndata: b"]), data(&["a", "b"]));
    }

    #[test]
    fn lines_come_whole_wherever_the_chunks_are_cut() {
        let body = "{\"a\":\"é\"}\n\n{\"b\":2}\r\n{\"c\":3}";
        for at in 0..body.len() {
            let (one, other) = body.as_bytes().split_at(at);
            let whole = data(&["{\"a\":\"é\"}", "{\"b\":2}", "{\"c\":3}"]);
            assert_eq!(frames(Framing::Lines, &[one, other]), whole, "cut at {at}");
        }
    }

    #[test]
    fn what_is_no_stream_is_kept_whole() {
        let json = " {\"x\": 1}";
        assert_eq!(frames(Framing::Events, &[json.as_bytes()]), [Frame::Whole(json.to_owned())]);
        let page = "<!doctype html>\n<p>";
        assert_eq!(frames(Framing::Lines, &[page.as_bytes()]), [Frame::Whole(page.to_owned())]);
        assert_eq!(frames(Framing::Events, &[b" \n "]), []);
    }

    #[test]
    fn r07_a_byte_order_mark_may_arrive_in_pieces() {
        let body = "\u{feff}{\"x\": 1}".as_bytes();
        let pieces: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(frames(Framing::Events, &pieces), [Frame::Whole("{\"x\": 1}".to_owned())]);
    }

    #[test]
    fn a_megabyte_in_one_frame_is_not_copied_for_each_of_its_pieces() {
        let text = "x".repeat(1 << 20);
        let body = format!("data: {text}\n\n");
        let (mut framer, mut found, mut moves) =
            (FrameSplitter::new(Framing::Events), Vec::new(), 0);
        for piece in body.as_bytes().chunks(512) {
            let before = framer.buffer.capacity();
            found.extend(framer.push(piece));
            moves += usize::from(framer.buffer.capacity() != before);
        }
        assert_eq!(found, data(&[&text]));
        assert!(moves < 32, "{moves} times");
    }
}
