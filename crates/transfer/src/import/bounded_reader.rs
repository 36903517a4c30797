//! Limits the memory that parsing a JSON text may take, and repairs lone surrogates on the way. The
//! parser builds whatever the text says, so the limit is checked before the bytes reach it.
//!
//! Not here: the rules of the repair (`json_repair`).

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

use skein_platform::json_repair::{PAIR, repair_escape};

use crate::skein_format::MAX_OWN_ENTRY;

/// The memory limit of an entry, in bytes. For Chatbox one entry is the whole history.
pub(crate) const MAX_ENTRY: u32 = 512 * 1024 * 1024;
/// The assumed compression ratio of Skein's own packed files. Attachments hardly compress, so a
/// small file that claims to hold gigabytes is hostile.
const MAX_COMPRESSION: u64 = 4;
/// The approximate memory of a JSON value beside its text, in bytes: `[0,0,…` takes far more memory
/// than it has letters.
const VALUE_OVERHEAD: u64 = 128;
/// The approximate memory that remains of an imported entry, in bytes: its report.
const REPORT_SIZE: u64 = 256;
/// Bytes read at once.
const READ_SIZE: usize = 64 * 1024;

/// The memory that the current entry takes, and its limit. Clones share the counters.
#[derive(Clone)]
pub(crate) struct MemoryAllowance(Rc<AllowanceCounters>);

struct AllowanceCounters {
    /// The limit of an entry in Skein's own format, in bytes.
    own: u32,
    /// The limit of the current entry, in bytes.
    most: Cell<u32>,
    /// Bytes of its text.
    bytes: Cell<u64>,
    /// Bytes of the values of the entry, and of the remains of earlier entries.
    values: Cell<u64>,
    left: Cell<u64>,
}

impl MemoryAllowance {
    /// The allowance of a file with this many bytes.
    pub(crate) fn new(file: u64) -> Self {
        let own = u32::try_from(file.saturating_mul(MAX_COMPRESSION))
            .unwrap_or(MAX_OWN_ENTRY)
            .max(MAX_ENTRY);
        let [bytes, values, left] = Default::default();
        Self(Rc::new(AllowanceCounters { own, most: Cell::new(MAX_ENTRY), bytes, values, left }))
    }

    pub(crate) fn begin_entry(&self) {
        let AllowanceCounters { most, bytes, values, left, .. } = &*self.0;
        left.set(left.get() + REPORT_SIZE);
        values.set(left.get());
        bytes.set(0);
        most.set(MAX_ENTRY);
    }

    /// Raises the limit of the current entry: it is in Skein's own format.
    pub(crate) fn mark_own(&self) {
        self.0.most.set(self.0.own);
    }

    /// The limit of the current entry, in bytes.
    pub(crate) fn most(&self) -> u32 {
        self.0.most.get()
    }

    fn add(&self, more: u64, beside: u64) -> io::Result<()> {
        let AllowanceCounters { most, bytes, values, .. } = &*self.0;
        bytes.set(bytes.get() + more);
        values.set(values.get() + beside);
        let bears = bytes.get() + values.get() <= u64::from(most.get());
        // An attachment is long, but one value: the number of values has a limit of its own.
        let bears = bears && values.get() <= u64::from(MAX_ENTRY);
        if bears { Ok(()) } else { Err(ErrorKind::FileTooLarge.into()) }
    }
}

/// Passes bytes on and replaces those of lone surrogates.
pub(crate) struct BoundedReader<R> {
    from: R,
    bytes: Vec<u8>,
    /// Bytes of the buffer that were passed on.
    read_before: usize,
    /// Bytes of the buffer that can be passed on.
    ready: usize,
    /// True at the end of the source.
    ended: bool,
    /// True within a JSON string.
    quoted: bool,
    weight: MemoryAllowance,
}

impl<R> BoundedReader<R> {
    /// A reader of `from` that charges the allowance.
    ///
    /// # Errors
    /// Reading fails with [`ErrorKind::FileTooLarge`] if the allowance is exceeded.
    pub(crate) fn new(from: R, weight: MemoryAllowance) -> Self {
        Self {
            from,
            bytes: Vec::new(),
            read_before: 0,
            ready: 0,
            ended: false,
            quoted: false,
            weight,
        }
    }

    /// Scans the bytes that can be judged without those that follow. Returns the number of JSON
    /// values that begin there.
    fn scan_ready(&mut self) -> u64 {
        let (mut at, mut values) = (0, 0);
        while let Some(byte) = self.bytes.get(at).copied() {
            at += match (self.quoted, byte) {
                (true, b'\\') => match self.escape(at) {
                    Some(length) => length,
                    None => break,
                },
                (_, b'"') => {
                    self.quoted = !self.quoted;
                    1
                }
                (false, b',' | b'[' | b'{') => {
                    values += 1;
                    1
                }
                (_, _) => 1,
            };
        }
        self.ready = at.min(self.bytes.len());
        values
    }

    /// The length of the escape at an index, after its repair; `None` if the bytes that decide it
    /// have not arrived.
    fn escape(&mut self, at: usize) -> Option<usize> {
        let text = self.bytes.get_mut(at..)?;
        let is_whole = text.len() >= PAIR || self.ended;
        is_whole.then(|| repair_escape(text).0)
    }
}

impl<R: Read> BoundedReader<R> {
    fn fill(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.ready);
        (self.read_before, self.ready) = (0, 0);
        let room = READ_SIZE - self.bytes.len().min(READ_SIZE);
        let read = (&mut self.from).take(room as u64).read_to_end(&mut self.bytes)?;
        self.ended = read < room;
        let values = self.scan_ready();
        let weighed = self.weight.add(self.ready as u64, values * VALUE_OVERHEAD);
        if weighed.is_err() {
            self.ready = 0;
        }
        weighed
    }
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read_before == self.ready && !self.ended {
            self.fill()?;
        }
        let mut ready = self.bytes.get(self.read_before..self.ready).unwrap_or_default();
        let read = ready.read(buffer)?;
        self.read_before += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// A source that returns at most this many bytes at once.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    /// A text that arrives in pieces of `from` bytes and is read in pieces of `taken` bytes.
    fn arrived(text: &str, from: usize, taken: usize) -> String {
        let mut text = BoundedReader::new(Slow(text.as_bytes(), from), MemoryAllowance::new(0));
        let (mut all, mut some) = (Vec::new(), vec![0; taken]);
        loop {
            match text.read(&mut some).unwrap() {
                0 => return String::from_utf8(all).unwrap(),
                read => all.extend_from_slice(&some[..read]),
            }
        }
    }

    #[test]
    fn half_a_character_becomes_the_sign_for_what_cannot_be_shown_and_nothing_else_changes() {
        for (text, expected) in [
            (r#""abc\ud83d""#, r#""abc\ufffd""#),
            (r#""\uDE00abc""#, r#""\ufffdabc""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\n\u00e9\"""#, r#""\ufffd\n\u00e9\"""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#),
            (r#"{"\ud83d": "\ud83d"}"#, r#"{"\ufffd": "\ufffd"}"#),
            (r#""\ud8"#, r#""\ud8"#),
            (r#""\"#, r#""\"#),
            ("", ""),
        ] {
            for before in
                [0, 1, READ_SIZE - 13, READ_SIZE - 7, READ_SIZE - 3, READ_SIZE - 1, READ_SIZE]
            {
                let blank = " ".repeat(before);
                let found = arrived(&format!("{blank}{text}"), 1_000, 999);
                assert_eq!(found.trim_start(), expected, "{before} before {text}");
            }
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<String>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|fields| fields.into_iter().collect::<Value>()),
            ]
        })
    }

    /// A text whose strings consist of escapes, as JavaScript may write them, after a number of
    /// blanks.
    fn escaped(json: &Value, blanks: usize) -> String {
        let units = |letter: char| {
            let mut units = [0; 2];
            let units = letter.encode_utf16(&mut units).iter();
            units.map(|unit| format!("\\u{unit:04x}")).collect::<String>()
        };
        let text = json.to_string();
        let letters = text.chars().map(|letter| match letter.is_ascii() {
            true => letter.to_string(),
            false => units(letter),
        });
        " ".repeat(blanks) + &letters.collect::<String>()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_can_be_read_arrives_as_it_is_however_it_is_read(
            json in json(),
            blanks in READ_SIZE - 300..READ_SIZE,
            from in 1..200_usize,
            taken in 1..200_usize,
        ) {
            for text in [json.to_string(), escaped(&json, blanks)] {
                prop_assert_eq!(arrived(&text, from, taken), text);
            }
        }
    }

    #[test]
    fn what_is_too_heavy_is_told_before_it_is_in_memory_and_each_entry_is_weighed_anew() {
        let read = |text: &str, weight: &MemoryAllowance| {
            let read =
                io::copy(&mut BoundedReader::new(text.as_bytes(), weight.clone()), &mut io::sink());
            read.map_err(|error| error.kind())
        };
        let weight = MemoryAllowance::new(0);
        weight.add(u64::from(MAX_ENTRY) - 1_000_000, 0).unwrap();
        let words = " ".repeat(2_000_000);
        for _ in 0..2 {
            assert_eq!(read(&words, &weight), Err(ErrorKind::FileTooLarge));
        }
        weight.begin_entry();
        assert_eq!(read(&words, &weight), Ok(2_000_000));

        let values = "[0,".repeat(3_000_000);
        assert_eq!(read(&values, &MemoryAllowance::new(0)), Err(ErrorKind::FileTooLarge));
        assert_eq!(read(&format!("\"{values}"), &MemoryAllowance::new(0)), Ok(9_000_001));
    }

    #[test]
    fn one_of_our_own_may_hold_as_many_attachments_as_its_file_is_long() {
        let most = u64::from(MAX_ENTRY);
        let bears = |file: u64, bytes: u64, values: u64| {
            let weight = MemoryAllowance::new(file);
            weight.mark_own();
            weight.add(bytes, values).is_ok()
        };
        assert!(bears(most, 4 * most, 0), "a packed one");
        assert!(!bears(most / 2, 2 * most + 1, 0), "it only says so");
        assert!(bears(0, most, 0), "as much as any other");
        assert!(!bears(most, 0, most + 1), "but no more values");

        let weight = MemoryAllowance::new(most);
        weight.mark_own();
        weight.begin_entry();
        assert_eq!(weight.add(most + 1, 0).map_err(|it| it.kind()), Err(ErrorKind::FileTooLarge));
    }
}
