//! The models that a server of OpenAI chat completions lists, and what some local servers say beside that
//! list.

use futures::future::join_all;
use serde_json::Value;
use skein_domain::error::Result;

use crate::http::endpoint::Endpoint;
use crate::json_values::value_at;
use crate::models::model_entries::{known, listed};
use crate::provider::ListedModel;
use crate::registry::ModelListApi;

/// What the server lists, with the windows where its kind keeps them.
pub(super) async fn list_models(server: &Endpoint, api: ModelListApi) -> Result<Vec<ListedModel>> {
    match api {
        ModelListApi::LlamaCpp => llama_cpp(server).await,
        ModelListApi::LmStudio => lm_studio(server).await,
        ModelListApi::Models | ModelListApi::Ollama => plain(server).await,
    }
}

async fn plain(server: &Endpoint) -> Result<Vec<ListedModel>> {
    Ok(listed(&server.get_json(server.base_url.endpoint_url("/models")?).await?))
}

/// With several slots the window of each is what `/props` says. A server of many models loads them as they
/// are asked for, and says how each is begun.
async fn llama_cpp(server: &Endpoint) -> Result<Vec<ListedModel>> {
    let list = server.get_json(server.base_url.endpoint_url("/models")?).await?;
    let models = listed(&list);
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

/// The window of a slot, of one of many models where it is named, which that must not load.
async fn slot(server: &Endpoint, model: Option<&str>) -> Option<u32> {
    let mut url = server.base_url.server_url("/props").ok()?;
    if let Some(model) = model {
        url.query_pairs_mut().append_pair("model", model).append_pair("autoload", "false");
    }
    let props = server.get_json(url).await.ok()?;
    known(value_at(&props, "/default_generation_settings/n_ctx"))
}

/// The window that llama.cpp is begun with.
fn window_argument(args: &Value) -> Option<u32> {
    let args = args.as_array()?;
    let names = |arg: &&Value| matches!(arg.as_str(), Some("-c" | "--ctx-size"));
    let at = args.iter().rposition(|arg| names(&arg))?;
    known(args.get(at + 1)?)
}

async fn lm_studio(server: &Endpoint) -> Result<Vec<ListedModel>> {
    if let Ok(list) = server.get_json(server.base_url.server_url("/api/v0/models")?).await
        && list.get("data").is_some_and(Value::is_array)
    {
        return Ok(listed(&list));
    }
    plain(server).await
}
