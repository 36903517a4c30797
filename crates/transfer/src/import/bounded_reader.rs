//! A text on its way to what reads JSON, which builds of it whatever it says: weighed before that, and mended
//! where it would be refused.
//!
//! Not here: how JSON is mended (`json_repair`).

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

use skein_platform::json_repair::{PAIR, repair_escape};

use crate::skein_format::OWN_AT_MOST;

/// The most that an entry may weigh, in bytes: for Chatbox that is all that was ever said there.
pub(crate) const MOST: u32 = 512 * 1024 * 1024;
/// How much shorter than what it says a file of Skein's own is at most, packed. Attachments hardly pack; of
/// a short file that claims to hold gigabytes nothing is believed.
const PACKED: u64 = 4;
/// What a value holds beside its text, about, in bytes: `[0,0,…` takes far more memory than there are
/// letters.
const VALUE: u64 = 128;
/// What stays of an entry that was handed over, about, in bytes: what became of it.
const ENTRY: u64 = 256;
/// How much is read at once, in bytes.
const AT_ONCE: usize = 64 * 1024;

/// What is read of an entry, as it weighs in memory.
#[derive(Clone)]
pub(crate) struct MemoryBudget(Rc<BudgetCounters>);

struct BudgetCounters {
    /// What one of Skein's own may weigh.
    own: u32,
    /// What this entry may.
    most: Cell<u32>,
    /// The bytes of its text.
    bytes: Cell<u64>,
    /// Its values beside their text, and what is left of those before.
    values: Cell<u64>,
    left: Cell<u64>,
}

impl MemoryBudget {
    /// For what is read out of a file of so many bytes.
    pub(crate) fn new(file: u64) -> Self {
        let own = u32::try_from(file.saturating_mul(PACKED)).unwrap_or(OWN_AT_MOST).max(MOST);
        let [bytes, values, left] = Default::default();
        Self(Rc::new(BudgetCounters { own, most: Cell::new(MOST), bytes, values, left }))
    }

    /// The next entry begins.
    pub(crate) fn begin_entry(&self) {
        let BudgetCounters { most, bytes, values, left, .. } = &*self.0;
        left.set(left.get() + ENTRY);
        values.set(left.get());
        bytes.set(0);
        most.set(MOST);
    }

    /// This entry turned out to be one of Skein's own.
    pub(crate) fn mark_own(&self) {
        self.0.most.set(self.0.own);
    }

    /// What this entry may weigh, in bytes.
    pub(crate) fn most(&self) -> u32 {
        self.0.most.get()
    }

    fn add(&self, more: u64, beside: u64) -> io::Result<()> {
        let BudgetCounters { most, bytes, values, .. } = &*self.0;
        bytes.set(bytes.get() + more);
        values.set(values.get() + beside);
        let bears = bytes.get() + values.get() <= u64::from(most.get());
        // Attachments are few values, however long.
        let bears = bears && values.get() <= u64::from(MOST);
        if bears { Ok(()) } else { Err(ErrorKind::FileTooLarge.into()) }
    }
}

/// Gives each byte of another, or one in its place.
pub(crate) struct BoundedReader<R> {
    from: R,
    bytes: Vec<u8>,
    /// How many of them were given.
    given: usize,
    /// How many of them can be.
    ready: usize,
    /// Whether there are no more behind them.
    ended: bool,
    /// Whether a string is open there.
    quoted: bool,
    weight: MemoryBudget,
}

impl<R> BoundedReader<R> {
    /// What is read of `from`, put on this weight.
    ///
    /// # Errors
    /// Its reading fails with [`ErrorKind::FileTooLarge`] where that is more than it bears.
    pub(crate) fn new(from: R, weight: MemoryBudget) -> Self {
        Self { from, bytes: Vec::new(), given: 0, ready: 0, ended: false, quoted: false, weight }
    }

    /// Makes ready what can be judged by itself; returns how many values begin there.
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

    /// How long the escape is that begins there, mended; `None`: what comes behind it decides.
    fn escape(&mut self, at: usize) -> Option<usize> {
        let text = self.bytes.get_mut(at..)?;
        let is_whole = text.len() >= PAIR || self.ended;
        is_whole.then(|| repair_escape(text).0)
    }
}

impl<R: Read> BoundedReader<R> {
    fn fill(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.ready);
        (self.given, self.ready) = (0, 0);
        let room = AT_ONCE - self.bytes.len().min(AT_ONCE);
        let read = (&mut self.from).take(room as u64).read_to_end(&mut self.bytes)?;
        self.ended = read < room;
        let values = self.scan_ready();
        let weighed = self.weight.add(self.ready as u64, values * VALUE);
        if weighed.is_err() {
            self.ready = 0;
        }
        weighed
    }
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready && !self.ended {
            self.fill()?;
        }
        let mut ready = self.bytes.get(self.given..self.ready).unwrap_or_default();
        let read = ready.read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// Gives so many bytes at a time at most.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    /// A text as it arrives, `from` so many bytes at a time and taken so many at a time.
    fn arrived(text: &str, from: usize, taken: usize) -> String {
        let mut text = BoundedReader::new(Slow(text.as_bytes(), from), MemoryBudget::new(0));
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
            for before in [0, 1, AT_ONCE - 13, AT_ONCE - 7, AT_ONCE - 3, AT_ONCE - 1, AT_ONCE] {
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

    /// The same with every letter of a string as JavaScript may write it, and so many blanks before it.
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
            blanks in AT_ONCE - 300..AT_ONCE,
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
        let read = |text: &str, weight: &MemoryBudget| {
            let read =
                io::copy(&mut BoundedReader::new(text.as_bytes(), weight.clone()), &mut io::sink());
            read.map_err(|error| error.kind())
        };
        let weight = MemoryBudget::new(0);
        weight.add(u64::from(MOST) - 1_000_000, 0).unwrap();
        let words = " ".repeat(2_000_000);
        for _ in 0..2 {
            assert_eq!(read(&words, &weight), Err(ErrorKind::FileTooLarge));
        }
        weight.begin_entry();
        assert_eq!(read(&words, &weight), Ok(2_000_000));

        let values = "[0,".repeat(3_000_000);
        assert_eq!(read(&values, &MemoryBudget::new(0)), Err(ErrorKind::FileTooLarge));
        assert_eq!(read(&format!("\"{values}"), &MemoryBudget::new(0)), Ok(9_000_001));
    }

    #[test]
    fn one_of_our_own_may_hold_as_many_attachments_as_its_file_is_long() {
        let most = u64::from(MOST);
        let bears = |file: u64, bytes: u64, values: u64| {
            let weight = MemoryBudget::new(file);
            weight.mark_own();
            weight.add(bytes, values).is_ok()
        };
        assert!(bears(most, 4 * most, 0), "a packed one");
        assert!(!bears(most / 2, 2 * most + 1, 0), "it only says so");
        assert!(bears(0, most, 0), "as much as any other");
        assert!(!bears(most, 0, most + 1), "but no more values");

        let weight = MemoryBudget::new(most);
        weight.mark_own();
        weight.begin_entry();
        assert_eq!(weight.add(most + 1, 0).map_err(|it| it.kind()), Err(ErrorKind::FileTooLarge));
    }
}
