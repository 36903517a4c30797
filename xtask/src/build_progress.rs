//! How far a build is, in lines that also a log shows: Cargo's own bar appears in a terminal only.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{TaskResult, shell};

/// The time between two lines.
const PERIOD: Duration = Duration::from_secs(20);

/// Runs a command of Cargo that builds the program, and prints a line every 20 seconds.
pub fn build(mut command: Command) -> TaskResult {
    let mut progress = Progress::new(count_packages());
    let messages = "--message-format=json-render-diagnostics";
    shell::read(command.arg(messages), |line| progress.read(line))
}

/// The packages the program is made of and built with; 0 if Cargo does not say.
fn count_packages() -> usize {
    let shape = ["--edges", "normal,build", "--prefix", "none", "--format", "{p}"];
    let words = [&["cargo", "tree", "--package", "skein"], &shape[..]].concat();
    let tree = shell::output_of(&words).unwrap_or_default();
    tree.lines().map(|line| line.trim_end_matches(" (*)")).collect::<BTreeSet<_>>().len()
}

/// The packages that are compiled.
struct Progress {
    compiled: BTreeSet<String>,
    all: usize,
    begun: Instant,
    said: Instant,
}

impl Progress {
    fn new(all: usize) -> Self {
        let now = Instant::now();
        Self { compiled: BTreeSet::new(), all, begun: now, said: now }
    }

    fn read(&mut self, message: &str) {
        let Some(package) = compiled_package(message) else { return };
        self.compiled.insert(package.to_owned());
        if self.said.elapsed() >= PERIOD {
            self.said = Instant::now();
            println!("{}", progress_line(self.compiled.len(), self.all, self.begun.elapsed()));
        }
    }
}

/// The package of a message of Cargo that says that one is compiled. Its build script is only a part of it.
fn compiled_package(message: &str) -> Option<&str> {
    let is_package = message.contains(r#""reason":"compiler-artifact""#)
        && !message.contains(r#""kind":["custom-build"]"#);
    let (_, rest) = message.split_once(r#""package_id":""#).filter(|_| is_package)?;
    rest.split('"').next()
}

fn progress_line(compiled: usize, all: usize, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let of = if all >= compiled { format!(" of {all}") } else { String::new() };
    format!("  compiled {compiled}{of} packages in {} min {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::{compiled_package, progress_line};
    use std::time::Duration;

    #[test]
    fn a_compiled_package_is_counted_once_and_its_build_script_not_at_all() {
        let message = |reason: &str, kind: &str| {
            format!(
                r#"{{"reason":"{reason}","package_id":"a#1.0","target":{{"kind":["{kind}"]}}}}"#
            )
        };
        assert_eq!(compiled_package(&message("compiler-artifact", "lib")), Some("a#1.0"));
        assert_eq!(compiled_package(&message("compiler-artifact", "custom-build")), None);
        assert_eq!(compiled_package(&message("build-script-executed", "lib")), None);
        assert_eq!(compiled_package("Skein"), None);
    }

    #[test]
    fn the_line_leaves_out_a_total_that_is_wrong() {
        let elapsed = Duration::from_secs(65);
        assert_eq!(progress_line(7, 9, elapsed), "  compiled 7 of 9 packages in 1 min 05 s");
        assert_eq!(progress_line(7, 0, elapsed), "  compiled 7 packages in 1 min 05 s");
    }
}
