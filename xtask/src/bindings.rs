//! `cargo xtask bindings`: the TypeScript types of the interface.

use crate::shell;
use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};

/// Writes `ui/src/ipc/bindings.ts`. The test that fails if the file is outdated writes it on
/// request.
pub fn write(install: Install) -> TaskResult {
    system_packages::ensure(Need::Build, install)?;
    let words = ["cargo", "test", "--workspace", "--test", "bindings", "--quiet"];
    shell::run(shell::command(&words).env("SKEIN_WRITE_BINDINGS", "1"))
}
