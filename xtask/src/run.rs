//! `cargo xtask run`: from a new machine to the open app window.

use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};
use crate::{node, shell};

/// Builds the release and starts it. `arguments` are the program's own, such as a deep link.
pub fn run(arguments: &[String], install: Install) -> TaskResult {
    let headless = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none());
    build(if headless { Need::Headless } else { Need::Build }, install)?;
    // Cargo knows the path of the program.
    let program = ["cargo", "run", "--quiet", "--release", "--package", "skein", "--"];
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
pub fn build(need: Need, install: Install) -> TaskResult {
    node::check()?;
    system_packages::ensure(need, install)?;
    node::install(install)?;
    shell::run(&mut node::script("build", &[]))?;
    shell::run(&mut shell::command(&["cargo", "build", "--release", "--package", "skein"]))
}
