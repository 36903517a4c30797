//! Errands that need the product's own code: the programs of `crates/lab` and the benchmarks.

use crate::Outcome;
use crate::shell;

/// Runs a program of the lab with the given arguments. In release: each of them counts and
/// compacts far more than a person ever would.
pub fn forward(program: &str, arguments: &[String]) -> Outcome {
    let words = ["cargo", "run", "--release", "--package", "skein-lab", "--bin", program, "--"];
    shell::run(shell::command(&words).args(arguments))
}

/// All benchmarks, or those whose name contains the given word.
pub fn bench(arguments: &[String]) -> Outcome {
    let words = ["cargo", "bench", "--workspace", "--exclude", "skein", "--bench", "*", "--"];
    shell::run(shell::command(&words).args(arguments))
}
