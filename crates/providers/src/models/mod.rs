//! Properties of a model from its id or its entry in a list.

pub(crate) mod chat_models;
pub(crate) mod model_entries;
pub(crate) mod model_labels;
