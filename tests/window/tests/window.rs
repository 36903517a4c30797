//! The tests of the window. One program, so that it is linked once; a module per subject.

#[path = "window/actions.rs"]
mod actions;
#[path = "window/aside.rs"]
mod aside;
#[path = "window/branches.rs"]
mod branches;
#[path = "window/budgets.rs"]
mod budgets;
#[path = "window/closing.rs"]
mod closing;
#[path = "window/compaction.rs"]
mod compaction;
#[path = "window/cost_estimates.rs"]
mod cost_estimates;
#[path = "window/costs.rs"]
mod costs;
#[path = "window/data.rs"]
mod data;
#[path = "window/deferred_tools.rs"]
mod deferred_tools;
#[path = "window/documents.rs"]
mod documents;
#[path = "window/encrypted_compaction.rs"]
mod encrypted_compaction;
#[path = "window/facts.rs"]
mod facts;
#[path = "window/full_disk.rs"]
mod full_disk;
#[path = "window/health.rs"]
mod health;
#[path = "window/instructions.rs"]
mod instructions;
#[path = "window/keyboard.rs"]
mod keyboard;
#[path = "window/left_out.rs"]
mod left_out;
#[path = "window/links.rs"]
mod links;
#[path = "window/long_lists.rs"]
mod long_lists;
#[path = "window/long_reply.rs"]
mod long_reply;
#[path = "window/memory.rs"]
mod memory;
#[path = "window/opening.rs"]
mod opening;
#[path = "window/own_window.rs"]
mod own_window;
#[path = "window/page_restrictions.rs"]
mod page_restrictions;
#[path = "window/picture.rs"]
mod picture;
#[path = "window/provider_compaction.rs"]
mod provider_compaction;
#[path = "window/providers.rs"]
mod providers;
#[path = "window/quarantine.rs"]
mod quarantine;
#[path = "window/quick_ask.rs"]
mod quick_ask;
#[path = "window/ranges.rs"]
mod ranges;
#[path = "window/savings.rs"]
mod savings;
#[path = "window/scripted.rs"]
mod scripted;
#[path = "window/several_sessions.rs"]
mod several_sessions;
#[path = "window/shortcut.rs"]
mod shortcut;
#[path = "window/spoken.rs"]
mod spoken;
#[path = "window/spoken_tree.rs"]
mod spoken_tree;
#[path = "window/superseded_reads.rs"]
mod superseded_reads;
#[path = "window/taskbar.rs"]
mod taskbar;
#[path = "window/tools.rs"]
mod tools;
#[path = "window/tray.rs"]
mod tray;
#[path = "window/update_faults.rs"]
mod update_faults;
#[path = "window/updates.rs"]
mod updates;
