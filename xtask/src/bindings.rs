//! `cargo xtask bindings`: the TypeScript face of the Rust types.

use crate::packages::{self, Need};
use crate::shell;
use crate::{Install, Outcome};

/// Writes `ui/src/ipc/bindings.ts`. The same test that fails when the file is out of date writes
/// it when asked to, so there is one way to make it.
pub fn write(install: Install) -> Outcome {
    packages::ensure(Need::Build, install)?;
    let words = ["cargo", "test", "--workspace", "--test", "bindings", "--quiet"];
    shell::run(shell::command(&words).env("SKEIN_WRITE_BINDINGS", "1"))
}
