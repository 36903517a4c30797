//! How much an anchor is worth: what it holds, who said it, how rare it is, how it was said.

use super::collect::{Found, Lasting};
use super::cues::Cues;
use super::words::{Keyed, Keys, stem};
use super::{AnchorKind, Voice};

/// Words that say that a sentence without a value is meant to last.
const LASTING: Cues = Cues::DEMAND.with(Cues::WISH).with(Cues::DECISION).with(Cues::LEANING);
/// How particular a sentence without them must be to be more than talk.
const PARTICULAR: f32 = 0.6;

/// What talk of themselves is worth without a value: less than what a tool said exactly.
const SPOKEN: f32 = 25.0;

/// How much of that must be in common with an earlier wish for a sentence to be about the same.
const REPEATED: f32 = 1.2;

/// Weighs every anchor, and takes out those that only repeat.
pub(super) fn rank(found: &mut Vec<Found<'_>>) -> Commons {
    let commons = Commons::of(found);
    for anchor in found.iter_mut() {
        anchor.weight = weight(anchor, &commons);
    }
    let mut wished: Keys = Keys::default();
    found.retain(|anchor| {
        let lasts = anchor.cues.any(LASTING) || !anchor.values.is_empty();
        let again = anchor.lasting == Lasting::Again;
        let passing = if again {
            !commons.repeats(anchor, &wished)
        } else {
            !lasts && commons.particular(anchor) < PARTICULAR
        };
        if anchor.cues.any(LASTING)
            && matches!(anchor.kind, AnchorKind::Constraint | AnchorKind::Decision)
        {
            wished.extend(&anchor.subject);
        }
        !passing
    });
    repeat(found);
    commons
}

/// How common things are: in how many anchors each value and each subject's word is found.
pub(super) struct Commons {
    values: Keyed<u32>,
    words: Keyed<u32>,
    anchors: u32,
}

impl Commons {
    fn of(found: &[Found<'_>]) -> Self {
        let mut commons = Self { values: Keyed::default(), words: Keyed::default(), anchors: 0 };
        for anchor in found {
            for (_, value) in &anchor.values {
                *commons.values.entry(stem(value)).or_default() += 1;
            }
            if anchor.voice != Voice::Material {
                commons.anchors += 1;
                for word in &anchor.subject {
                    *commons.words.entry(*word).or_default() += 1;
                }
            }
        }
        commons
    }

    /// How often the rarest value is found: 1 and above.
    fn value(&self, anchor: &Found<'_>) -> f32 {
        let counts = anchor.values.iter().filter_map(|(_, value)| self.values.get(&stem(value)));
        counts.min().map_or(1.0, |count| *count as f32)
    }

    /// How far a subject's word is from being everywhere, 0 to 1.
    pub fn rarity(&self, word: u64) -> f32 {
        let all = (self.anchors.max(2) as f32).ln();
        let count = self.words.get(&word).copied().unwrap_or(1).max(1);
        (1.0 - (count as f32).ln() / all).clamp(0.0, 1.0)
    }

    /// Whether a subject has something particular in common with what has been wished for.
    fn repeats(&self, anchor: &Found<'_>, wished: &Keys) -> bool {
        let shared = anchor.subject.iter().filter(|word| wished.contains(word));
        shared.map(|word| self.rarity(*word).powi(2)).sum::<f32>() >= REPEATED
    }

    /// How particular the subject is, 0 to 1: the mean over its two rarest words of how far each is
    /// from being everywhere (inverse document frequency, in logarithms).
    fn particular(&self, anchor: &Found<'_>) -> f32 {
        let mut rarest: Vec<f32> = anchor.subject.iter().map(|word| self.rarity(*word)).collect();
        rarest.sort_by(|a, b| b.total_cmp(a));
        let (sum, count) = rarest.iter().take(2).fold((0.0, 0.0), |(s, n), r| (s + r, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

fn weight(anchor: &Found<'_>, commons: &Commons) -> u32 {
    let own = match anchor.kind {
        AnchorKind::Constraint | AnchorKind::Decision => match anchor.lasting {
            Lasting::Surely => worth(anchor.kind, anchor.text),
            Lasting::Perhaps | Lasting::Again => 45.0,
            Lasting::Spoken => SPOKEN,
        },
        kind => worth(kind, anchor.text),
    };
    let best = anchor.values.iter().map(|(kind, value)| worth(*kind, value)).fold(own, f32::max);
    let voice = match anchor.voice {
        Voice::Person => 1.4,
        Voice::Model => 1.1,
        Voice::Material if anchor.kind == AnchorKind::Error => 0.9,
        Voice::Material => 0.4,
    };
    let crowd = anchor.crowd.max(1) as f32;
    let crowd = if anchor.voice == Voice::Material { crowd.sqrt() } else { crowd.powf(0.2) };
    let common = (commons.value(anchor) / 2.0).max(1.0).sqrt();
    let told = [
        (Cues::URGE, 1.2),
        (Cues::DOUBT, 0.45),
        (Cues::CHANGE, 1.15),
        (Cues::DECISION.with(Cues::DEMAND), 1.2),
    ];
    let told = told.iter().filter(|(cue, _)| anchor.cues.any(*cue)).map(|(_, factor)| factor);
    let asked = if anchor.question { 0.4 } else { 1.0 };
    let said = match anchor.subject.len() {
        0 => 0.5,
        1 => 0.8,
        _ => 1.0,
    };
    let particular = 0.3 + 1.2 * commons.particular(anchor);
    // Two short facts are worth more than a long one; but a value is not the worse for its length.
    let values: usize = anchor.values.iter().map(|(_, value)| value.len()).sum();
    let length = anchor.text.len().saturating_sub(values / 2) as f32;
    let length = (120.0 / (60.0 + length)).sqrt();
    let shown = best * voice * told.product::<f32>() * asked * said * particular * length;
    (shown * 100.0 / (crowd * common)) as u32
}

/// What a value is worth by itself: the more specific, the more.
fn worth(kind: AnchorKind, value: &str) -> f32 {
    match kind {
        AnchorKind::Constraint | AnchorKind::Decision => 80.0,
        AnchorKind::Error | AnchorKind::CodeLocation => 75.0,
        AnchorKind::Identifier | AnchorKind::Hash => 70.0,
        AnchorKind::Path | AnchorKind::Version => 70.0,
        AnchorKind::Url | AnchorKind::Date => 60.0,
        AnchorKind::Number => number_worth(value),
        // A quotation with digits is a message or a code more often than a figure of speech.
        AnchorKind::Quote if value.bytes().any(|byte| byte.is_ascii_digit()) => 65.0,
        AnchorKind::Quote => 45.0,
        AnchorKind::Symbol => 40.0,
        AnchorKind::Name if value.contains(' ') || !value.is_ascii() => 60.0,
        AnchorKind::Name => 35.0,
    }
}

/// A number is worth more with a unit, and the more digits it has.
fn number_worth(value: &str) -> f32 {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let unit = value.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '$' | '€' | '£' | '¥'));
    match (unit, digits) {
        (true, _) => 70.0,
        (false, 0 | 1) => 25.0,
        (false, 2) => 45.0,
        (false, _) => 58.0,
    }
}

/// Takes out the same words said again, and lowers a clause whose every value is in a better one.
fn repeat(found: &mut Vec<Found<'_>>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| {
        std::cmp::Reverse(found.get(*index).map_or(0, |anchor| anchor.weight))
    });
    let mut texts: Keys = Keys::default();
    let mut shown: Keys = Keys::default();
    for index in order {
        let Some(anchor) = found.get_mut(index) else { continue };
        if !texts.insert(stem(anchor.text)) {
            anchor.weight = 0;
            continue;
        }
        let own = |kind: &AnchorKind| {
            !matches!(
                kind,
                AnchorKind::Number | AnchorKind::Date | AnchorKind::Version | AnchorKind::Quote
            )
        };
        let lasting = matches!(anchor.kind, AnchorKind::Constraint | AnchorKind::Decision);
        let mut fresh = lasting || anchor.values.is_empty();
        for (kind, value) in &anchor.values {
            fresh |= !own(kind) || shown.insert(stem(value));
        }
        if !fresh {
            anchor.weight /= 3;
        }
    }
    found.retain(|anchor| anchor.weight > 0);
}
