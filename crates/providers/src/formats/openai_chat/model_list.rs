//! The models of a server of OpenAI chat completions, and details that some local servers have at
//! other endpoints.

use futures::future::join_all;
use serde_json::Value;
use skein_domain::error::Result;

use crate::http::endpoint::Endpoint;
use crate::json_values::value_at;
use crate::models::model_entries::{parse_models, plausible_size};
use crate::provider::ListedModel;
use crate::registry::ModelListApi;

/// The models of the server, with their windows where its kind states them.
pub(super) async fn list_models(server: &Endpoint, api: ModelListApi) -> Result<Vec<ListedModel>> {
    match api {
        ModelListApi::LlamaCpp => llama_cpp(server).await,
        ModelListApi::LmStudio => lm_studio(server).await,
        ModelListApi::Models | ModelListApi::Ollama => server.list_models("/models").await,
    }
}

/// llama.cpp: with several slots, `/props` has the window of each. A router of several models loads
/// them on demand and lists the arguments of each.
async fn llama_cpp(server: &Endpoint) -> Result<Vec<ListedModel>> {
    let list = server.get_json(server.base_url.endpoint_url("/models")?).await?;
    let models = parse_models(&list);
    let is_one = models.len() == 1;
    let models = models.into_iter().map(|mut model| {
        let mut entries = value_at(&list, "/data").as_array().into_iter().flatten();
        let entry = entries.find(|entry| entry["id"] == *model.id);
        let status = entry.map_or(&Value::Null, |entry| &entry["status"]);
        model.window = model.window.or(window_argument(&status["args"]));
        let is_loaded = status["value"] == "loaded";
        async move {
            if is_one || is_loaded {
                let slot = slot(server, (!is_one).then_some(&*model.id)).await;
                model.loaded_window = slot.or(model.loaded_window);
            }
            model
        }
    });
    Ok(join_all(models).await)
}

/// The window of a slot. `model` names one of several models, which the request must not load.
async fn slot(server: &Endpoint, model: Option<&str>) -> Option<u32> {
    let mut url = server.base_url.server_url("/props").ok()?;
    if let Some(model) = model {
        url.query_pairs_mut().append_pair("model", model).append_pair("autoload", "false");
    }
    let props = server.get_json(url).await.ok()?;
    plausible_size(value_at(&props, "/default_generation_settings/n_ctx"))
}

/// The window in the arguments of llama.cpp.
fn window_argument(args: &Value) -> Option<u32> {
    let args = args.as_array()?;
    let names = |arg: &&Value| matches!(arg.as_str(), Some("-c" | "--ctx-size"));
    let at = args.iter().rposition(|arg| names(&arg))?;
    plausible_size(args.get(at + 1)?)
}

async fn lm_studio(server: &Endpoint) -> Result<Vec<ListedModel>> {
    if let Ok(list) = server.get_json(server.base_url.server_url("/api/v0/models")?).await
        && list.get("data").is_some_and(Value::is_array)
    {
        return Ok(parse_models(&list));
    }
    server.list_models("/models").await
}
