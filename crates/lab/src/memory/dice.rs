//! Chance that comes out the same on every machine: SplitMix64, and texts made from patterns.

/// A seeded source of numbers.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The same seed, the same rolls.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number under `limit`; 0 when `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// Whether something happens that happens so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the texts; empty when there are none.
    pub fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts.get(self.below(texts.len())).copied().unwrap_or_default()
    }

    /// Mixes the order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Fills a pattern: `{d}` digit, `{D}` digit above zero, `{h}` hexadecimal digit, `{A}` capital
    /// letter; any other `{name}` is a word of the list of that name.
    pub fn fill(&mut self, pattern: &str, lists: &[(&str, &[&str])]) -> String {
        let mut text = String::with_capacity(pattern.len() * 2);
        let mut rest = pattern;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, slot)| Some((before, slot.split_once('}')?)))
        {
            text.push_str(before);
            match name {
                "d" => text.push_str(&self.below(10).to_string()),
                "D" => text.push_str(&(1 + self.below(9)).to_string()),
                "h" => text.push_str(self.pick(&HEX)),
                "A" => text.push_str(self.pick(&CAPITALS)),
                _ => match lists.iter().find(|(list, _)| *list == name) {
                    Some((_, words)) => text.push_str(self.pick(words)),
                    None => text.extend(["{", name, "}"]),
                },
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

const HEX: [&str; 16] =
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];
const CAPITALS: [&str; 20] = [
    "A", "B", "C", "D", "E", "F", "G", "H", "K", "L", "M", "N", "P", "R", "S", "T", "V", "W", "X",
    "Z",
];
