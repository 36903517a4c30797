//! Counts several words in a text in one pass.

/// The words to count, at most as many as a question has.
pub(crate) struct TermCounter<'a> {
    words: &'a [String],
    /// For each possible first, second and third byte a bit mask of the words that have it there.
    prefix_masks: [[u32; 256]; 3],
}

impl<'a> TermCounter<'a> {
    /// `words` have three bytes or more.
    pub(crate) fn of(words: &'a [String]) -> Self {
        let mut beginnings = [[0; 256]; 3];
        for (bit, word) in words.iter().enumerate() {
            for (with, byte) in beginnings.iter_mut().zip(word.bytes()) {
                if let Some(with) = with.get_mut(usize::from(byte)) {
                    *with |= 1 << bit;
                }
            }
        }
        Self { words, prefix_masks: beginnings }
    }

    /// The occurrences of each word in `text`, without overlap.
    pub(crate) fn count(&self, text: &str) -> Vec<u32> {
        let text = text.as_bytes();
        let mut times = vec![0; self.words.len()];
        let mut free_from = vec![0; self.words.len()];
        for (at, beginning) in text.windows(3).enumerate() {
            let mut bits = self.beginning(beginning);
            while bits != 0 {
                let word = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (Some(letters), Some(times), Some(free_from)) =
                    (self.words.get(word), times.get_mut(word), free_from.get_mut(word))
                else {
                    continue;
                };
                let rest = text.get(at..).unwrap_or_default();
                if at >= *free_from && rest.starts_with(letters.as_bytes()) {
                    *times += 1;
                    *free_from = at + letters.len();
                }
            }
        }
        times
    }

    /// A bit mask of the words that may begin with these bytes.
    fn beginning(&self, bytes: &[u8]) -> u32 {
        let with = self.prefix_masks.iter().zip(bytes);
        with.fold(u32::MAX, |bits, (with, byte)| {
            bits & with.get(usize::from(*byte)).copied().unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_if_each_were_looked_for_alone() {
        let words = ["ana", "anagram", "nan", "港口的", "ab\"", "zzz"].map(str::to_owned);
        for text in
            ["banananana", "an anagram of anagrams", "在港口的港口的船", "ab\"ab\"", "zz", ""]
        {
            let alone = words.iter().map(|word| text.matches(word.as_str()).count());
            let alone: Vec<_> = alone.map(|times| u32::try_from(times).unwrap()).collect();
            assert_eq!(TermCounter::of(&words).count(text), alone, "{text}");
        }
    }
}
