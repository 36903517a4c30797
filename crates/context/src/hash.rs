//! FNV-1a, 64 bits. Unlike the standard hasher it is stable over releases, so that its values can be stored.

/// The hash of no bytes.
pub(crate) const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of the bytes before and this one.
pub(crate) fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The hash of the bytes added so far.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub fn new() -> Self {
        Self(EMPTY)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mix(self.0, *byte);
        }
    }

    /// Adds a label, the length and the text. The length keeps "a" + "bc" different from "ab" + "c".
    pub fn add_labelled(&mut self, label: &str, text: &str) {
        self.add(label.as_bytes());
        self.add(text.len().to_string().as_bytes());
        self.add(text.as_bytes());
    }

    /// The hash as 16 hexadecimal digits, as it is stored.
    pub fn to_hex(self) -> String {
        format!("{:016x}", self.0)
    }
}
