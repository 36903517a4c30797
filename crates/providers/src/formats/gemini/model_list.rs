//! The models that Google's Gemini API lists.

use serde_json::Value;
use skein_domain::error::Result;

use crate::http::endpoint::Endpoint;
use crate::models::model_entries::plausible_size;
use crate::provider::ListedModel;

pub(super) async fn list_models(server: &Endpoint) -> Result<Vec<ListedModel>> {
    let list = server.get_json(server.base_url.endpoint_url("/models?pageSize=1000")?).await?;
    let models = list.get("models").and_then(Value::as_array).into_iter().flatten();
    let talks = |model: &&Value| {
        let methods = model["supportedGenerationMethods"].as_array();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    let listed = models.filter(talks).filter_map(|model| {
        Some(ListedModel {
            id: model["name"].as_str()?.trim_start_matches("models/").to_owned(),
            name: model["displayName"].as_str().map(str::to_owned),
            max_input: plausible_size(&model["inputTokenLimit"]),
            max_output: plausible_size(&model["outputTokenLimit"]),
            ..ListedModel::default()
        })
    });
    Ok(listed.collect())
}
