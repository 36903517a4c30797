//! The real program in a real window, found and used as a person does: by role and name.
//!
//! ```ignore
//! use skein_window::Skein;
//!
//! let skein = Skein::start();
//! skein.get("textbox", "Message").fill("Hello");
//! skein.get("button", "Send").click();
//! skein.get("article", "Assistant").see();
//! ```
//!
//! Every [`Skein`] has a folder, a display and a driver of its own, and takes all of them away
//! with it, however the test ends. Whatever is looked for is waited for; what does not come fails
//! the test with an outline of the page and leaves a picture in `target/screens`.
//!
//! Not here: what the product should do. That is in `tests/`.

mod accessibility_tree;
mod conversation;
mod desktop;
mod keyboard;
mod locator;
mod measurement;
mod page;
mod page_text;
mod picture;
mod processes;
mod program;
mod releases;
mod screen_reader;
mod session_bus;
mod shortcut_portal;
mod skein;
mod tray;
mod wait;
mod webdriver;

pub use accessibility_tree::Accessible;
pub use conversation::exported;
pub use desktop::Desktop;
pub use locator::Locator;
pub use measurement::ProportionalMemory;
pub use page_text::{reads, shows};
pub use program::{build_folder, mcp_test_server, program};
pub use releases::{DownloadEnd, Offer, ReleaseKeys, agreed, open_updates, redirect_to, serve};
pub use shortcut_portal::{GIVEN_KEYS, ShortcutPortal};
pub use skein::{Setup, Skein};
pub use tray::Tray;
pub use wait::until;
