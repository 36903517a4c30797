//! The one call in which a provider writes the summary with its own compaction.
//!
//! The request has the covered messages as they are, not as text: the provider summarizes what it is sent.

use super::{REASONING, SummaryJob, SummaryModel, SummaryStep, instructions, room_for_reasoning};
use crate::compaction::Plan;
use crate::limits::Limits;
use crate::limits::policy::ToolCleaning;
use crate::prompts;
use crate::tokens::message_tokens::{Tokenizer, saturating_sum};
use crate::window::{
    Prompt, ReasoningReplay, SelectedMessage, Window, WindowInput, assemble, path_index,
};

/// The shortest reply to ask for, in tokens: the provider's reasoning counts towards it.
const MIN_REPLY: u32 = 4_096;

/// The longest instructions that Anthropic takes, in characters.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand>
const MAX_INSTRUCTIONS: usize = 16_384;

/// The form of the summary that a provider writes with its own compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryForm {
    /// A text.
    Readable,
    /// Items that only the provider can read (W09).
    Encrypted,
}

/// A request for the summary that a provider writes with its own compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderCompaction {
    /// The prompt in place of the provider's own; `None`: the provider's own, which alone writes an encrypted
    /// summary.
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
    /// An encrypted summary has no prompt: the user's words follow the system prompt. Pinned messages are no
    /// part of it, because it would contain those of the user word for word beside the pinned ones.
    ///
    /// `None` if there is nothing new to summarize, if the call would not fit, or if the user's words are too
    /// long. `longest` is the longest reply of the model in tokens; `None`: unknown.
    pub fn by_provider(
        counter: &impl Tokenizer,
        window: &Window<'_>,
        plan: &Plan,
        (form, keep): (SummaryForm, Option<&str>),
        limits: Limits,
        longest: Option<u32>,
    ) -> Option<Self> {
        let (mut prompt, sent) = covered_prompt(window, plan, form)?;
        let summary_room = plan.summary_room;
        let instructions = match (form, keep) {
            (_, None) => String::new(),
            (SummaryForm::Encrypted, Some(keep)) => prompts::STEERING.replace("{keep}", keep),
            (SummaryForm::Readable, Some(keep)) => {
                let text = instructions(prompts::SUMMARY, summary_room, Some(keep));
                prompts::SUMMARY_IN_PLACE.replace("{instructions}", &text)
            }
        };
        let tokens = saturating_sum([sent, counter.text(&instructions)]);
        let writer = SummaryModel { window: limits.window, max_output: longest };
        let wish = summary_room.saturating_mul(2).saturating_add(REASONING).max(MIN_REPLY);
        let max_output = writer.answer(wish);
        let fits = limits.max_prompt().is_none_or(|most| tokens.saturating_add(max_output) <= most);
        let max_output = room_for_reasoning(max_output, tokens, limits, longest);
        if plan.covered.is_empty() || !fits || instructions.chars().count() > MAX_INSTRUCTIONS {
            return None;
        }
        let instructions = match form {
            SummaryForm::Readable => keep.map(|_| instructions),
            SummaryForm::Encrypted if keep.is_none() => None,
            SummaryForm::Encrypted => {
                let before = if prompt.system.is_empty() { "" } else { "\n\n" };
                // The system prompt stays as the provider's cache has it.
                prompt.system =
                    format!("{}{before}{instructions}", prompt.system).trim_end().to_owned();
                None
            }
        };
        let by_provider = Some(ProviderCompaction { instructions });
        let step = SummaryStep::InPlace { prompt, by_provider, tokens };
        Some(Self::with_one_call(step, keep, summary_room, max_output))
    }
}

/// The messages that a plan covers, after the summary that it updates, and their tokens with the prefix.
fn covered_prompt(window: &Window<'_>, plan: &Plan, form: SummaryForm) -> Option<(Prompt, u32)> {
    let WindowInput { path, points, .. } = window.conversation;
    let last = path_index(path, plan.boundary)?;
    let first = match plan.starts_after {
        None => 0,
        Some(before) => path_index(path, before)? + 1,
    };
    let is_updated = |id| Some(id) == plan.previous;
    let points: Vec<_> = points.iter().copied().filter(|it| is_updated(it.point.id)).collect();
    let mut covered = assemble(WindowInput {
        path: path.get(first..=last)?,
        points: &points,
        passages: None,
        reminders: &[],
        draft: None,
        tool_cleaning: ToolCleaning::Never,
        reasoning_replay: ReasoningReplay::Never,
        ..window.conversation
    });
    if form == SummaryForm::Encrypted {
        let is_pinned = |sent: SelectedMessage<'_>| sent.counted.message.is_pinned();
        covered.entries.retain(|it| !it.content.as_path_message().is_some_and(is_pinned));
    }
    Some(covered.prompt_prefix(last.checked_sub(first)?))
}
