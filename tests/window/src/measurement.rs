//! The memory of a running program, for benchmarks, and what assistive programs see of it.

use std::fs;

use crate::accessibility_tree::{self, Accessible};
use crate::skein::Skein;

impl Skein {
    /// The private memory of the program and its page, in bytes: without shared libraries.
    pub fn memory(&self) -> u64 {
        let of = |id: &u32| {
            let maps = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
            let private = maps.lines().filter(|line| line.starts_with("Private_"));
            let kibibytes =
                private.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
            1_024 * kibibytes.sum::<u64>()
        };
        let name = |id: &u32| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
        let is_ours = |id: &u32| ["skein", "WebKitWebProces"].contains(&name(id).trim());
        self.environment().processes().iter().filter(|id| is_ours(id)).map(of).sum()
    }

    /// The shown elements as assistive programs see them: only for [`crate::Setup::read_aloud`].
    pub fn accessibility_tree(&self) -> Vec<Accessible> {
        accessibility_tree::read(self.environment())
    }
}
