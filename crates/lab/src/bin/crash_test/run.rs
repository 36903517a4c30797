//! Runs the program as processes of its own: to prepare a folder, to count operations, and with a fault at
//! each chosen place.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use faulty_disk::Step;
use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::places::{Place, Selection};
use super::rules::{self, Moment};
use super::work::{self, Work};

/// The conversations in the imported file.
pub const IMPORTED: u32 = 3;

/// Tries all chosen places.
///
/// # Errors
/// A word of the command line, or the places after which a rule was broken.
pub fn crash_test(arguments: &[String]) -> io::Result<()> {
    let selection = Selection::parse(arguments).map_err(io::Error::other)?;
    let server = Server::start(|asked, _| answer(asked));
    let mut bases = HashMap::new();
    let mut works = Vec::new();
    for work in &selection.works {
        let base = prepared(*work, &server)?;
        let folder = copy_of(base.path())?;
        let counted = perform(*work, folder.path(), Some(Step::Count))?.operations;
        println!("{}: {counted} file operations", work.name());
        works.push((*work, counted));
        bases.insert(work.name(), base);
    }
    let places = selection.places(&works);
    println!("{} places, seed {}", places.len(), selection.seed);
    let mut broken = 0;
    for (at, place) in places.iter().enumerate() {
        let Some(base) = bases.get(place.work.name()) else { continue };
        for rule in try_place(*place, base.path())? {
            broken += 1;
            println!("BROKEN {} {} {:?}: {rule}", place.work.name(), place.operation, place.fault);
        }
        if (at + 1) % 100 == 0 {
            println!("{} of {}", at + 1, places.len());
        }
    }
    println!("{} places tried, {broken} rules broken", places.len());
    if broken == 0 { Ok(()) } else { Err(io::Error::other("the program broke what it promises")) }
}

/// The broken rules after a fault at a place, and after the next start with one more message.
fn try_place(place: Place, base: &Path) -> io::Result<Vec<String>> {
    let folder = copy_of(base)?;
    let fault = Step::Fault { operation: place.operation, fault: place.fault };
    let mut run = perform(place.work, folder.path(), Some(fault))?;
    run.stored.extend((1..=6).map(work::message_of));
    let mut broken = rules::broken_rules(folder.path(), &run.stored, Moment::AfterFault)?;
    let next = perform(Work::NextStart, folder.path(), None)?;
    if let Some(error) = &next.error {
        broken.push(format!("the next start fails: {error}"));
    }
    run.stored.extend(next.stored);
    broken.extend(rules::broken_rules(folder.path(), &run.stored, Moment::AfterNextStart)?);
    Ok(broken)
}

struct Run {
    /// The messages that were reported as stored.
    stored: Vec<String>,
    /// The error that the program reported, or the end without a last word.
    error: Option<String>,
    /// File operations below the folder; 0 if they were not counted.
    operations: u32,
}

fn perform(work: Work, folder: &Path, step: Option<Step>) -> io::Result<Run> {
    let mut command = Command::new(env::current_exe()?);
    command.args([work::TASK, work.name()]).arg(folder);
    if let Some(step) = step {
        faulty_disk::set_step(&mut command, folder, step);
    }
    let output = command.output()?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let stored = lines.lines().filter_map(|line| line.strip_prefix(work::STORED));
    let error = lines.lines().find(|line| line.starts_with("error: ")).map(str::to_owned);
    let has_ended = lines.lines().next_back() == Some(work::ENDED);
    let died = (!has_ended).then(|| String::from_utf8_lossy(&output.stderr).into_owned());
    Ok(Run {
        stored: stored.map(str::to_owned).collect(),
        error: error.or(died),
        operations: faulty_disk::counted(folder),
    })
}

/// A data folder with a conversation.
fn prepared(work: Work, server: &Server) -> io::Result<TempDir> {
    let folder = TempDir::new()?;
    let places = folder.path();
    fs::write(places.join("settings.json"), settings(&server.url(), work).to_string())?;
    fs::write(places.join(work::IMPORT_FILE), import_file().to_string())?;
    let run = perform(Work::Preparation, places, None)?;
    match run.error {
        None => Ok(folder),
        Some(error) => Err(io::Error::other(error)),
    }
}

fn settings(url: &str, work: Work) -> Value {
    let (strategy, window) = match work {
        Work::Archive => ("archive", 12_000),
        _ => ("summarize", 100_000),
    };
    json!({
        "context": { "strategy": strategy },
        "defaultModel": { "provider": "p", "model": "m" },
        "providers": [{
            "id": "p", "kind": "custom", "name": "P", "baseUrl": url,
            "models": [{ "id": "m", "window": window }]
        }],
        "network": { "proxy": { "type": "none" } },
        "catalogueRefresh": false,
        "dailyBackup": false,
    })
}

/// An export of ChatGPT.
fn import_file() -> Value {
    let conversations = (0..IMPORTED).map(|number| {
        let says = |role: &str, words: String| {
            json!({ "author": { "role": role }, "content": { "content_type": "text", "parts": [words] } })
        };
        let question = says("user", format!("imported question {number}"));
        let answer = says("assistant", format!("imported answer {number}"));
        json!({
            "title": format!("Imported {number}"), "create_time": 1_700_000_000.0,
            "mapping": {
                "q": { "id": "q", "parent": null, "children": ["a"], "message": question },
                "a": { "id": "a", "parent": "q", "children": [], "message": answer },
            },
            "current_node": "a"
        })
    });
    conversations.collect()
}

fn answer(asked: &Asked) -> Reply {
    if asked.method == "GET" {
        return Reply::json(200, r#"{"data":[{"id":"m"}]}"#);
    }
    let words = "The machines are listed by hall and port.";
    let said = json!({ "choices": [{ "delta": { "content": words } }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    Reply::events(format!("data: {said}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

fn copy_of(folder: &Path) -> io::Result<TempDir> {
    let copy = TempDir::new()?;
    copy_into(folder, copy.path())?;
    Ok(copy)
}

fn copy_into(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            fs::create_dir_all(to.join(&name))?;
            copy_into(&path, &to.join(&name))?;
        } else {
            fs::copy(&path, to.join(&name))?;
        }
    }
    Ok(())
}
