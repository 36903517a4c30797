//! `cargo xtask run`: from a new machine to the open app window.

use std::process::Command;

use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};
use crate::{build_progress, node, paths, shell};

/// Cargo's profile of a checkout: without link-time optimisation, so that it opens sooner.
const CHECKOUT: &str = "checkout";

/// Cargo's profile of what is packaged and measured.
const RELEASE: &str = "release";

/// Flags for rustc that make a release some 2 MB smaller, for the linker that Rust brings for this target.
///
/// The linker writes identical functions once (`icf`); Rust, too, merges functions without a look at their
/// addresses. With `partial`, rustc calls functions in a way that the linker turns into direct calls, instead of
/// through a table with an address for each; `now` leaves the program as protected as `full` does.
const LINKER_FLAGS: [&str; 3] =
    ["-Clink-arg=-Wl,--icf=all", "-Crelro-level=partial", "-Clink-arg=-Wl,-z,relro,-z,now"];

/// Builds the program and starts it. `arguments` are the program's own, such as a deep link.
pub fn run(arguments: &[String], install: Install) -> TaskResult {
    let headless = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none());
    build(if headless { Need::Headless } else { Need::Build }, build_command(CHECKOUT), install)?;
    // Cargo knows the path of the program.
    let program = ["cargo", "run", "--quiet", "--profile", CHECKOUT, "--package", "skein", "--"];
    let display: &[&str] = if headless {
        println!(
            "There is no display here, so Skein opens on an invisible one (Xvfb). Ctrl+C ends it."
        );
        &["xvfb-run", "--auto-servernum"]
    } else {
        &[]
    };
    shell::run(shell::command(&[display, &program].concat()).args(arguments))
}

/// Builds the release, including the interface.
pub fn build_release(need: Need, install: Install) -> TaskResult {
    build(need, with_release_flags(build_command(RELEASE)), install)
}

/// Gives a command of Cargo that builds a release the flags of this system.
pub fn with_release_flags(mut command: Command) -> Command {
    let mut flags = path_flags();
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        flags.extend(LINKER_FLAGS.map(str::to_owned));
    }
    // Cargo separates the flags in this variable by a character that no path has.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command
}

/// Flags that keep the folders of this machine out of the program, so that two builds of a commit are equal
/// wherever they are made.
fn path_flags() -> Vec<String> {
    let folders = [
        (paths::cargo_home(), "/cargo"),
        (Some(paths::root()), "/skein"),
        (Some(paths::target()), "/skein/target"),
    ];
    let mapped = folders.into_iter().filter_map(|(folder, name)| Some((folder?, name)));
    mapped
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect()
}

fn build_command(profile: &str) -> Command {
    shell::command(&["cargo", "build", "--profile", profile, "--package", "skein"])
}

fn build(need: Need, command: Command, install: Install) -> TaskResult {
    let step = |number: usize, name: &str| println!("\nStep {number} of 4: {name}");
    node::check()?;
    step(1, "the packages of the system");
    system_packages::ensure(need, install)?;
    step(2, "the npm packages of the interface");
    node::install(install)?;
    step(3, "the interface");
    shell::run(&mut node::script("build", &[]))?;
    step(4, "the program");
    build_progress::build(command)
}
