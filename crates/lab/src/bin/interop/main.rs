//! Tests the providers against servers of others. Optional: it needs a network once, and Python.
//!
//! `cargo xtask interop` installs LiteLLM's proxy from PyPI into `target/interop`, starts it with
//! canned replies and calls it in three wire formats. `cargo xtask interop llama` does the same
//! with a llama.cpp server and a very small model. `cargo xtask interop KIND URL MODEL [KEY]` calls
//! a running server: llama.cpp, LM Studio, Ollama, or a real account. A failed check makes the
//! program fail.

mod llama;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use skein_domain::error::{Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_domain::usage::TokenUsage;
use skein_platform::http::{HttpClient, NetworkSettings};
use skein_providers::{
    ApiKey, ModelRequest, Provider, QuirkMemory, StreamEvent, Timeouts, create_provider,
};
use tokio::time::sleep;

/// The configuration of the proxy. Each model always gives the same reply.
const CONFIG: &str = r#"
model_list:
  - model_name: hello
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "Hello from afar, naïve ☕."}
  - model_name: full
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "litellm.ContextWindowExceededError"}
  - model_name: busy
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "litellm.RateLimitError"}
litellm_settings: {telemetry: false, num_retries: 0}
"#;
const KEY: &str = "sk-interop-0123456789abcdef0123456789";
const PORT: u16 = 4719;

#[derive(Debug, Default)]
struct Told {
    text: String,
    usage: TokenUsage,
    finish: Option<FinishReason>,
    waits: u32,
    pieces: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let held = match words.as_slice() {
        [] => proxy().await,
        ["llama"] => llama::run().await,
        [kind, url, model] => server(kind, url, model, None).await,
        [kind, url, model, key] => server(kind, url, model, Some(key)).await,
        _ => {
            println!("cargo xtask interop [llama | KIND URL MODEL [KEY]]");
            return ExitCode::FAILURE;
        }
    };
    match held {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("not run: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Tests every format with LiteLLM's proxy.
async fn proxy() -> Result<bool> {
    let folder = Path::new("target/interop");
    let program = installed(folder).map_err(|error| Error::Tool { detail: error.to_string() })?;
    let mut child =
        start(folder, &program).map_err(|error| Error::Tool { detail: error.to_string() })?;
    let url = format!("http://127.0.0.1:{PORT}");
    let mut held = ready(&url).await;
    if held {
        for kind in ["custom", "anthropic", "gemini"] {
            held &= formats(kind, &url).await?;
        }
    } else {
        println!("LiteLLM's proxy did not start; its words are in target/interop/log.txt");
    }
    // It may have exited already.
    let _ = child.kill();
    Ok(held)
}

async fn formats(kind: &str, url: &str) -> Result<bool> {
    let provider = ready_provider(kind, url, Some(KEY))?;
    let hello = ask(&*provider, "hello", "hi").await;
    let whole = matches!(&hello, Ok(told) if told.finish == Some(FinishReason::Stop) && told.text == "Hello from afar, naïve ☕.");
    let mut held = line(kind, "a whole answer", whole, &hello);
    let full = ask(&*provider, "full", "hi").await;
    // In Gemini's format this proxy wraps every error in a 500, which is never an overflow.
    let too_long = matches!(full, Err(Error::TooLong { .. }));
    held &= line(kind, "too long", too_long || kind == "gemini", &full);
    let busy = ask(&*provider, "busy", "hi").await;
    let limited = matches!(busy, Err(Error::RateLimited { .. }));
    held &= line(kind, "a rate limit", limited || kind == "gemini", &busy);
    Ok(held)
}

/// Tests a running server: its model list, a reply, and its error for an excessive prompt.
async fn server(kind: &str, url: &str, model: &str, key: Option<&str>) -> Result<bool> {
    let provider = ready_provider(kind, url, key)?;
    let models = provider.models().await;
    let listed = matches!(&models, Ok(models) if !models.is_empty());
    let known = models.iter().flatten().find(|listed| listed.id == model).cloned();
    let mut held = line(kind, "its models", listed, &known);
    let hello = ask(&*provider, model, "Say hello.").await;
    let whole = matches!(&hello, Ok(told) if told.finish.is_some());
    held &= line(kind, "a whole answer", whole, &hello);
    let window = known.and_then(|model| model.loaded_window.or(model.window).or(model.max_input));
    let far = usize::try_from(window.unwrap_or(8_192)).unwrap_or(8_192) * 2;
    let full = ask(&*provider, model, &"word ".repeat(far)).await;
    held &= line(kind, "too long", matches!(full, Err(Error::TooLong { .. })), &full);
    Ok(held)
}

fn line(kind: &str, what: &str, held: bool, found: &impl std::fmt::Debug) -> bool {
    let mark = if held { "holds" } else { "FAILS" };
    let found: String = format!("{found:?}").chars().take(300).collect();
    println!("{kind:<10} {what:<16} {mark}   {found}");
    held
}

fn ready_provider(kind: &str, url: &str, key: Option<&str>) -> Result<Arc<dyn Provider>> {
    let config = ProviderConfig {
        id: ProviderId("interop".to_owned()),
        kind: kind.to_owned(),
        name: kind.to_owned(),
        base_url: Some(url.to_owned()),
        exact_url: false,
        headers: BTreeMap::new(),
        models: Vec::new(),
    };
    let net = HttpClient::new(&NetworkSettings::default(), Arc::new(()))?;
    let patience =
        Timeouts { backoff: Duration::from_millis(50), max_retries: 1, ..Timeouts::default() };
    create_provider(&config, key.map(ApiKey::new).as_ref(), &net, patience, &QuirkMemory::default())
}

async fn ask(provider: &dyn Provider, model: &str, text: &str) -> Result<Told> {
    ask_with(provider, model, text, Vec::new()).await
}

async fn ask_with(
    provider: &dyn Provider,
    model: &str,
    text: &str,
    tools: Vec<ToolDeclaration>,
) -> Result<Told> {
    let mut request = ModelRequest { max_output: Some(64), ..ModelRequest::message(model, text) };
    request.prompt.tools = tools;
    let mut told = Told::default();
    let mut events = provider.stream(request).await?;
    while let Some(event) = events.next().await {
        match event? {
            StreamEvent::Retrying { .. } => told.waits += 1,
            StreamEvent::Text { delta } => {
                told.pieces += 1;
                told.text.push_str(&delta);
            }
            StreamEvent::Usage { usage } => told.usage = usage,
            StreamEvent::Finished { reason } => told.finish = Some(reason),
            StreamEvent::OutputCapped { .. }
            | StreamEvent::Billing { .. }
            | StreamEvent::EncryptedSummary { .. }
            | StreamEvent::EffortRefused { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::ToolCall { .. }
            | StreamEvent::CallSignature { .. }
            | StreamEvent::ToolArgs { .. } => {}
        }
    }
    Ok(told)
}

/// The proxy's executable, installed if necessary.
fn installed(folder: &Path) -> std::io::Result<PathBuf> {
    let program = folder.join("venv/bin/litellm");
    if program.exists() {
        return Ok(program);
    }
    println!("installing LiteLLM's proxy from PyPI into {}", folder.display());
    std::fs::create_dir_all(folder)?;
    let python = Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")).status()?;
    let pip = folder.join("venv/bin/pip");
    let pip = Command::new(pip).args(["install", "--quiet", "litellm[proxy]"]).status()?;
    if python.success() && pip.success() {
        Ok(program)
    } else {
        Err(std::io::Error::other("pip could not install litellm[proxy]"))
    }
}

fn start(folder: &Path, program: &Path) -> std::io::Result<Child> {
    std::fs::write(folder.join("config.yaml"), CONFIG)?;
    let log = std::fs::File::create(folder.join("log.txt"))?;
    Command::new(program)
        .arg("--config")
        .arg(folder.join("config.yaml"))
        .args(["--host", "127.0.0.1", "--port", &PORT.to_string()])
        .env("LITELLM_MASTER_KEY", KEY)
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .stdout(Stdio::from(log.try_clone()?))
        .stderr(Stdio::from(log))
        .spawn()
}

/// Waits until the server lists its models, at most two minutes.
async fn ready(url: &str) -> bool {
    for _ in 0..120 {
        let listed = match ready_provider("custom", url, Some(KEY)) {
            Ok(provider) => provider.models().await.is_ok(),
            Err(_) => false,
        };
        if listed {
            return true;
        }
        sleep(Duration::from_secs(1)).await;
    }
    false
}
