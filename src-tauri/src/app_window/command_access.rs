//! The commands that a window may call. Tauri's capabilities do not restrict the program's own commands.

use skein_domain::error::Error;
use tauri::Wry;
use tauri::ipc::Invoke;

use crate::app_window::QUICK_ASK;

/// The commands of the window for quick questions. The other windows may call all commands.
const QUICK_ASK_COMMANDS: [&str; 13] = [
    "allow_over_budget",
    "announce",
    "ask_side_question",
    "hide_quick_ask",
    "keep_side_questions",
    "load_picture",
    "new_chat",
    "note_unsaved",
    "settings",
    "show_in_app_window",
    "start_fault",
    "stop_side_question",
    "unused_session",
];

/// Restricts a handler of commands to those that the calling window may call.
pub fn restrict(
    handler: impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static,
) -> impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static {
    move |invoke| {
        let (window, command) = (invoke.message.webview_ref().label(), invoke.message.command());
        if may_call(window, command) {
            return handler(invoke);
        }
        let detail = format!("the window {window} may not call {command}");
        tracing::warn!(window, command, "a window may not call this command");
        invoke.resolver.reject(Error::Tool { detail });
        true
    }
}

fn may_call(window: &str, command: &str) -> bool {
    window != QUICK_ASK || QUICK_ASK_COMMANDS.contains(&command)
}

#[cfg(test)]
mod tests {
    use super::{QUICK_ASK_COMMANDS, may_call};
    use crate::app_window::{MAIN, QUICK_ASK};

    #[test]
    fn the_window_for_quick_questions_reaches_its_own_commands_alone() {
        assert!(may_call(QUICK_ASK, "ask_side_question"));
        for command in ["delete_sessions", "set_key", "export_all", "sessions", "answer_tool"] {
            assert!(!may_call(QUICK_ASK, command), "{command}");
            assert!(may_call(MAIN, command));
            assert!(may_call("session-7", command));
        }
    }

    #[test]
    fn each_command_of_the_window_for_quick_questions_exists() {
        let bindings = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/ipc/bindings.ts");
        let bindings = std::fs::read_to_string(bindings).unwrap();
        for command in QUICK_ASK_COMMANDS {
            assert!(bindings.contains(&format!("(\"{command}\"")), "{command}");
        }
    }
}
