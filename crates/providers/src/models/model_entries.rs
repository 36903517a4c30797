//! Parses the entries of a model list of any shape.
//!
//! Servers use different names for the same fields, and all of them are tried. The window that a
//! local server has loaded takes precedence over the one the model was trained for.

use serde_json::Value;

use crate::json_values::{parse_count, value_at};
use crate::provider::ListedModel;

/// An entry without an id is left out. Servers name the list `data` or `models`, or send it bare.
pub(crate) fn parse_models(list: &Value) -> Vec<ListedModel> {
    let models = [&list["data"], list, &list["models"]].into_iter().find_map(Value::as_array);
    models.into_iter().flatten().filter_map(model).collect()
}

fn model(model: &Value) -> Option<ListedModel> {
    let id = model["id"].as_str().or_else(|| model["name"].as_str())?;
    let name = ["display_name", "name"].iter().find_map(|field| model[*field].as_str());
    let first =
        |places: &[&str]| places.iter().find_map(|place| plausible_size(value_at(model, place)));
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

/// A count, without the zero that some lists write for "unknown".
pub(crate) fn plausible_size(value: &Value) -> Option<u32> {
    parse_count(value).filter(|tokens| *tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Id, window, longest prompt, longest reply.
    type Sizes = (String, Option<u32>, Option<u32>, Option<u32>);

    fn sizes(list: &str) -> Vec<Sizes> {
        let list = serde_json::from_str(list).unwrap();
        let models = parse_models(&list).into_iter();
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
