//! The log, a file in the data folder.
//!
//! It contains the program's actions, never the user's text. Only Skein's own crates are logged
//! (the HTTP client would log keys), and of a panic only its place, because its message may quote a
//! text.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::sync::Mutex;
use std::{io, panic};

use skein_platform::atomic_file;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;

/// The size in bytes from which the next start begins a new file and renames this one to
/// `skein.log.old`.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Starts logging to `file`, including panics.
///
/// # Errors
/// The file cannot be written. The program can run without it.
pub fn start(file: &Path) -> io::Result<()> {
    let subscriber = subscriber(open(file)?);
    // Fails only if a test has started twice; the first subscriber then stays.
    tracing::subscriber::set_global_default(subscriber).ok();
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panicked");
        default(panic);
    }));
    Ok(())
}

fn subscriber(file: File) -> impl tracing::Subscriber + Send + Sync {
    let own = [
        "skein",
        "skein_lib",
        "skein_app",
        "skein_context",
        "skein_demo",
        "skein_documents",
        "skein_domain",
        "skein_platform",
        "skein_providers",
        "skein_store",
        "skein_tools",
        "skein_transfer",
    ];
    let filter = Targets::new().with_targets(own.map(|target| (target, Level::INFO)));
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
    tracing_subscriber::registry().with(layer.with_filter(filter))
}

fn open(file: &Path) -> io::Result<File> {
    if let Some(folder) = file.parent() {
        atomic_file::create_private_folder(folder)?;
    }
    if fs::metadata(file).is_ok_and(|metadata| metadata.len() > LARGEST) {
        fs::rename(file, file.with_extension("log.old"))?;
    }
    atomic_file::create_private_file(file)?;
    OpenOptions::new().append(true).open(file)
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, open, subscriber};
    use std::fs;

    #[test]
    fn the_log_hears_skein_and_no_other_crate() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/skein.log");
        tracing::subscriber::with_default(subscriber(open(&file).unwrap()), || {
            tracing::info!(target: "skein_app::turn", generation = 3, "finished");
            tracing::error!(target: "hyper::proto", "authorization: Bearer sk-secret");
            tracing::debug!(target: "skein_app::turn", "too much detail");
        });
        let text = fs::read_to_string(file).unwrap();
        assert!(text.ends_with("skein_app::turn: finished generation=3\n"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }

    #[test]
    fn a_log_that_has_grown_large_is_set_aside_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skein.log");
        let write = |length| fs::File::create(&file).unwrap().set_len(length).unwrap();
        let old = folder.path().join("skein.log.old");

        write(LARGEST);
        assert_eq!(open(&file).unwrap().metadata().unwrap().len(), LARGEST);
        assert!(!old.exists());
        write(LARGEST + 1);
        assert_eq!(open(&file).unwrap().metadata().unwrap().len(), 0);
        assert_eq!(old.metadata().unwrap().len(), LARGEST + 1);
    }
}
