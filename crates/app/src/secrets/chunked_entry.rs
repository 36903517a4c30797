//! Stores a value of any length in the system's keychain. On Windows an entry is limited, and OAuth tokens
//! are often longer.
//!
//! The rest of a longer value is in further entries, on one of two sides; the first entry has the side and
//! the number of entries. The next value is written to the other side, so that the old value stays whole
//! until the first entry is replaced. Not here: timeouts of a keychain (`keychain`).

use keyring_core::{CredentialStore, Entry, Error, Result};
use skein_platform::paths::BUNDLE_ID;

/// The UTF-16 units of a value in one entry: Windows stores 2,560 bytes, some of which the first entry needs
/// for its header.
const PIECE: usize = if cfg!(windows) { 1_200 } else { usize::MAX };

/// The beginning of the first entry of a longer value. No key begins like that.
const LONGER: &str = "\u{1}pieces ";

/// The suffixes of the services of further entries, one for each side.
const SIDES: [&str; 2] = ["a", "b"];

/// The entries of one value.
pub(super) struct ChunkedEntry<'a> {
    store: &'a CredentialStore,
    name: &'a str,
    /// See [`PIECE`].
    chunk_units: usize,
}

impl<'a> ChunkedEntry<'a> {
    pub(super) fn new(store: &'a CredentialStore, name: &'a str) -> Self {
        Self { store, name, chunk_units: PIECE }
    }

    /// Reads the value; `None`: there is none, or a part is missing.
    pub(super) fn read(&self) -> Result<Option<String>> {
        let Some(first) = read(&self.first()?)? else { return Ok(None) };
        let Some((side, count, start)) = parse_header(&first) else { return Ok(Some(first)) };
        let mut whole = start.to_owned();
        for at in 1..count {
            let Some(piece) = read(&self.further(side, at)?)? else { return Ok(None) };
            whole.push_str(&piece);
        }
        Ok(Some(whole))
    }

    /// Writes the value. If that fails, the old value stays.
    pub(super) fn write(&self, value: &str) -> Result<()> {
        let (start, rest) = split(value, self.chunk_units);
        let kept = if rest.is_empty() {
            self.first()?.set_password(start)?;
            None
        } else {
            let side = self.free_side()?;
            let count = self.write_further(side, rest)?;
            self.first()?.set_password(&format!("{LONGER}{side} {count}\n{start}"))?;
            Some((side, count))
        };
        for side in SIDES {
            let from = kept.filter(|kept| kept.0 == side).map_or(1, |kept| kept.1);
            // The value is stored, even if the rest of the old one remains.
            if let Err(error) = self.clear(side, from) {
                tracing::warn!(%error, "the rest of a key is still in the keychain");
            }
        }
        Ok(())
    }

    pub(super) fn remove(&self) -> Result<()> {
        delete(&self.first()?)?;
        SIDES.into_iter().try_for_each(|side| self.clear(side, 1))
    }

    fn first(&self) -> Result<Entry> {
        self.store.build(BUNDLE_ID, self.name, None)
    }

    /// The entry with index `at`, from 1 on.
    fn further(&self, side: &str, at: usize) -> Result<Entry> {
        self.store.build(&format!("{BUNDLE_ID}.{side}{at}"), self.name, None)
    }

    /// The side that the stored value does not use.
    fn free_side(&self) -> Result<&'static str> {
        let first = read(&self.first()?)?;
        let used = first.as_deref().and_then(parse_header).map(|(side, ..)| side);
        let [one, other] = SIDES;
        Ok(if used == Some(one) { other } else { one })
    }

    /// Writes the further entries. Returns the number of entries including the first one.
    fn write_further(&self, side: &str, mut rest: &str) -> Result<usize> {
        let mut count = 1;
        while !rest.is_empty() {
            let (piece, left) = split(rest, self.chunk_units);
            self.further(side, count)?.set_password(piece)?;
            (rest, count) = (left, count + 1);
        }
        Ok(count)
    }

    /// Deletes the entries from the last one on, so that an interrupted deletion can be completed the next
    /// time.
    fn clear(&self, side: &str, from: usize) -> Result<()> {
        let mut end = from;
        while read(&self.further(side, end)?)?.is_some() {
            end += 1;
        }
        (from..end).rev().try_for_each(|at| delete(&self.further(side, at)?))
    }
}

fn read(entry: &Entry) -> Result<Option<String>> {
    match entry.get_password() {
        Ok(kept) => Ok(Some(kept)),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(error),
    }
}

fn delete(entry: &Entry) -> Result<()> {
    match entry.delete_credential() {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The side, the number of entries and the beginning of a long value; `None`: the value is short and stands
/// in one entry.
fn parse_header(first: &str) -> Option<(&'static str, usize, &str)> {
    let (head, start) = first.strip_prefix(LONGER)?.split_once('\n')?;
    let (side, count) = head.split_once(' ')?;
    let side = SIDES.into_iter().find(|it| *it == side)?;
    Some((side, count.parse().ok()?, start))
}

/// The first `longest` UTF-16 units at most, and the rest.
fn split(value: &str, longest: usize) -> (&str, &str) {
    let mut units = 0;
    let over = value.char_indices().find(|(_, letter)| {
        units += letter.len_utf16();
        units > longest
    });
    over.and_then(|(at, _)| value.split_at_checked(at)).unwrap_or((value, ""))
}

#[cfg(test)]
mod tests {
    use std::any::Any;
    use std::collections::HashMap;
    use std::sync::Arc;

    use keyring_core::api::{CredentialApi, CredentialStoreApi};
    use keyring_core::{Credential, mock};

    use super::*;

    /// Takes no more than Windows does, and after so many further entries nothing.
    #[derive(Debug)]
    struct Narrow {
        entries: Arc<mock::Store>,
        full: Option<usize>,
    }

    impl CredentialStoreApi for Narrow {
        fn vendor(&self) -> String {
            "tests".into()
        }

        fn id(&self) -> String {
            "narrow".into()
        }

        fn build(
            &self,
            service: &str,
            user: &str,
            modifiers: Option<&HashMap<&str, &str>>,
        ) -> Result<Entry> {
            let entry = self.entries.build(service, user, modifiers)?;
            let is_full = self.full.is_some_and(|full| service.ends_with(&full.to_string()));
            Ok(Entry::new_with_credential(Arc::new(NarrowEntry { entry, is_full })))
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    struct NarrowEntry {
        entry: Entry,
        is_full: bool,
    }

    impl CredentialApi for NarrowEntry {
        fn set_secret(&self, secret: &[u8]) -> Result<()> {
            let units = std::str::from_utf8(secret).unwrap().encode_utf16().count();
            if self.is_full || units * 2 > 2_560 {
                return Err(Error::TooLong("password".into(), 2_560));
            }
            self.entry.set_secret(secret)
        }

        fn get_secret(&self) -> Result<Vec<u8>> {
            self.entry.get_secret()
        }

        fn delete_credential(&self) -> Result<()> {
            self.entry.delete_credential()
        }

        fn get_credential(&self) -> Result<Option<Arc<Credential>>> {
            Ok(None)
        }

        fn get_specifiers(&self) -> Option<(String, String)> {
            self.entry.get_specifiers()
        }

        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    fn narrow() -> Narrow {
        Narrow { entries: mock::Store::new().unwrap(), full: None }
    }

    fn slot(store: &Narrow) -> ChunkedEntry<'_> {
        ChunkedEntry { store, name: "key", chunk_units: 1_200 }
    }

    impl Narrow {
        /// How many entries hold something.
        fn held(&self) -> usize {
            let entries = self.entries.inner.lock().unwrap();
            let entries = entries.borrow();
            entries.iter().filter(|it| it.get_secret().is_ok()).count()
        }
    }

    #[test]
    fn a_value_of_any_length_is_kept_whole_and_nothing_is_left_of_the_one_before() {
        let store = narrow();
        let slot = slot(&store);
        assert_eq!(slot.read().unwrap(), None);
        let of = |letter: &str, units: usize| letter.repeat(units / letter.encode_utf16().count());
        let values =
            [of("x", 5_000), of("y", 3_000), of("😀", 5_000), of("z", 1_200), of("é", 1_201)];
        for (value, entries) in values.iter().zip([5, 3, 5, 1, 2]) {
            slot.write(value).unwrap();
            assert_eq!(slot.read().unwrap().as_ref(), Some(value));
            assert_eq!(store.held(), entries);
        }
        slot.write(&values[0]).unwrap();
        slot.remove().unwrap();
        assert_eq!((slot.read().unwrap(), store.held()), (None, 0));
        slot.remove().unwrap();
    }

    #[test]
    fn where_a_longer_value_does_not_fit_the_one_before_is_still_whole() {
        let mut store = narrow();
        let before = "x".repeat(5_000);
        slot(&store).write(&before).unwrap();
        store.full = Some(3);
        assert!(slot(&store).write(&"y".repeat(5_000)).is_err());
        assert_eq!(slot(&store).read().unwrap(), Some(before));
        store.full = None;
        slot(&store).write("short").unwrap();
        assert_eq!((slot(&store).read().unwrap(), store.held()), (Some("short".to_owned()), 1));
    }

    #[test]
    fn of_a_value_that_lost_a_part_nothing_is_read() {
        let store = narrow();
        let slot = slot(&store);
        slot.write(&"x".repeat(5_000)).unwrap();
        delete(&slot.further("a", 2).unwrap()).unwrap();
        assert_eq!(slot.read().unwrap(), None);
    }
}
