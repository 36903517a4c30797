//! The small request that tests a provider.

use serde_json::{Map, Value};

use crate::model_request::ModelRequest;

/// A tiny request with the user's extra fields. Any answer to it shows that the address, the key and the
/// model are right.
pub fn connection_test_request(model: &str, fields: Map<String, Value>) -> ModelRequest {
    let request = ModelRequest::message(model, "Reply with OK.");
    ModelRequest { max_output: Some(16), extra_body: fields, ..request }
}
