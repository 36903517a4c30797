//! The state shared by the decoders of all wire formats: counters, finish, and content flag.

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::response_decoder::StreamPhase;
use crate::json_values::non_empty;
use crate::stream_event::StreamEvent;
use crate::tool_call_ids::new_call_id;

/// Usage that is plausible. A prompt is never empty, and a reply with content has a length, so a
/// zero there means "not counted".
fn plausible_usage(usage: TokenUsage, has_content: bool) -> TokenUsage {
    let prompt = usage.prompt.filter(|tokens| *tokens > 0);
    let completion = usage.completion.filter(|tokens| *tokens > 0 || !has_content);
    let sum = prompt.zip(completion).and_then(|(one, other)| one.checked_add(other));
    let total = usage.total.filter(|tokens| *tokens > 0).or(sum);
    let known = |part: Option<u32>, whole: Option<u32>| {
        part.filter(|part| whole.is_some_and(|whole| *part <= whole))
    };
    TokenUsage {
        prompt,
        completion,
        total,
        cached: known(usage.cached, prompt),
        cache_written: known(usage.cache_written, prompt),
        reasoning: known(usage.reasoning, completion),
    }
}

/// The text in place of a picture that a model generates. In English, because it is part of the
/// stored reply, and is exported and sent back with it.
const GENERATED_IMAGE: &str = "\n\n[A picture was made here. It is not kept.]\n\n";

/// The progress of a reply in any format.
#[derive(Debug, Default)]
pub(crate) struct DecoderState {
    pub(crate) usage: TokenUsage,
    /// True after text, reasoning or a call has arrived.
    pub(crate) has_content: bool,
    /// The finish reason; `None` until it is known.
    pub(crate) finish: Option<FinishReason>,
    /// The calls so far, each with its index on the wire if it has one.
    calls: Vec<Option<u64>>,
    closed: bool,
}

impl DecoderState {
    /// Emits text of the reply, if the value has any.
    pub(crate) fn text(&mut self, words: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(delta) = non_empty(words) {
            self.has_content = true;
            out.push(StreamEvent::Text { delta: delta.to_owned() });
        }
    }

    /// Emits text of the reasoning, if the value has any.
    pub(crate) fn reasoning(&mut self, words: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(delta) = non_empty(words) {
            self.has_content = true;
            out.push(StreamEvent::Reasoning { delta: delta.to_owned() });
        }
    }

    /// Emits the placeholder of a generated picture.
    pub(crate) fn image(&mut self, out: &mut Vec<StreamEvent>) {
        self.text(&GENERATED_IMAGE.into(), out);
    }

    /// Emits the beginning of a call and returns its number. A missing id is generated.
    pub(crate) fn call(
        &mut self,
        at: Option<u64>,
        (id, name): (&Value, &Value),
        signature: Option<String>,
        out: &mut Vec<StreamEvent>,
    ) -> u32 {
        let index = position(self.calls.len());
        self.calls.push(at);
        self.has_content = true;
        let call_id = non_empty(id).map_or_else(new_call_id, str::to_owned);
        let name = name.as_str().unwrap_or_default().to_owned();
        out.push(StreamEvent::ToolCall { index, call_id, name, signature });
        index
    }

    /// The number of the newest call with this index on the wire.
    pub(crate) fn call_at(&self, at: Option<u64>) -> Option<u32> {
        self.calls.iter().rposition(|call| *call == at).map(position)
    }

    pub(crate) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// The finish of a reply that no limit ended. Some servers say "stop" of a reply with calls.
    pub(crate) fn natural_finish(&self) -> FinishReason {
        if self.has_calls() { FinishReason::ToolCalls } else { FinishReason::Stop }
    }

    /// Emits the counts of the prompt while the reply goes on.
    pub(crate) fn report_prompt(&self, out: &mut Vec<StreamEvent>) {
        report(
            TokenUsage { completion: None, total: None, reasoning: None, ..self.usage },
            false,
            out,
        );
    }

    /// Emits the final usage and, if one was announced, the finish. Does so once.
    pub(crate) fn end(&mut self, out: &mut Vec<StreamEvent>) {
        let Some(reason) = self.finish.filter(|_| !self.closed) else { return };
        self.closed = true;
        report(self.usage, self.has_content, out);
        out.push(StreamEvent::Finished { reason });
    }

    pub(crate) fn phase(&self) -> StreamPhase {
        match (self.closed, self.finish) {
            (true, _) => StreamPhase::Closed,
            (false, Some(_)) => StreamPhase::Trailing,
            (false, None) => StreamPhase::Open,
        }
    }
}

fn report(usage: TokenUsage, has_content: bool, out: &mut Vec<StreamEvent>) {
    let usage = plausible_usage(usage, has_content);
    if !usage.is_unavailable() {
        out.push(StreamEvent::Usage { usage });
    }
}

/// Emits a fragment of a call's arguments, if it is not empty.
pub(crate) fn push_args(index: u32, delta: &str, out: &mut Vec<StreamEvent>) {
    if !delta.is_empty() {
        out.push(StreamEvent::ToolArgs { index, delta: delta.to_owned() });
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d03_a_zero_that_cannot_be_is_unavailable() {
        let zero =
            TokenUsage { prompt: Some(0), completion: Some(0), total: Some(0), ..<_>::default() };
        assert_eq!(plausible_usage(zero, true), TokenUsage::default());
        let silent = TokenUsage { prompt: Some(9), completion: Some(0), ..<_>::default() };
        let expected = TokenUsage { total: Some(9), ..silent };
        assert_eq!(plausible_usage(silent, false), expected);
    }

    #[test]
    fn d02_a_given_total_is_kept_and_a_missing_one_is_the_sum() {
        let given =
            TokenUsage { prompt: Some(9), completion: Some(2), total: Some(40), ..<_>::default() };
        assert_eq!(plausible_usage(given, true), given);
        let missing = TokenUsage { total: None, ..given };
        assert_eq!(plausible_usage(missing, true).total, Some(11));
        let partial = TokenUsage { completion: None, ..missing };
        assert_eq!(plausible_usage(partial, true).total, None);
    }

    #[test]
    fn d02_a_part_larger_than_its_whole_is_unavailable() {
        let usage = TokenUsage { prompt: Some(9), cached: Some(10), ..<_>::default() };
        assert_eq!(plausible_usage(usage, true).cached, None);
    }
}
