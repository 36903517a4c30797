//! `cargo xtask memory [FILE…] [--write | --before]`: measures which facts of fact sets survive
//! compaction, and prints a table for each set. Without a file it takes all of `crates/lab/data`.
//!
//! `--write` puts the tables of the measured sets into `docs/measured.md` and `README.md`; `--before`
//! stores the figures as the baseline of later ones. The findings of each conversation, with its facts, are
//! in `target/memory`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs, io};

use skein_lab::memory::measure::{LENGTHS, Measured, Setting, measure};
use skein_lab::memory::report::{overview, table};
use skein_lab::memory::set::FactSet;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const DATA: &str = "crates/lab/data";
const BEFORE: &str = "crates/lab/data/before.json";
const FINDINGS: &str = "target/memory";
/// The number of conversations measured at the same time.
const AT_ONCE: usize = 3;
/// Sets of this name were written by somebody who had not seen the code.
const BLIND: &str = "blind";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[String]) -> io::Result<()> {
    let (options, files): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    let is_wanted = |option: &str| options.iter().any(|given| *given == option);
    let files = match files.as_slice() {
        [] => all_sets()?,
        files => files.iter().map(PathBuf::from).collect(),
    };
    let sets: Vec<FactSet> =
        files.iter().map(|file| FactSet::read(file)).collect::<io::Result<_>>()?;
    let now = all(settings(&sets)).await?;
    note_findings(&now)?;
    if is_wanted("--before") {
        return keep_before(now);
    }
    let before = before()?;
    for set in &sets {
        println!(
            "{}\n\n{}",
            set.name,
            table(&of_set(&now, &set.name), &of_set(&before, &set.name))
        );
    }
    if is_wanted("--write") {
        let names = sets.iter().map(|set| set.name.as_str());
        let tables = names.map(|name| {
            format!("**{name}**\n\n{}", table(&of_set(&now, name), &of_set(&before, name)))
        });
        put("docs/measured.md", &tables.collect::<Vec<_>>().join("\n"))?;
        let blind = sets.iter().map(|set| set.name.as_str()).filter(|it| it.starts_with(BLIND));
        let blind: Vec<_> = blind.map(|name| (name, of_set(&now, name))).collect();
        put("README.md", &overview(&blind))?;
    }
    Ok(())
}

fn all_sets() -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(DATA)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    files.retain(|file| {
        file.extension().is_some_and(|it| it == "json") && file != Path::new(BEFORE)
    });
    files.sort();
    Ok(files)
}

fn settings(sets: &[FactSet]) -> Vec<Setting> {
    let languages = sets.iter().flat_map(|set| set.languages.iter().map(move |it| (set, it)));
    let mut settings = Vec::new();
    for (set, language) in languages {
        for tokens in LENGTHS {
            for lower in [false, true] {
                let language = if lower { language.lowered() } else { language.clone() };
                settings.push(Setting { set: set.name.clone(), language, lower, tokens });
            }
        }
    }
    // The longest first, because they take longest.
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.tokens));
    settings
}

/// Measures all settings, a few at a time, and sorts the results.
async fn all(settings: Vec<Setting>) -> io::Result<Vec<Measured>> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    for setting in settings {
        let places = Arc::clone(&places);
        running.spawn(async move {
            let _place = places.acquire_owned().await.map_err(io::Error::other)?;
            measure(setting).await.map_err(io::Error::other)
        });
    }
    let mut measured = Vec::new();
    while let Some(done) = running.join_next().await {
        measured.push(done.map_err(io::Error::other)??);
    }
    measured.sort_by_key(|it| (it.set.clone(), it.language.clone(), it.lower, it.tokens));
    Ok(measured)
}

fn of_set(measured: &[Measured], name: &str) -> Vec<Measured> {
    measured.iter().filter(|it| it.set == name).cloned().collect()
}

fn note_findings(measured: &[Measured]) -> io::Result<()> {
    fs::create_dir_all(FINDINGS)?;
    for it in measured {
        let case = if it.lower { "-lower" } else { "" };
        let name = format!("{}-{}{case}-{}k.txt", it.set, it.language, it.tokens / 1_000);
        let text = format!("{}\n\n{}\n", it.findings.join("\n"), it.facts);
        fs::write(Path::new(FINDINGS).join(name), text)?;
    }
    Ok(())
}

fn before() -> io::Result<Vec<Measured>> {
    match fs::read_to_string(BEFORE) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Stores the figures in the baseline, one conversation a line, beside those of other sets.
fn keep_before(now: Vec<Measured>) -> io::Result<()> {
    let mut kept = before()?;
    kept.retain(|old| now.iter().all(|new| new.set != old.set));
    kept.extend(now);
    let lines: Vec<String> = kept.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    fs::write(BEFORE, format!("[\n{}\n]\n", lines.join(",\n")))
}

/// Puts the tables between the two marks of a file.
fn put(file: &str, tables: &str) -> io::Result<()> {
    const MARKS: [&str; 2] = ["<!-- memory -->\n", "<!-- /memory -->"];
    let text = fs::read_to_string(file)?;
    let [begin, end] = MARKS;
    let parts = text.split_once(begin).and_then(|(head, rest)| {
        rest.split_once(end).map(|(_, tail)| format!("{head}{begin}\n{tables}\n{end}{tail}"))
    });
    let text = parts.ok_or_else(|| io::Error::other(format!("{file} has no place for tables")))?;
    fs::write(file, text)
}
