//! Collects evidence of windows from reports, until a window is certain.
//!
//! A server that excludes cached tokens reports less than it read, sometimes just below a usual window size.
//! A window cuts every prompt to the same size, while the error of such a report varies. The evidence is kept
//! in memory only, because a real window shows again.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::model::ModelRef;

/// The smallest difference of two prompts that were cut to one size, as a percentage of the shorter.
const MIN_RATIO: u64 = 125;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WindowSample {
    window: u32,
    /// The size of the prompt that was cut, in tokens.
    sent: u32,
}

/// The latest evidence for each model.
#[derive(Debug, Default)]
pub(crate) struct WindowEvidence(Mutex<HashMap<ModelRef, WindowSample>>);

impl WindowEvidence {
    /// Adds a prompt of `sent` tokens that was cut to `window`. Returns true if the window is certain: a
    /// prompt of another length was cut to the same size before.
    pub fn add_sample(&self, model: &ModelRef, window: u32, sent: u32) -> bool {
        let mut suspected = self.0.lock();
        match suspected.get(model).filter(|before| before.window == window) {
            Some(before) => {
                let (shorter, longer) = (before.sent.min(sent), before.sent.max(sent));
                u64::from(longer) * 100 >= u64::from(shorter) * MIN_RATIO
            }
            None => {
                suspected.insert(model.clone(), WindowSample { window, sent });
                false
            }
        }
    }

    /// Removes the evidence for a window smaller than a prompt that was read whole.
    pub fn refute(&self, model: &ModelRef, read: u32) {
        let mut suspected = self.0.lock();
        if suspected.get(model).is_some_and(|before| read > before.window) {
            suspected.remove(model);
        }
    }

    /// Removes the evidence for a model.
    pub fn forget(&self, model: &ModelRef) {
        self.0.lock().remove(model);
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::ProviderId;

    use super::*;

    fn model(name: &str) -> ModelRef {
        ModelRef { provider: ProviderId("p".into()), model: name.into() }
    }

    #[test]
    fn only_prompts_of_different_lengths_that_were_cut_to_one_size_tell_of_a_window() {
        let (known, it) = (WindowEvidence::default(), model("m"));
        assert!(!known.add_sample(&it, 4_096, 9_000), "one report");
        assert!(!known.add_sample(&it, 4_096, 9_500), "nearly the same prompt");
        assert!(!known.add_sample(&model("other"), 4_096, 20_000), "another model");
        assert!(!known.add_sample(&it, 8_192, 20_000), "another size");
        assert!(!known.add_sample(&it, 4_096, 9_000), "and the first again");
        assert!(known.add_sample(&it, 4_096, 11_250));
    }

    #[test]
    fn what_was_read_beyond_a_window_refutes_it() {
        let (known, it) = (WindowEvidence::default(), model("m"));
        assert!(!known.add_sample(&it, 4_096, 9_000));
        known.refute(&it, 4_096);
        assert!(known.add_sample(&it, 4_096, 20_000), "no more than it was read");
        known.refute(&it, 9_000);
        assert!(!known.add_sample(&it, 4_096, 20_000));
        known.forget(&it);
        assert!(!known.add_sample(&it, 4_096, 40_000));
    }
}
