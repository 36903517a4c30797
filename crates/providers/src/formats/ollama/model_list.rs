//! The models of an Ollama server, and the windows it can load.

use futures::future::join_all;
use serde_json::{Value, json};
use skein_domain::error::{Error, Result};

use crate::errors::error_message::error_message;
use crate::http::endpoint::Endpoint;
use crate::json_values::value_at;
use crate::models::model_entries::plausible_size;
use crate::provider::ListedModel;

/// The window requested for a model whose author set none, in tokens, unless the model's own is
/// smaller. Ollama reserves memory for all of it. The user may set more.
const DEFAULT_WINDOW: u32 = 32_768;
/// The limit of models whose details are requested, one by one.
const MAX_DETAIL_REQUESTS: usize = 40;

pub(super) async fn list_models(server: &Endpoint) -> Result<Vec<ListedModel>> {
    let tags = server.get_json(server.base_url.endpoint_url("/api/tags")?).await?;
    let running =
        server.get_json(server.base_url.endpoint_url("/api/ps")?).await.unwrap_or_default();
    let running = running.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(tags) = tags.get("models").and_then(Value::as_array) else {
        return Err(Error::Protocol { detail: error_message(&tags.to_string(), &server.redactor) });
    };
    let models = tags.iter().enumerate().filter_map(|(number, tag)| {
        let id = tag["model"].as_str().or_else(|| tag["name"].as_str())?.to_owned();
        let same = |model: &&Value| model["model"] == *id || model["name"] == *id;
        let loaded = running.iter().find(same);
        let loaded = loaded.and_then(|model| plausible_size(&model["context_length"]));
        let is_elsewhere = !server.base_url.is_local() || is_cloud_model(tag, &id);
        Some(async move {
            let OllamaWindow { trained, own } = match number < MAX_DETAIL_REQUESTS {
                true => trained_window(server, &id).await.unwrap_or_default(),
                false => OllamaWindow::default(),
            };
            let most = own.or((!is_elsewhere).then_some(DEFAULT_WINDOW));
            let window = match (trained, most) {
                (Some(trained), Some(most)) => Some(trained.min(most)),
                (trained, _) => trained.or(own),
            };
            // A loaded window is not a limit, because each request states its own. A larger loaded
            // one is the user's setting of the server, which a smaller request would override.
            let loaded_window = loaded.filter(|it| window.is_none_or(|window| *it > window));
            ListedModel { id, window, loaded_window, ..ListedModel::default() }
        })
    });
    Ok(join_all(models).await)
}

/// True if Ollama forwards requests to its cloud, which always serves the trained window.
fn is_cloud_model(tag: &Value, id: &str) -> bool {
    let host = tag["remote_host"].as_str().is_some_and(|host| !host.is_empty());
    host || id.ends_with("-cloud") || id.ends_with(":cloud")
}

/// The windows that Ollama states for a model, in tokens.
#[derive(Default)]
struct OllamaWindow {
    trained: Option<u32>,
    /// The window that the model's author set. A request would override it.
    own: Option<u32>,
}

async fn trained_window(server: &Endpoint, model: &str) -> Option<OllamaWindow> {
    let url = server.base_url.endpoint_url("/api/show").ok()?;
    let shown = server.post_json(url, &json!({ "model": model })).await.ok()?;
    let mut info = shown.get("model_info").and_then(Value::as_object).into_iter().flatten();
    let trained = info.find(|(name, _)| name.ends_with(".context_length"));
    let set = value_at(&shown, "/parameters").as_str().unwrap_or_default().lines();
    let own = set.filter_map(|line| line.trim().strip_prefix("num_ctx")).next_back();
    Some(OllamaWindow {
        trained: trained.and_then(|(_, size)| plausible_size(size)),
        own: own.and_then(|size| plausible_size(&size.into())),
    })
}
