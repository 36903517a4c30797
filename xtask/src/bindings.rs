//! `cargo xtask bindings`: the TypeScript face of the Rust types.

use crate::shell;
use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};

/// Writes `ui/src/ipc/bindings.ts`. The same test that fails when the file is out of date writes
/// it when asked to, so there is one way to make it.
pub fn write(install: Install) -> TaskResult {
    system_packages::ensure(Need::Build, install)?;
    let words = ["cargo", "test", "--workspace", "--test", "bindings", "--quiet"];
    shell::run(shell::command(&words).env("SKEIN_WRITE_BINDINGS", "1"))
}
