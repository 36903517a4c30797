//! The tests of the window. One program, so that it is linked once; a module per subject.

#[path = "window/compaction.rs"]
mod compaction;
#[path = "window/opening.rs"]
mod opening;
#[path = "window/walls.rs"]
mod walls;
