//! The models a server offers, and what it says of their windows.
//!
//! Servers agree on little but the list: fields are looked for under every name they go by. What a
//! local server has loaded is stronger than what a model was trained for.

use std::time::Duration;

use futures::future::join_all;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use skein_domain::error::{Error, Result};
use skein_platform::json_repair;
use tokio::time::timeout;

use super::ListedModel;
use super::classify::{self, FailedRequest};
use super::decoder::{parse_count, value_at};
use super::http_call::{ProviderEndpoint, read_start};
use super::overflow::ServerHints;
use super::quirks::Quirks;
use super::registry::{ModelListApi, WireFormat};

/// The most of a list that is read, in bytes: the longest known has two megabytes.
const LONGEST: usize = 16 * 1024 * 1024;
/// How long a list may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The window asked of Ollama for a model of which its maker set none, in tokens, if it was trained for so
/// many: memory of the person's is reserved for all of it. The person may set more.
const OLLAMA_WINDOW: u32 = 32_768;
/// Models of Ollama that are asked for one by one.
const SHOWN: usize = 40;

/// The models a provider offers.
pub(super) async fn list_models(endpoint: &ProviderEndpoint) -> Result<Vec<ListedModel>> {
    let mut models = match (endpoint.spec.format, endpoint.spec.model_list_api) {
        (WireFormat::Gemini, _) => gemini(endpoint).await?,
        (WireFormat::Anthropic, _) => {
            listed(&get(endpoint, endpoint.base_url.endpoint_url("/models?limit=1000")?).await?)
        }
        (_, ModelListApi::Models) => {
            listed(&get(endpoint, endpoint.base_url.endpoint_url("/models")?).await?)
        }
        (_, ModelListApi::LlamaCpp) => llama_cpp(endpoint).await?,
        (_, ModelListApi::LmStudio) => lm_studio(endpoint).await?,
        (_, ModelListApi::Ollama) => ollama(endpoint).await?,
    };
    models.sort_by(|one, other| one.id.cmp(&other.id));
    models.dedup_by(|one, other| one.id == other.id);
    Ok(models)
}

async fn get(endpoint: &ProviderEndpoint, url: Url) -> Result<Value> {
    fetch(endpoint, Method::GET, url, None).await
}

async fn fetch(
    endpoint: &ProviderEndpoint,
    method: Method,
    url: Url,
    body: Option<Value>,
) -> Result<Value> {
    let builder = endpoint.net.client().request(method, url.clone());
    let builder = match &body {
        Some(body) => builder.json(body),
        None => builder,
    };
    let sent = timeout(PATIENCE, endpoint.send(builder, &url, endpoint.headers.clone())).await;
    let response = match sent {
        Ok(Ok(response)) => response,
        Ok(Err(refusal)) => return Err(refusal.error),
        Err(_) => return Err(endpoint.timeout_error(&url, PATIENCE)),
    };
    let status = response.status();
    let text = read_start(response, PATIENCE, LONGEST).await;
    let redactor = &endpoint.redactor;
    if !status.is_success() {
        let (hints, dodges) = (ServerHints::default(), &Quirks::default());
        let asked = FailedRequest {
            hints,
            model: None,
            quirks: dodges,
            effort: None,
            output: None,
            redactor,
        };
        return Err(classify::classify_response(status, &text, None, &asked).error);
    }
    json_repair::parse(&text).map_err(|_| classify::unexpected_body_error(&text, redactor))
}

async fn gemini(endpoint: &ProviderEndpoint) -> Result<Vec<ListedModel>> {
    let list = get(endpoint, endpoint.base_url.endpoint_url("/models?pageSize=1000")?).await?;
    let models = list.get("models").and_then(Value::as_array).into_iter().flatten();
    let talks = |model: &&Value| {
        let methods = model["supportedGenerationMethods"].as_array();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    let listed = models.filter(talks).filter_map(|model| {
        Some(ListedModel {
            id: model["name"].as_str()?.trim_start_matches("models/").to_owned(),
            name: model["displayName"].as_str().map(str::to_owned),
            window: None,
            loaded_window: None,
            max_input: known(&model["inputTokenLimit"]),
            max_output: known(&model["outputTokenLimit"]),
        })
    });
    Ok(listed.collect())
}

/// With several slots the window of each is what `/props` says. A server of many models loads them as they
/// are asked for, and says how each is begun.
async fn llama_cpp(endpoint: &ProviderEndpoint) -> Result<Vec<ListedModel>> {
    let list = get(endpoint, endpoint.base_url.endpoint_url("/models")?).await?;
    let models = listed(&list);
    let is_one = models.len() == 1;
    let models = models.into_iter().map(|mut model| {
        let mut entries = value_at(&list, "/data").as_array().into_iter().flatten();
        let entry = entries.find(|entry| entry["id"] == *model.id);
        let status = entry.map_or(&Value::Null, |entry| &entry["status"]);
        model.window = model.window.or(begun_with(&status["args"]));
        let is_loaded = status["value"] == "loaded";
        async move {
            if is_one || is_loaded {
                let slot = slot(endpoint, (!is_one).then_some(&*model.id)).await;
                model.loaded_window = slot.or(model.loaded_window);
            }
            model
        }
    });
    Ok(join_all(models).await)
}

/// The window of a slot, of one of many models where it is named, which that must not load.
async fn slot(endpoint: &ProviderEndpoint, model: Option<&str>) -> Option<u32> {
    let mut url = endpoint.base_url.server_url("/props").ok()?;
    if let Some(model) = model {
        url.query_pairs_mut().append_pair("model", model).append_pair("autoload", "false");
    }
    let props = get(endpoint, url).await.ok()?;
    known(value_at(&props, "/default_generation_settings/n_ctx"))
}

/// The window that llama.cpp is begun with.
fn begun_with(args: &Value) -> Option<u32> {
    let args = args.as_array()?;
    let names = |arg: &&Value| matches!(arg.as_str(), Some("-c" | "--ctx-size"));
    let at = args.iter().rposition(|arg| names(&arg))?;
    known(args.get(at + 1)?)
}

async fn lm_studio(endpoint: &ProviderEndpoint) -> Result<Vec<ListedModel>> {
    if let Ok(list) = get(endpoint, endpoint.base_url.server_url("/api/v0/models")?).await
        && list.get("data").is_some_and(Value::is_array)
    {
        return Ok(listed(&list));
    }
    Ok(listed(&get(endpoint, endpoint.base_url.endpoint_url("/models")?).await?))
}

async fn ollama(endpoint: &ProviderEndpoint) -> Result<Vec<ListedModel>> {
    let tags = get(endpoint, endpoint.base_url.endpoint_url("/api/tags")?).await?;
    let running =
        get(endpoint, endpoint.base_url.endpoint_url("/api/ps")?).await.unwrap_or_default();
    let running = running.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(tags) = tags.get("models").and_then(Value::as_array) else {
        return Err(Error::Protocol {
            detail: classify::error_message(&tags.to_string(), &endpoint.redactor),
        });
    };
    let models = tags.iter().enumerate().filter_map(|(number, tag)| {
        let id = tag["model"].as_str().or_else(|| tag["name"].as_str())?.to_owned();
        let same = |model: &&Value| model["model"] == *id || model["name"] == *id;
        let loaded = running.iter().find(same);
        let loaded = loaded.and_then(|model| known(&model["context_length"]));
        let is_elsewhere = !endpoint.base_url.is_local() || runs_elsewhere(tag, &id);
        Some(async move {
            let OllamaWindow { trained, own } = match number < SHOWN {
                true => told(endpoint, &id).await.unwrap_or_default(),
                false => OllamaWindow::default(),
            };
            let most = own.or((!is_elsewhere).then_some(OLLAMA_WINDOW));
            let window = match (trained, most) {
                (Some(trained), Some(most)) => Some(trained.min(most)),
                (trained, _) => trained.or(own),
            };
            // What is loaded is no limit: each request says what is to be. A larger one is the
            // person's own setting of the server, which a smaller request would undo.
            let loaded_window = loaded.filter(|it| window.is_none_or(|window| *it > window));
            ListedModel { id, name: None, window, loaded_window, max_input: None, max_output: None }
        })
    });
    Ok(join_all(models).await)
}

/// Whether an Ollama only passes on what its cloud answers, with all that the model was trained for.
fn runs_elsewhere(tag: &Value, id: &str) -> bool {
    let host = tag["remote_host"].as_str().is_some_and(|host| !host.is_empty());
    host || id.ends_with("-cloud") || id.ends_with(":cloud")
}

/// What Ollama tells of a model's window, in tokens.
#[derive(Default)]
struct OllamaWindow {
    /// What it was trained for.
    trained: Option<u32>,
    /// What its maker set, who knows the machine or the model: a request would override it.
    own: Option<u32>,
}

async fn told(endpoint: &ProviderEndpoint, model: &str) -> Option<OllamaWindow> {
    let url = endpoint.base_url.endpoint_url("/api/show").ok()?;
    let shown = fetch(endpoint, Method::POST, url, Some(json!({ "model": model }))).await.ok()?;
    let mut info = shown.get("model_info").and_then(Value::as_object).into_iter().flatten();
    let trained = info.find(|(name, _)| name.ends_with(".context_length"));
    let set = value_at(&shown, "/parameters").as_str().unwrap_or_default().lines();
    let own = set.filter_map(|line| line.trim().strip_prefix("num_ctx")).next_back();
    Some(OllamaWindow {
        trained: trained.and_then(|(_, size)| known(size)),
        own: own.and_then(|size| known(&size.into())),
    })
}

/// The models of a list, whatever its shape.
fn listed(list: &Value) -> Vec<ListedModel> {
    let models = [&list["data"], list, &list["models"]].into_iter().find_map(Value::as_array);
    models.into_iter().flatten().filter_map(model).collect()
}

fn model(model: &Value) -> Option<ListedModel> {
    let id = model["id"].as_str().or_else(|| model["name"].as_str())?;
    let name = ["display_name", "name"].iter().find_map(|field| model[*field].as_str());
    let first = |places: &[&str]| places.iter().find_map(|place| known(value_at(model, place)));
    Some(ListedModel {
        id: id.to_owned(),
        name: name.filter(|name| *name != id).map(str::to_owned),
        window: first(&[
            "/max_model_len",
            "/context_window",
            "/top_provider/context_length",
            "/context_length",
            "/max_context_length",
            "/meta/n_ctx_train",
            "/limits/max_context_window_tokens",
        ]),
        loaded_window: first(&["/loaded_context_length", "/meta/n_ctx"]),
        max_input: first(&["/max_input_tokens", "/max_prompt_tokens"]),
        max_output: first(&[
            "/top_provider/max_completion_tokens",
            "/max_completion_tokens",
            "/max_output_tokens",
            "/max_tokens",
        ]),
    })
}

/// A zero is how some lists write "not known".
fn known(value: &Value) -> Option<u32> {
    parse_count(value).filter(|tokens| *tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Id, window, longest prompt, longest answer.
    type Sizes = (String, Option<u32>, Option<u32>, Option<u32>);

    fn sizes(list: &str) -> Vec<Sizes> {
        let list = serde_json::from_str(list).unwrap();
        let models = listed(&list).into_iter();
        models.map(|one| (one.id, one.window, one.loaded_window, one.max_output)).collect()
    }

    #[test]
    fn fr_3_5_the_window_is_found_under_every_name_it_goes_by() {
        for (list, expected) in [
            (r#"{"data":[{"id":"m","max_model_len":8192}]}"#, (Some(8_192), None, None)),
            (
                r#"{"data":[{"id":"m","context_window":131072,"max_completion_tokens":32768}]}"#,
                (Some(131_072), None, Some(32_768)),
            ),
            (
                r#"{"data":[{"id":"m","context_length":200000,"top_provider":{"context_length":128000,"max_completion_tokens":16384}}]}"#,
                (Some(128_000), None, Some(16_384)),
            ),
            (
                r#"{"data":[{"id":"m","max_context_length":32768,"loaded_context_length":4096}]}"#,
                (Some(32_768), Some(4_096), None),
            ),
            (r#"[{"id":"m","context_length":0}]"#, (None, None, None)),
            (r#"{"models":[{"name":"m"}]}"#, (None, None, None)),
        ] {
            let (window, loaded, output) = expected;
            assert_eq!(sizes(list), [("m".to_owned(), window, loaded, output)], "{list}");
        }
    }
}
