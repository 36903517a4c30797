//! A side question and its answer, as the panel shows them and gives them back.

use serde::{Deserialize, Serialize};
use skein_domain::cost::Cost;
use skein_domain::generation::prompt_truncation::Truncation;
use skein_domain::message::MessageState;
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;
use specta::Type;

/// A side question that was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SideRound {
    /// The user's words.
    pub question: String,
    /// The model's words.
    pub answer: String,
    /// The model that answered; `None`: the answer was stopped.
    pub model: Option<ModelRef>,
    /// The ending of the answer.
    pub ending: MessageState,
}

/// The answer to a side question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SideAnswer {
    /// The model's words; empty where it only called a tool.
    pub text: String,
    /// The model that answered.
    pub model: ModelRef,
    /// The ending of the answer.
    pub ending: MessageState,
    /// The silent truncation of the request; `None`: none was detected.
    pub truncation: Option<Truncation>,
    /// The model called a tool, which was not run.
    pub has_calls: bool,
    /// The provider's word.
    pub usage: TokenUsage,
    /// By the prices that hold now.
    pub cost: Cost,
}
