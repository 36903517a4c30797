//! Side questions: asked from the present context, beside the conversation and no part of it.
//!
//! Until the user keeps one, only its cost is stored: the thread's next request stays byte for byte as it was
//! (W02). The declarations of the tools stay in the request, so that the provider's cache holds for it; a
//! call is not run. Not here: the call itself (`model_calls::side_request`).

use std::sync::Arc;

use skein_context::prompts;
use skein_context::tokens::message_tokens::count_parts;
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::error::{Error, Result};
use skein_domain::generation::Purpose;
use skein_domain::ids::SessionId;
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_store::{MessageParent, NewMessage, Store};
use tokio_util::sync::CancellationToken;

use crate::clock::now;
use crate::context::turn_context::TurnContext;
use crate::context::turn_contexts::TurnContexts;
use crate::events::Topic;
use crate::live::LiveSessions;
use crate::messages::thread_writer::ThreadWriter;
use crate::model_calls::reply_ending::finished_state;
use crate::model_calls::side_request::{SideRequest, SideRequests, cancelled};
use crate::notifier::Notifier;
use crate::view::{SideAnswer, SideRound};

/// Asks side questions, at most one at a time in a session.
pub struct SideQuestions {
    pub(crate) store: Store,
    pub(crate) notifier: Notifier,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) thread_writer: Arc<ThreadWriter>,
    pub(crate) contexts: Arc<TurnContexts>,
    pub(crate) side_requests: Arc<SideRequests>,
}

impl SideQuestions {
    /// Asks a question behind the `earlier` ones, and hands on the words as they arrive.
    ///
    /// # Errors
    /// [`Error::Busy`] while another question is answered; [`Error::TooLong`] if the request has no room, and
    /// does not leave; else the errors of the call. A stopped call ends with the error of a cancelled one.
    pub async fn ask(
        &self,
        session: SessionId,
        earlier: Vec<SideRound>,
        question: String,
        on_text: impl FnMut(&str) + Send,
    ) -> Result<SideAnswer> {
        let live = self.live_sessions.get(session);
        let (cancel, until_its_end) = live.side_question.start()?;
        let answer = self.answer(session, &earlier, &question, &cancel, on_text).await;
        drop(until_its_end);
        // The window may ask whether to close while it runs.
        self.notifier.changed([Topic::Closing {}]);
        answer
    }

    /// Stops the question that is being answered, if there is one.
    pub fn stop(&self, session: SessionId) {
        self.live_sessions.get(session).side_question.stop();
    }

    /// Makes normal rounds of them, at the end of the current thread.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn keep_rounds(&self, session: SessionId, rounds: Vec<SideRound>) -> Result<()> {
        let live = self.live_sessions.get(session);
        let _no_turn_begins = live.turn.block().await;
        if live.turn.is_running() {
            return Err(Error::Busy {});
        }
        let thread = self.store.session(session).await?.current_thread;
        let at = now();
        let messages = rounds.into_iter().flat_map(|round| messages_of(round, at)).collect();
        self.store.append_messages(thread, messages).await?;
        self.thread_writer.notify_thread_changed(thread).await
    }

    async fn answer(
        &self,
        session: SessionId,
        earlier: &[SideRound],
        question: &str,
        cancel: &CancellationToken,
        on_text: impl FnMut(&str) + Send,
    ) -> Result<SideAnswer> {
        let context = cancel.run_until_cancelled(self.contexts.of(session)).await;
        let context = context.ok_or_else(cancelled)??;
        let (prompt, sent) = side_prompt(&context, earlier, question);
        let limit = context.limits.prompt_limit_with_reserve(context.policy.output_reserve);
        if limit.is_some_and(|limit| sent.tokens > limit) {
            let (actual, message) = (Some(sent.tokens), String::new());
            return Err(Error::TooLong { limit, actual, output_only: false, message });
        }
        let max_output = context.max_output(sent.tokens);
        let request = SideRequest {
            thread: context.loaded.thread.id,
            purpose: Purpose::SideQuestion,
            model: &context.model,
            prompt,
            by_provider: None,
            tokens: Some(sent),
            checks_truncation: true,
            max_output,
            effort: context.effort,
        };
        let reply = self.side_requests.send(request, cancel, on_text).await?;
        let shortened = context.output_cap(max_output);
        let finished = reply.finish.map(|reason| finished_state(reason, shortened));
        Ok(SideAnswer {
            text: reply.text,
            ending: finished.unwrap_or(MessageState::Interrupted {}),
            truncation: reply.truncation,
            model: context.model,
            has_calls: reply.has_calls,
            usage: reply.usage,
            cost: reply.cost,
        })
    }
}

/// The request of a side question, and its tokens: the thread's next request, whose new message is the first
/// question, then the answers and the further questions.
fn side_prompt(
    context: &TurnContext,
    earlier: &[SideRound],
    question: &str,
) -> (Prompt, TokenCount) {
    let counter = context.counter.as_ref();
    let text = |text: &str| ContentPart::Text { text: text.to_owned() };
    let questions = earlier.iter().map(|round| round.question.as_str()).chain([question]);
    let answers = earlier.iter().map(|round| round.answer.as_str());
    // Without a conversation the question is a quick one and needs no frame.
    let has_conversation = context.loaded.messages().next().is_some();
    let framed =
        |it: &str| if has_conversation { prompts::side_question(it) } else { it.to_owned() };
    let mut questions = questions.map(|it| vec![text(&framed(it))]);
    let first = questions.next().unwrap_or_default();
    let tokens = count_parts(counter, &first);
    let (mut prompt, mut sent) = context
        .with_window(Some((first.as_slice(), &tokens)), |window| (window.prompt(), window.used));
    for (answer, question) in answers.zip(questions) {
        for (role, parts) in [(Role::Assistant, vec![text(answer)]), (Role::User, question)] {
            sent.tokens = sent.tokens.saturating_add(count_parts(counter, &parts).total());
            prompt.messages.push(PromptMessage { role, parts: parts.into() });
        }
    }
    (prompt, sent)
}

/// The two messages of a round that is kept.
fn messages_of(round: SideRound, at: i64) -> [NewMessage; 2] {
    let SideRound { question, answer, model, ending } = round;
    let message = |role, origin, text, state, model| NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Chat {},
        role,
        origin,
        parts: vec![ContentPart::Text { text }],
        state,
        model,
        created_at: at,
    };
    [
        message(Role::User, Origin::Person, question, MessageState::Complete {}, None),
        message(Role::Assistant, Origin::Model, answer, ending, model),
    ]
}
