//! `cargo xtask run`: from a new machine to the open app window.

use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};
use crate::{build_progress, node, shell};

/// Cargo's profile of a checkout: without link-time optimisation, so that it opens sooner.
const CHECKOUT: &str = "checkout";

/// Cargo's profile of what is packaged and measured.
const RELEASE: &str = "release";

/// Builds the program and starts it. `arguments` are the program's own, such as a deep link.
pub fn run(arguments: &[String], install: Install) -> TaskResult {
    let headless = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none());
    build(if headless { Need::Headless } else { Need::Build }, CHECKOUT, install)?;
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
    build(need, RELEASE, install)
}

fn build(need: Need, profile: &str, install: Install) -> TaskResult {
    let step = |number: usize, name: &str| println!("\nStep {number} of 4: {name}");
    node::check()?;
    step(1, "the packages of the system");
    system_packages::ensure(need, install)?;
    step(2, "the npm packages of the interface");
    node::install(install)?;
    step(3, "the interface");
    shell::run(&mut node::script("build", &[]))?;
    step(4, "the program");
    build_progress::build(profile)
}
