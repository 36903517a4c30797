//! FNV-1a, 64 bits: stable over releases, which the standard hasher does not promise.

/// What was added so far.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The length goes first, so that "a" + "bc" is not "ab" + "c".
    pub fn add_labelled(&mut self, label: &str, text: &str) {
        self.add(label.as_bytes());
        self.add(text.len().to_string().as_bytes());
        self.add(text.as_bytes());
    }

    /// As it is stored.
    pub fn to_hex(self) -> String {
        format!("{:016x}", self.0)
    }
}
