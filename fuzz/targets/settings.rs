//! Settings are read from any file, and the file stays as it was until the user changes a setting. A change
//! is then in the file, or the file is untouched.
//!
//! Input: `settings.json`.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use skein_app::settings::SettingsFile;
use skein_platform::paths::AppPaths;

fuzz_target!(|input: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places = AppPaths::in_folder(folder.path());
    fs::write(places.settings(), input).expect("room for the file");
    let settings = SettingsFile::open(&places);
    assert_eq!(fs::read(places.settings()).expect("the file"), input, "reading changes nothing");
    let changed = settings.change(|settings| settings.context.keep_rounds = 7);
    let again = SettingsFile::open(&places);
    match changed {
        Ok(_) => assert_eq!(again.get().context.keep_rounds, 7),
        Err(_) => assert_eq!(fs::read(places.settings()).expect("the file"), input),
    }
});
