//! The developer's tasks. `cargo xtask` alone lists them.
//!
//! It uses only the standard library, so that it builds at once on a machine with nothing but Git,
//! Rust and Node. Tasks that need the product's code are programs of `crates/lab` and get their
//! arguments passed on.

mod bindings;
mod build_progress;
mod cfg_test;
mod code_rules;
mod lab;
mod lines;
mod node;
mod packaging;
mod paths;
mod requirements;
mod run;
mod shell;
mod system_packages;
mod testing;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask <task> [--no-install]

  run                     build Skein for this computer and open it
  package [kind …]        build what is installed: deb, rpm, AppImage; dmg; or nsis, as the system is
  test [--fast|--window [name]|--spoken|--windows|--macos|--packages [folder]]
                          everything there is to check; --fast leaves the window out,
                          --window drives only the window (and only the tests of that name),
                          --spoken the tests of the app window that Orca reads aloud
                          --windows builds the program for Windows and runs its tests under Wine, all but
                          those of the app window
                          --macos checks that everything compiles for macOS
                          --packages installs the deb and the rpm in a new Debian and tests them there
  bindings                write ui/src/ipc/bindings.ts anew from the Rust types
  licences                write ui/src/settings/about/crates.json anew: what the program is made of;
                          and the licence texts that packages bring
  sbom                    write what the program is made of below target/sbom, as CycloneDX
  release-notes <tag>     print what CHANGELOG.md says of the version that a tag names
  sign-updates            sign the packages that were made, with the key in TAURI_SIGNING_PRIVATE_KEY
  update-description <tag> <folder> <address>
                          write latest.json, from which installed programs learn of a version, into the folder of
                          its signed packages
  lines                   how many lines the product, its tests and the UI have
  bench [name|window [--beside-empty]]
                          the benchmarks, with their figures; of the engine, of the app window, or of its
                          start and memory beside an empty window of Tauri's
  catalogue, memory, simulate, interop [arguments]
                          the programs of crates/lab

  fuzz [target] [minutes] run the fuzz targets of `fuzz/`, each for 5 minutes
  crash-test [work] [N…] [--sample COUNT]
                          kill the program, or let the disk fail, at its Nth file operation, and look
                          whether it kept its promises; Linux

  --no-install            say what is missing instead of installing it
";

/// The permission to install missing tools.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Install {
    Allowed,
    Refused,
}

/// The result of a task; the error is a sentence with the reason.
pub type TaskResult<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = arguments.len();
    arguments.retain(|argument| argument != "--no-install");
    let install = if arguments.len() == asked { Install::Allowed } else { Install::Refused };

    match task(&arguments, install) {
        Ok(code) => code,
        Err(words) => {
            eprintln!("\n{words}");
            ExitCode::FAILURE
        }
    }
}

fn task(arguments: &[String], install: Install) -> TaskResult<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        print!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    };
    match name.as_str() {
        "run" => run::run(rest, install),
        "package" => packaging::package::package(rest, install),
        "test" => {
            return Ok(testing::test::test(testing::scope::Scope::from_arguments(rest)?, install));
        }
        "bindings" => bindings::write(install),
        "licences" => packaging::licences::write()
            .and_then(|()| packaging::third_party::write_licence_texts()),
        "sbom" => packaging::third_party::write_sbom(),
        "release-notes" => packaging::release_notes::print(rest),
        "sign-updates" => packaging::updates::sign(install),
        "update-description" => packaging::updates::describe(rest),
        "lines" => lines::print(),
        "bench" => lab::bench(rest, install),
        "catalogue" | "memory" | "interop" => lab::forward(name, rest),
        "simulate" => lab::simulate(rest),
        "fuzz" => testing::fuzz::fuzz(rest),
        "crash-test" => lab::crash_test(rest),
        unknown => Err(format!("There is no task \"{unknown}\".\n\n{USAGE}")),
    }
    .map(|()| ExitCode::SUCCESS)
}
