//! Extra fields that the user adds to the body of a request.

use serde_json::{Map, Value};

/// Merges extra fields into a body at any depth: `{"generationConfig": {"topK": 5}}` goes into the
/// existing object. Fields that the body has already stay.
pub(crate) fn merge_extra_body(
    body: Vec<u8>,
    fields: &Map<String, Value>,
) -> serde_json::Result<Vec<u8>> {
    if fields.is_empty() {
        return Ok(body);
    }
    let mut whole: Map<String, Value> = serde_json::from_slice(&body)?;
    add(&mut whole, fields);
    serde_json::to_vec(&whole)
}

fn add(own: &mut Map<String, Value>, fields: &Map<String, Value>) {
    for (name, value) in fields {
        match (own.get_mut(name), value) {
            (None, value) => {
                own.insert(name.clone(), value.clone());
            }
            (Some(Value::Object(own)), Value::Object(fields)) => add(own, fields),
            (Some(_), _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with_fields(body: &Value, fields: &Value) -> Value {
        let body = serde_json::to_vec(body).unwrap();
        let whole = merge_extra_body(body, fields.as_object().unwrap()).unwrap();
        serde_json::from_slice(&whole).unwrap()
    }

    #[test]
    fn fields_stand_beside_those_of_the_body_at_any_depth() {
        let body = json!({ "model": "m", "options": { "num_ctx": 8_192 } });
        let fields = json!({ "top_p": 0.9, "options": { "temperature": 0.2 } });
        let whole = json!({
            "model": "m", "options": { "num_ctx": 8_192, "temperature": 0.2 }, "top_p": 0.9,
        });
        assert_eq!(with_fields(&body, &fields), whole);
    }

    #[test]
    fn what_the_body_says_itself_stays() {
        let body = json!({ "stream": true, "options": { "num_ctx": 8_192 }, "messages": [1] });
        let fields = json!({ "stream": false, "options": 5, "messages": { "a": 1 } });
        assert_eq!(with_fields(&body, &fields), body);
    }

    #[test]
    fn without_any_a_body_is_what_it_was_byte_for_byte() {
        let body = br#"{ "a" : 1.0 }"#.to_vec();
        assert_eq!(merge_extra_body(body.clone(), &Map::new()).unwrap(), body);
    }
}
