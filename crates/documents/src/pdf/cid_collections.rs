//! The characters of Adobe's collections for Chinese, Japanese and Korean, by character identifier (CID).
//! `data/make.py` makes the tables from Adobe's own; their licence is beside them.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;

/// A character collection (ISO 32000-1, 9.7.3).
pub(super) type CidCollection = &'static LazyLock<Vec<Option<char>>>;

/// The limit of an unpacked table, in bytes.
const MAX_TABLE: u64 = 256 * 1024;

static JAPAN1: LazyLock<Vec<Option<char>>> =
    LazyLock::new(|| unpack(include_bytes!("../../data/adobe-japan1.bin")));
static GB1: LazyLock<Vec<Option<char>>> =
    LazyLock::new(|| unpack(include_bytes!("../../data/adobe-gb1.bin")));
static CNS1: LazyLock<Vec<Option<char>>> =
    LazyLock::new(|| unpack(include_bytes!("../../data/adobe-cns1.bin")));
static KOREA1: LazyLock<Vec<Option<char>>> =
    LazyLock::new(|| unpack(include_bytes!("../../data/adobe-korea1.bin")));

/// The collection with this `Ordering`.
pub(super) fn collection(ordering: &[u8]) -> Option<CidCollection> {
    match ordering {
        b"Japan1" => Some(&JAPAN1),
        b"GB1" => Some(&GB1),
        b"CNS1" => Some(&CNS1),
        b"Korea1" => Some(&KOREA1),
        _ => None,
    }
}

/// The characters of a packed table, by CID. `data/make.py` describes the format.
fn unpack(packed: &[u8]) -> Vec<Option<char>> {
    let mut bytes = Vec::new();
    // The tables are whole: the tests unpack each.
    let _ = ZlibDecoder::new(packed).take(MAX_TABLE).read_to_end(&mut bytes);
    let mut before = 0_u32;
    let numbers = bytes.split_inclusive(|byte| byte & 0x80 == 0);
    let numbers = numbers
        .map(|bytes| bytes.iter().rev().fold(0_u32, |all, byte| all << 7 | u32::from(byte & 0x7f)));
    let character = |number: u32| {
        let number = number.checked_sub(1)?;
        let step = number >> 1;
        before = before.wrapping_add(if number & 1 == 0 { step } else { !step });
        char::from_u32(before)
    };
    numbers.map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_collection_has_its_characters() {
        for (ordering, count, cid, expected) in [
            ("Japan1", 23_060, 1_125, Some('亜')),
            ("Japan1", 23_060, 526, Some('あ')),
            ("Japan1", 23_060, 0, None),
            ("GB1", 30_284, 4_559, Some('中')),
            ("CNS1", 19_179, 595, Some('一')),
            ("Korea1", 18_352, 1_086, Some('가')),
        ] {
            let found = collection(ordering.as_bytes()).unwrap();
            assert_eq!(found.len(), count, "{ordering}");
            assert_eq!(found[cid], expected, "{ordering} {cid}");
            assert!(found.iter().flatten().count() > count * 9 / 10, "{ordering}");
        }
        assert!(collection(b"Identity").is_none());
    }
}
