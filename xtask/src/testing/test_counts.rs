//! Counts tests by the output of their runners.

use std::fmt;
use std::ops::AddAssign;

/// Passed and failed tests. A check without tests of its own (the formatter, a linter, a test
/// program that does not compile) counts as nothing if it passes and as one failure if it fails, so
/// that "0 failed" means that all is well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: u32,
    pub failed: u32,
}

impl TestCounts {
    pub const FAILURE: Self = Self { passed: 0, failed: 1 };

    /// Parses the line in which `cargo test` sums up a test program, and the UI's runner
    /// everything: `test result: ok. 12 passed; 0 failed; 1 ignored; …`. Other lines give zero.
    pub fn from_line(line: &str) -> Self {
        let Some((_, counts)) =
            line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return Self::default();
        };
        let count = |word: &str| {
            let count = counts.split("; ").find_map(|part| part.strip_suffix(word));
            count.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
        };
        Self { passed: count("passed"), failed: count("failed") }
    }
}

impl AddAssign for TestCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::TestCounts;

    #[test]
    fn a_summary_line_is_counted_and_no_other_line_is() {
        let check = |line: &str, passed, failed| {
            assert_eq!(TestCounts::from_line(line), TestCounts { passed, failed }, "{line}");
        };
        check("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out", 12, 0);
        check("test result: FAILED. 7 passed; 2 failed; 0 ignored; 0 measured", 7, 2);
        check("test store::tests::nine_passed ... ok", 0, 0);
        check("running 12 tests", 0, 0);
    }
}
