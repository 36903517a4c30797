//! The developer's errands. `cargo xtask` alone lists them.
//!
//! std only, so that it starts at once on a machine with nothing but Git, Rust and Node.
//! Not here: anything that needs the product's own code. That lives in `crates/lab`, and the
//! errands that run it only pass their arguments on.

mod bindings;
mod driver;
mod floors;
mod lab;
mod licences;
mod mcp;
mod node;
mod package;
mod packages;
mod place;
mod reasons;
mod requirements;
mod run;
mod shell;
mod tally;
mod test;

use std::process::ExitCode;

const WORDS: &str = "\
cargo xtask <errand> [--no-install]

  run                     build Skein in release and open it
  package [kind …]        build what is installed: deb, rpm, AppImage; dmg; or nsis, as the system is
  test [--fast|--window [name]]
                          everything there is to check; --fast leaves the window out,
                          --window drives only the window (and only the tests of that name)
  bindings                write ui/src/ipc/bindings.ts anew from the Rust types
  licences                write ui/src/settings/about/crates.json anew: what the program is made of
  bench [name|window]     the benchmarks, with their figures; of the engine, or of the window
  catalogue, memory, simulate, interop [arguments]
                          the programs of crates/lab

  --no-install            say what is missing instead of installing it
";

/// Whether an errand may install what it finds missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Install {
    Allowed,
    Refused,
}

/// An errand either did what it was asked, or says in words why not.
pub type Outcome<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = arguments.len();
    arguments.retain(|argument| argument != "--no-install");
    let install = if arguments.len() == asked { Install::Allowed } else { Install::Refused };

    match errand(&arguments, install) {
        Ok(code) => code,
        Err(words) => {
            eprintln!("\n{words}");
            ExitCode::FAILURE
        }
    }
}

fn errand(arguments: &[String], install: Install) -> Outcome<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        print!("{WORDS}");
        return Ok(ExitCode::SUCCESS);
    };
    match name.as_str() {
        "run" => run::run(rest, install).map(|()| ExitCode::SUCCESS),
        "package" => package::package(rest, install).map(|()| ExitCode::SUCCESS),
        "test" => Ok(test::test(test::Scope::from_arguments(rest)?, install)),
        "bindings" => bindings::write(install).map(|()| ExitCode::SUCCESS),
        "licences" => licences::write().map(|()| ExitCode::SUCCESS),
        "bench" => lab::bench(rest, install).map(|()| ExitCode::SUCCESS),
        "catalogue" | "memory" | "simulate" | "interop" => {
            lab::forward(name, rest).map(|()| ExitCode::SUCCESS)
        }
        unknown => Err(format!("There is no errand \"{unknown}\".\n\n{WORDS}")),
    }
}
