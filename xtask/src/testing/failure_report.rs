//! Collects the failures of tests from the output of their runners, to repeat them at the very end.

/// Lines kept of one failure: its beginning states the expected and actual values.
const LINES: usize = 12;

/// The failures of a run, in order.
#[derive(Default)]
pub struct FailureReport {
    failures: Vec<Failure>,
    /// True while lines belong to the last failure.
    open: bool,
}

struct Failure {
    test: String,
    lines: Vec<String>,
}

impl FailureReport {
    /// Reads a line of output. The output of a failed test follows a heading with its name, and
    /// ends at the next heading or at the list of failed tests.
    pub fn read(&mut self, line: &str) {
        if let Some(test) = heading(line) {
            self.failures.push(Failure { test: test.to_owned(), lines: Vec::new() });
            self.open = true;
        } else if line == "failures:" {
            self.open = false;
        } else if let (true, Some(failure)) = (self.open, self.failures.last_mut())
            && failure.lines.len() < LINES
            && !line.trim().is_empty()
        {
            failure.lines.push(line.to_owned());
        }
    }

    /// Prints the failures, including those of app window tests that passed at the second attempt.
    pub fn print(&self) {
        for Failure { test, lines } in &self.failures {
            println!("\n{test} said:");
            for line in lines {
                println!("    {line}");
            }
        }
    }
}

/// The name in a line such as `---- opening::it_opens stdout ----`.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

#[cfg(test)]
mod tests {
    use super::FailureReport;

    #[test]
    fn what_a_failed_test_printed_is_kept_by_its_name_and_no_other_line_is() {
        let mut report = FailureReport::default();
        let output = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\n\nleft: 1\nright: 2\n\n\
                      ---- b::c stdout ----\ngone\n\nfailures:\n    a\n    b::c\n";
        output.lines().for_each(|line| report.read(line));
        let kept = report.failures.iter().map(|of| (of.test.as_str(), of.lines.join("|")));
        let expected = [("a", "left: 1|right: 2"), ("b::c", "gone")];
        assert_eq!(
            kept.collect::<Vec<_>>(),
            expected.map(|(test, lines)| (test, lines.to_owned()))
        );
    }
}
