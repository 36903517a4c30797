//! `cargo xtask run`: from a bare machine to the open window.

use crate::packages::{self, Need};
use crate::{Install, Outcome};
use crate::{node, place, shell};

/// Builds the release and opens it. `arguments` are the program's own, such as a deep link.
pub fn run(arguments: &[String], install: Install) -> Outcome {
    let headless = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none());
    build(if headless { Need::Headless } else { Need::Build }, install)?;
    let program = place::built("release", "skein").to_string_lossy().into_owned();
    let mut words = vec![program.as_str()];
    if headless {
        println!(
            "There is no display here, so Skein opens on an invisible one (Xvfb). Ctrl+C ends it."
        );
        words = vec!["xvfb-run", "--auto-servernum", &program];
    }
    words.extend(arguments.iter().map(String::as_str));
    shell::run(&mut shell::command(&words))
}

/// The release, with the interface inside.
pub fn build(need: Need, install: Install) -> Outcome {
    packages::ensure(need, install)?;
    node::ensure(install)?;
    shell::run(&mut node::script("build", &[]))?;
    shell::run(&mut shell::command(&["cargo", "build", "--release", "--package", "skein"]))
}
