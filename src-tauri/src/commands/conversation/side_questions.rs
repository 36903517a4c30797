//! Questions beside the conversation.

use std::time::{Duration, Instant};

use skein_app::view::{SideAnswer, SideRound};
use skein_domain::ids::SessionId;
use tauri::ipc::Channel;

use crate::commands::{AppState, Result, commands};

/// How often the panel is told what has arrived.
const SHOWN_EVERY: Duration = Duration::from_millis(33);

/// Asks behind the earlier questions. The channel takes the words as they arrive; the whole answer is
/// returned.
#[tauri::command]
#[specta::specta]
pub async fn ask_side_question(
    host: AppState<'_>,
    session_id: SessionId,
    earlier: Vec<SideRound>,
    question: String,
    channel: Channel<String>,
) -> Result<SideAnswer> {
    let (mut arrived, mut shown) = (String::new(), Instant::now());
    let on_text = move |delta: &str| {
        arrived.push_str(delta);
        if shown.elapsed() >= SHOWN_EVERY {
            // A panel that is gone needs no words.
            let _ = channel.send(std::mem::take(&mut arrived));
            shown = Instant::now();
        }
    };
    host.side_questions.ask(session_id, earlier, question, on_text).await
}

/// Stops the side question that is being answered.
#[tauri::command]
#[specta::specta]
pub async fn stop_side_question(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.side_questions.stop(session_id);
    Ok(())
}

commands! {
    /// Makes normal rounds of them, at the end of the current thread.
    fn keep_side_questions(session_id: SessionId, rounds: Vec<SideRound>) -> ()
        => side_questions.keep_rounds;
}
