//! Windows that reports told of, until they are sure.
//!
//! A server that leaves out what it had in its cache reports less than it read, and now and then just
//! below a size that windows have. A window cuts every prompt to the same size; what is missing from
//! a report by chance differs. Kept while the program runs: what is so, shows again.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::model::ModelRef;

/// How far the prompts must lie apart that are cut to one size, as a percentage of the shorter.
const APART: u64 = 125;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WindowSample {
    window: u32,
    /// Of the prompt that was cut to it, in tokens.
    sent: u32,
}

/// What is suspected of each model.
#[derive(Debug, Default)]
pub(crate) struct WindowEvidence(Mutex<HashMap<ModelRef, WindowSample>>);

impl WindowEvidence {
    /// A prompt of so many tokens was cut to this window. Whether it is sure by now: another prompt,
    /// of quite another length, was cut to the same.
    pub fn add_sample(&self, model: &ModelRef, window: u32, sent: u32) -> bool {
        let mut suspected = self.0.lock();
        match suspected.get(model).filter(|before| before.window == window) {
            Some(before) => {
                let (shorter, longer) = (before.sent.min(sent), before.sent.max(sent));
                u64::from(longer) * 100 >= u64::from(shorter) * APART
            }
            None => {
                suspected.insert(model.clone(), WindowSample { window, sent });
                false
            }
        }
    }

    /// So much was read of a prompt: no smaller window is suspected any more.
    pub fn refute(&self, model: &ModelRef, read: u32) {
        let mut suspected = self.0.lock();
        if suspected.get(model).is_some_and(|before| read > before.window) {
            suspected.remove(model);
        }
    }

    /// Nothing is suspected of a model any more.
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
