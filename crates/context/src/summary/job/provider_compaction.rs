//! The one call in which a provider writes the summary with its own compaction.
//!
//! The request has the covered messages as they are, not as text: the provider summarizes what it is sent.

use super::{REASONING, SummaryJob, SummaryModel, SummaryStep, instructions, room_for_reasoning};
use crate::compaction::Plan;
use crate::limits::Limits;
use crate::limits::policy::ToolCleaning;
use crate::prompts;
use crate::tokens::message_tokens::{Tokenizer, saturating_sum};
use crate::window::{Prompt, ReasoningReplay, Window, WindowInput, assemble, path_index};

/// The shortest reply to ask for, in tokens: the provider's reasoning counts towards it.
const MIN_REPLY: u32 = 4_096;

/// The longest instructions that Anthropic takes, in characters.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>
const MAX_INSTRUCTIONS: usize = 16_384;

/// A request for the summary that a provider writes with its own compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderCompaction {
    /// The prompt in place of the provider's own; `None`: the provider's own.
    pub instructions: Option<String>,
}

impl SummaryJob {
    /// The call in which the provider of the conversation's model summarizes the covered messages, and the
    /// summary before them, by itself. The user's words on what to keep take the place of its own prompt.
    ///
    /// The messages are sent as they were first sent, with the tool parts that have left since. Where none
    /// has left, that is the beginning of the conversation's own request, which the provider's cache may
    /// hold.
    ///
    /// `None` if there is nothing new to summarize, if the call would not fit, or if the user's words are too
    /// long. `longest` is the longest reply of the model in tokens; `None`: unknown.
    pub fn by_provider(
        counter: &impl Tokenizer,
        window: &Window<'_>,
        plan: &Plan,
        keep: Option<&str>,
        limits: Limits,
        longest: Option<u32>,
    ) -> Option<Self> {
        let (prompt, sent) = covered_prompt(window, plan)?;
        let summary_room = plan.summary_room;
        let instructions = keep.map(|keep| {
            let text = instructions(prompts::SUMMARY, summary_room, Some(keep));
            prompts::SUMMARY_IN_PLACE.replace("{instructions}", &text)
        });
        let words = instructions.as_deref().unwrap_or_default();
        let tokens = saturating_sum([sent, counter.text(words)]);
        let writer = SummaryModel { window: limits.window, max_output: longest };
        let wish = summary_room.saturating_mul(2).saturating_add(REASONING).max(MIN_REPLY);
        let max_output = writer.answer(wish);
        let fits = limits.max_prompt().is_none_or(|most| tokens.saturating_add(max_output) <= most);
        let max_output = room_for_reasoning(max_output, tokens, limits, longest);
        if plan.covered.is_empty() || !fits || words.chars().count() > MAX_INSTRUCTIONS {
            return None;
        }
        let by_provider = Some(ProviderCompaction { instructions });
        let step = SummaryStep::InPlace { prompt, by_provider, tokens };
        Some(Self::with_one_call(step, keep, summary_room, max_output))
    }
}

/// The messages that a plan covers, after the summary that it updates, and their tokens with the prefix.
fn covered_prompt(window: &Window<'_>, plan: &Plan) -> Option<(Prompt, u32)> {
    let WindowInput { path, points, .. } = window.conversation;
    let last = path_index(path, plan.boundary)?;
    let first = match plan.starts_after {
        None => 0,
        Some(before) => path_index(path, before)? + 1,
    };
    let is_updated = |id| Some(id) == plan.previous;
    let points: Vec<_> = points.iter().copied().filter(|it| is_updated(it.point.id)).collect();
    let covered = assemble(WindowInput {
        path: path.get(first..=last)?,
        points: &points,
        passages: None,
        reminders: &[],
        draft: None,
        tool_cleaning: ToolCleaning::Never,
        reasoning_replay: ReasoningReplay::Never,
        ..window.conversation
    });
    Some(covered.prompt_prefix(last.checked_sub(first)?))
}
