//! The models that a server of Anthropic messages lists.

use skein_domain::error::Result;

use crate::http::endpoint::Endpoint;
use crate::models::model_entries::parse_models;
use crate::provider::ListedModel;

pub(super) async fn list_models(server: &Endpoint) -> Result<Vec<ListedModel>> {
    Ok(parse_models(&server.get_json(server.base_url.endpoint_url("/models?limit=1000")?).await?))
}
