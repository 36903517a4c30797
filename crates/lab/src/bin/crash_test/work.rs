//! The pieces of work, done by a process of its own, and what it prints of them: one line for each message
//! that it was told is stored.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use skein_app::app::App;
use skein_app::events::TurnEvent;
use skein_app::view::TranscriptPosition;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_domain::message::Origin;
use skein_platform::paths::AppPaths;

/// The first argument of a process that works.
pub const TASK: &str = "--work";
/// The prefix of a printed line with a stored message.
pub const STORED: &str = "stored: ";
/// The last line of work that came to its end, with or without an error.
pub const ENDED: &str = "ended";
/// The file that is imported, in the data folder.
pub const IMPORT_FILE: &str = "import.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Makes a conversation that all others begin with.
    Preparation,
    Message,
    Compaction,
    Archive,
    Deletion,
    Import,
    Settings,
    Backup,
    /// A start with one more message: what a user does after a crash.
    NextStart,
}

impl Work {
    /// Those that faults are tried on.
    pub const TRIED: [Self; 7] = [
        Self::Message,
        Self::Compaction,
        Self::Archive,
        Self::Deletion,
        Self::Import,
        Self::Settings,
        Self::Backup,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Preparation => "preparation",
            Self::Message => "message",
            Self::Compaction => "compaction",
            Self::Archive => "archive",
            Self::Deletion => "deletion",
            Self::Import => "import",
            Self::Settings => "settings",
            Self::Backup => "backup",
            Self::NextStart => "next-start",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::TRIED.into_iter().chain([Self::Preparation, Self::NextStart]);
        all.find(|work| work.name() == name)
    }
}

/// Does a piece of work in a data folder. Errors of the program end the work early; they are printed.
///
/// # Errors
/// There is no such work.
pub fn perform(name: &str, folder: &Path) -> io::Result<()> {
    let work = Work::named(name).ok_or_else(|| io::Error::other(format!("no work {name:?}")))?;
    let runtime = tokio::runtime::Runtime::new()?;
    if let Err(error) = runtime.block_on(in_program(work, folder)) {
        print(&format!("error: {error:?}"));
    }
    print(ENDED);
    Ok(())
}

async fn in_program(work: Work, folder: &Path) -> Result<()> {
    let app = App::open(AppPaths::in_folder(folder))?;
    let done = match app.sessions.first().await {
        Ok(session) => in_session(&app, work, session, folder).await,
        Err(error) => Err(error),
    };
    app.close().await;
    done
}

async fn in_session(app: &App, work: Work, session: SessionId, folder: &Path) -> Result<()> {
    match work {
        Work::Preparation => {
            for round in 1..=6 {
                send(app, session, &message_of(round)).await?;
            }
            Ok(())
        }
        // Under the strategy `archive` the thread is archived before the message leaves.
        Work::Message | Work::Archive => {
            send(app, session, "The loom in hall 4 has 1,184 threads.").await
        }
        Work::NextStart => send(app, session, "Is the loom still there?").await,
        Work::Compaction => {
            let running = app.compactions.compact(session, None, None).await?;
            running.await.map_err(|error| Error::Storage { detail: error.to_string() })?
        }
        Work::Deletion => {
            let thread = app.sessions.get(session).await?.session.current_thread;
            let page = app.messages.transcript(thread, TranscriptPosition::End {}, 1).await?;
            let last = page.items.last().map(|item| item.message.id);
            let Some(last) = last else { return Ok(()) };
            let deletion = app.messages.delete(last).await?;
            app.messages.restore(deletion).await
        }
        Work::Import => {
            let file = folder.join(IMPORT_FILE).display().to_string();
            app.imports.import(file).await
        }
        Work::Settings => {
            let before = app.settings.view().await?.settings;
            let mut after = before.clone();
            after.context.keep_rounds = 5;
            app.settings.save(before, after).await
        }
        Work::Backup => app.maintenance.back_up().await.map(|_| ()),
    }
}

/// The message of a round. It is long enough that a compaction is worthwhile.
pub fn message_of(round: u32) -> String {
    let line = format!(
        "Machine {round} stands in hall {} and answers on port {}. ",
        round * 3,
        7_440 + round
    );
    line.repeat(60)
}

async fn send(app: &App, session: SessionId, text: &str) -> Result<()> {
    let draft = Draft { text: text.to_owned(), attachments: Vec::new() };
    let text = text.to_owned();
    // A message is stored once its turn shows it.
    let print_stored = move |event: &TurnEvent| {
        if matches!(event, TurnEvent::Message { message } if message.origin == Origin::Person) {
            print(&format!("{STORED}{text}"));
        }
        true
    };
    app.turns.run(session, draft, Arc::new(print_stored)).await.map(|_| ())
}

fn print(line: &str) {
    let mut output = io::stdout().lock();
    // The reader may be gone; then nobody needs the line.
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
