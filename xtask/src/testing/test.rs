//! `cargo xtask test`: runs all checks and prints a total.
//!
//! Every call of Cargo names the whole workspace, because the selected packages decide the features
//! of dependencies: a narrower choice would compile Tauri twice.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

use super::cargo_tool::{CARGO_DENY, TAURI_DRIVER};
use super::failure_report::FailureReport;
use super::scope::Scope;
use super::test_counts::TestCounts;
use super::{macos, mcp_test_servers, packages, windows, windows_installer};
use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};
use crate::{node, paths, shell};

/// The limit of failed app window tests that are run a second time. More failures are not
/// accidental.
const SECOND_TRIES: usize = 6;

/// Runs the checks. The total is the last line.
pub fn test(scope: Scope, install: Install) -> ExitCode {
    let mut bench = Bench::default();
    if let Err(words) = bench.everything(&scope, install) {
        bench.total += TestCounts::FAILURE;
        bench.broken.push(words);
    }
    bench.report.print();
    println!();
    for name in &bench.unsteady {
        println!("↻ {name} held at the second try only");
    }
    for words in &bench.broken {
        println!("✗ {words}");
    }
    println!("{}", bench.total);
    if bench.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The results so far.
#[derive(Default)]
struct Bench {
    total: TestCounts,
    broken: Vec<String>,
    unsteady: Vec<String>,
    report: FailureReport,
}

impl Bench {
    /// # Errors
    /// Only a problem that prevents all further steps; a failed check does not.
    fn everything(&mut self, scope: &Scope, install: Install) -> TaskResult {
        let started = Instant::now();
        if self.on_demand(scope, install)? {
            println!("\nTook {} s.", started.elapsed().as_secs());
            return Ok(());
        }
        let window = scope.drives_the_window();
        node::check()?;
        let need = match scope {
            Scope::Spoken => Need::SpokenTests,
            _ if window => Need::WindowTests,
            _ => Need::Tests,
        };
        system_packages::ensure(need, install)?;
        rust_tools(install)?;
        node::install(install)?;
        let driver = if window { Some(TAURI_DRIVER.ensure(install)?) } else { None };

        // The interface is compiled into the program, so it is built first.
        say("Interface: build");
        shell::run(&mut node::script("build", &[]))?;
        match scope {
            Scope::All | Scope::Fast => {
                self.interface();
                say("Rust: the MCP servers it is tested with");
                self.count(TestCounts::default(), mcp_test_servers::ensure(install));
                self.rust(install);
            }
            Scope::Windows | Scope::Macos | Scope::Packages { .. } => {}
            Scope::Window { .. } | Scope::Spoken => {
                mcp_test_servers::ensure(install)?;
                say("Window: the program and its MCP server");
                // Each is built for the tests of its own package; any of them will do.
                let tests = ["--test", "bindings", "--test", "secrets"];
                let words = [&["cargo", "test", "--workspace", "--no-run"], &tests[..]].concat();
                shell::run(&mut shell::command(&words))?;
            }
        }
        match driver {
            Some(driver) => self.window(scope, &driver),
            None => println!("\nThe window itself is left out."),
        }
        println!("\nTook {} s.", started.elapsed().as_secs());
        Ok(())
    }

    /// The scopes that build for another system or need a built package. Returns false for the others.
    fn on_demand(&mut self, scope: &Scope, install: Install) -> TaskResult<bool> {
        match scope {
            Scope::Windows => {
                let mut tests = windows::tests()?;
                say("Windows: the hooks of the setup program");
                self.count(TestCounts::default(), windows_installer::check());
                say("Rust: tests for Windows, under Wine");
                self.tests(&mut tests);
            }
            Scope::Macos => {
                say("Rust: compiled for macOS");
                self.check(&mut macos::check(lints(&rustc_version()), install)?);
            }
            Scope::Packages { folder } => {
                say("Packages: the system to install them in");
                let mut tests = packages::tests(folder.as_deref(), install)?;
                say("Packages: tests");
                self.tests(&mut tests);
            }
            Scope::All | Scope::Fast | Scope::Window { .. } | Scope::Spoken => return Ok(false),
        }
        Ok(true)
    }

    fn interface(&mut self) {
        say("Interface: format");
        self.check(&mut node::script("format:check", &[]));
        say("Interface: types");
        self.check(&mut node::script("typecheck", &[]));
        say("Interface: lint");
        self.check(&mut node::script("lint", &[]));
        say("Interface: tests");
        self.tests(&mut node::script("test", &[]));
    }

    fn rust(&mut self, install: Install) {
        say("Rust: licences, sources and versions of libraries");
        let checked = check_libraries(install);
        self.count(TestCounts::default(), checked);
        say("Rust: format");
        self.check(&mut shell::command(&["cargo", "fmt", "--all", "--check"]));
        say("Rust: lint");
        let lints = lints(&rustc_version());
        self.check(&mut cargo(&["clippy", "--workspace", "--all-targets"], lints));
        say("Rust: tests");
        self.tests(&mut cargo(&["test", "--workspace", "--no-fail-fast"], &[]));
        if cfg!(target_os = "linux") {
            say("Rust: keychain");
            self.keychain();
        }
    }

    /// One test needs an unlocked keychain. It gets a session bus and a keychain of its own.
    fn keychain(&mut self) {
        let session = ["dbus-run-session", "--", "sh", "xtask/keychain.sh"];
        let test = ["cargo", "test", "--workspace", "--test", "secrets", "--", "--ignored"];
        let name = ["--exact", "a_key_is_kept_in_the_keychain_where_there_is_one"];
        let mut command = shell::command(&[&session[..], &test, &name].concat());
        self.tests(command.env("XDG_DATA_HOME", paths::target().join("keychain")));
    }

    /// The webview's driver sometimes loses a key or a click on a busy machine, so failed tests are
    /// repeated once, and reported.
    fn window(&mut self, scope: &Scope, driver: &Path) {
        say("Window: tests");
        let chosen: &[&str] = match scope {
            Scope::Window { name: Some(name) } => &[name],
            Scope::Spoken => &["--ignored", "spoken"],
            _ => &[],
        };
        let (counted, failed, outcome) = self.drive(driver, chosen);
        // A run that crashes prints no total, so its remaining tests cannot be repeated.
        let ended = usize::try_from(counted.failed).is_ok_and(|count| count == failed.len());
        if failed.is_empty() || failed.len() > SECOND_TRIES || !ended {
            return self.count(counted, outcome);
        }
        say("Window: a second try");
        let ignored: &[&str] = if matches!(scope, Scope::Spoken) { &["--ignored"] } else { &[] };
        let names: Vec<&str> = failed.iter().map(String::as_str).collect();
        let (again, still, outcome) =
            self.drive(driver, &[ignored, &["--exact"], &names[..]].concat());
        self.count(
            TestCounts { passed: counted.passed + again.passed, failed: again.failed },
            outcome,
        );
        self.unsteady.extend(failed.into_iter().filter(|name| !still.contains(name)));
    }

    /// Runs app window tests. Returns the counts, the names of failed tests, and the result.
    fn drive(&mut self, driver: &Path, chosen: &[&str]) -> (TestCounts, Vec<String>, TaskResult) {
        // One window at a time: two cores draw two windows more slowly.
        let words = [&["--test-threads=1"], chosen].concat();
        let mut tests = cargo(&["test", "--workspace", "--test", "window"], &words);
        let (mut counted, mut failed) = (TestCounts::default(), Vec::new());
        let outcome = shell::watch(tests.env("TAURI_DRIVER", driver), |line| {
            counted += TestCounts::from_line(line);
            failed.extend(failed_test(line).map(str::to_owned));
            self.report.read(line);
        });
        (counted, failed, outcome.and_then(|()| ran_any(counted)))
    }

    /// Runs tests whose output has Cargo's format.
    fn tests(&mut self, command: &mut Command) {
        let mut counted = TestCounts::default();
        let outcome = shell::watch(command, |line| {
            counted += TestCounts::from_line(line);
            self.unsteady.extend(line.strip_prefix("↻ ").map(str::to_owned));
            self.report.read(line);
        });
        self.count_tests(counted, outcome);
    }

    fn check(&mut self, command: &mut Command) {
        let outcome = shell::run(command);
        self.count(TestCounts::default(), outcome);
    }

    fn count_tests(&mut self, counted: TestCounts, outcome: TaskResult) {
        self.count(counted, outcome.and_then(|()| ran_any(counted)));
    }

    /// Adds the counts. A run that failed without a failed test counts as a failure.
    fn count(&mut self, counted: TestCounts, outcome: TaskResult) {
        self.total += counted;
        if let Err(words) = outcome {
            if counted.failed == 0 {
                self.total += TestCounts::FAILURE;
            }
            self.broken.push(words);
        }
    }
}

/// A name filter without a matching test proves nothing, and neither does a lost report.
fn ran_any(counted: TestCounts) -> TaskResult {
    if counted == TestCounts::default() { Err("No test has run.".into()) } else { Ok(()) }
}

fn rustc_version() -> String {
    shell::output_of(&["rustc", "--version"]).unwrap_or_default()
}

/// Clippy's arguments beside the manifest. A version newer than the manifest's has new lints, which
/// must not fail unchanged files.
fn lints(rustc: &str) -> &'static [&'static str] {
    let declared = env!("CARGO_PKG_RUST_VERSION");
    let rest = rustc.strip_prefix("rustc ").and_then(|rest| rest.strip_prefix(declared));
    if rest.is_some_and(|rest| rest.starts_with('.')) {
        &["--deny", "warnings"]
    } else {
        &["--warn", "clippy::all"]
    }
}

/// The name in a line such as `test opening::it_opens ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

fn cargo(words: &[&str], own: &[&str]) -> Command {
    let mut command = shell::command(&["cargo"]);
    // A backtrace hides the line with the expected value.
    command.args(words).arg("--").args(own).env("RUST_BACKTRACE", "0");
    command
}

/// Checks the libraries by `deny.toml`. An entry there that is no longer needed is an error, too.
fn check_libraries(install: Install) -> TaskResult {
    let deny = CARGO_DENY.ensure(install)?.to_string_lossy().into_owned();
    let checks = ["bans", "licenses", "sources"];
    let words = [&deny, "--locked", "check", "--hide-inclusion-graph", "--deny", "warnings"];
    shell::run(&mut shell::command(&[&words[..], &checks].concat()))
}

fn rust_tools(install: Install) -> TaskResult {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if shell::output_of(&["cargo", tool, "--version"]).is_some() {
            continue;
        }
        if install == Install::Refused {
            return Err(format!("{component} is missing. Run: rustup component add {component}"));
        }
        shell::run(&mut shell::command(&["rustup", "component", "add", component]))?;
    }
    Ok(())
}

fn say(step: &str) {
    println!("\n── {step}");
}

#[cfg(test)]
mod tests {
    use super::{Bench, TestCounts, failed_test, lints};

    #[test]
    fn a_failed_test_is_told_by_its_line() {
        assert_eq!(failed_test("test opening::it_opens ... FAILED"), Some("opening::it_opens"));
        assert_eq!(failed_test("test opening::it_opens ... ok"), None);
        assert_eq!(failed_test("test result: FAILED. 7 passed; 2 failed"), None);
    }

    #[test]
    fn a_run_without_a_test_is_a_failure() {
        let mut bench = Bench::default();
        bench.count_tests(TestCounts::default(), Ok(()));
        bench.count_tests(TestCounts { passed: 1, failed: 0 }, Ok(()));
        assert_eq!(bench.total, TestCounts { passed: 1, failed: 1 });
        assert_eq!(bench.broken, ["No test has run."]);
    }

    #[test]
    fn a_newer_rust_than_the_manifest_names_fails_no_check_by_what_it_warns_of_since() {
        let declared = env!("CARGO_PKG_RUST_VERSION");
        let strict = lints(&format!("rustc {declared}.3 (59807616e 2026-04-14)"));
        assert_eq!(strict, ["--deny", "warnings"]);
        for newer in ["rustc 1.950.0", "rustc 2.0.0", "rustc 1.99.0-nightly", ""] {
            assert_eq!(lints(newer), ["--warn", "clippy::all"], "{newer}");
        }
    }

    #[test]
    fn a_run_that_fails_without_a_failed_test_still_counts_as_a_failure() {
        let mut bench = Bench::default();
        bench.count(TestCounts { passed: 3, failed: 0 }, Ok(()));
        bench.count(TestCounts { passed: 2, failed: 1 }, Err("a test failed".into()));
        bench.count(TestCounts::default(), Err("did not compile".into()));
        assert_eq!(bench.total, TestCounts { passed: 5, failed: 2 });
        assert_eq!(bench.broken, ["a test failed", "did not compile"]);
    }
}
