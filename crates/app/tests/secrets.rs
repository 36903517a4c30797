//! Keys: kept where the machine allows, shown nowhere, and never a reason to hang.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;

use skein_app::secrets::{Secret, SecretLocation, Secrets};
use skein_domain::error::Error;
use skein_platform::paths::AppPaths;
use tempfile::TempDir;

/// Set where this file runs itself again in another environment.
const AGAIN: &str = "SKEIN_TEST_SECRETS_IN";

fn portable() -> (TempDir, AppPaths) {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    (folder, places)
}

#[tokio::test]
async fn a_key_is_kept_until_it_is_removed_and_the_place_is_said() {
    let (_folder, places) = portable();
    let secrets = Secrets::open(&places);
    assert_eq!(secrets.get("openai", &[]).await.unwrap(), None);
    let path = places.secrets().display().to_string();
    let place = SecretLocation::File { path };
    assert_eq!(secrets.set("openai", Secret::new(" sk-1 \n")).await.unwrap(), place);

    let anew = Secrets::open(&places);
    let found = anew.get("openai", &[]).await.unwrap();
    assert_eq!(found, Some((Secret::new("sk-1"), place)));
    anew.remove("openai").await.unwrap();
    assert_eq!(anew.location("openai", &[]).await.unwrap(), None);
    assert_eq!(Secrets::open(&places).location("openai", &[]).await.unwrap(), None);
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_alone_also_when_it_was_not() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, places) = portable();
    fs::write(places.secrets(), "{}").unwrap();
    fs::set_permissions(places.secrets(), fs::Permissions::from_mode(0o644)).unwrap();
    Secrets::open(&places).set("openai", Secret::new("sk-1")).await.unwrap();
    let mode = fs::metadata(places.secrets()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn nothing_that_prints_or_fails_shows_a_key() {
    let secret = Secret::new("sk-very-secret");
    assert_eq!(format!("{secret:?}"), "Secret(…)");
    let (_folder, places) = portable();
    fs::write(places.secrets(), "{ \"openai\": [\"sk-very-secret\"], ").unwrap();
    let error = Secrets::open(&places).get("openai", &[]).await.unwrap_err();
    assert!(!format!("{error:?} {error}").contains("sk-very-secret"));
}

#[tokio::test]
async fn a_kept_key_comes_before_the_environments() {
    let (_folder, places) = portable();
    let secrets = Secrets::open(&places);
    // Set in every test environment, and no key.
    let variables = ["SKEIN_NOT_SET", "PATH"];
    let place = SecretLocation::Environment { variable: "PATH".into() };
    assert_eq!(secrets.location("openai", &variables).await.unwrap(), Some(place));
    secrets.set("openai", Secret::new("sk-1")).await.unwrap();
    let (key, _) = secrets.get("openai", &variables).await.unwrap().unwrap();
    assert_eq!(key.expose(), "sk-1");
}

/// A session bus that is not there, and one that takes connections and never says a word.
#[cfg(target_os = "linux")]
#[test]
fn a_keychain_that_is_absent_or_mute_never_hangs_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let mute = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let held = std::thread::spawn(move || mute.incoming().take(1).collect::<Vec<_>>());
    for (bus, test) in [
        (folder.path().join("nothing"), "a_key_is_kept_in_the_file_where_there_is_no_keychain"),
        (socket, "a_key_is_kept_nowhere_where_the_keychain_says_nothing"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let again = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", test])
            .env(AGAIN, folder.path())
            .env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}", bus.display()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success() && said.contains("1 passed"), "{said}");
    }
    drop(held);
}

#[tokio::test]
#[ignore = "a test above runs it, with a bus of its own"]
async fn a_key_is_kept_in_the_file_where_there_is_no_keychain() {
    let folder = std::env::var_os(AGAIN).expect("run by the test above");
    let places = AppPaths { portable: false, ..AppPaths::in_folder(folder.as_ref()) };
    let secrets = Secrets::open(&places);
    let place = secrets.set("openai", Secret::new("sk-1")).await.unwrap();
    assert_eq!(place, SecretLocation::File { path: places.secrets().display().to_string() });
    let found = Secrets::open(&places).location("openai", &[]).await.unwrap();
    assert_eq!(found, Some(place));
}

#[tokio::test]
#[ignore = "a test above runs it, with a bus of its own"]
async fn a_key_is_kept_nowhere_where_the_keychain_says_nothing() {
    let folder = std::env::var_os(AGAIN).expect("run by the test above");
    let places = AppPaths { portable: false, ..AppPaths::in_folder(folder.as_ref()) };
    let refused = Secrets::open(&places).set("openai", Secret::new("sk-1")).await;
    assert!(matches!(refused, Err(Error::Keychain { .. })), "{refused:?}");
    assert!(!places.secrets().exists());
}

/// `echo -n pw | gnome-keyring-daemon --unlock` inside `dbus-run-session` makes one. Windows has one for each
/// user, which is never locked.
#[tokio::test]
#[cfg_attr(not(windows), ignore = "wants an unlocked Secret Service")]
async fn a_key_is_kept_in_the_keychain_where_there_is_one() {
    let (_folder, places) = portable();
    let places = AppPaths { portable: false, ..places };
    let name = "skein-test";
    let secrets = Secrets::open(&places);
    assert_eq!(secrets.set(name, Secret::new("sk-1")).await.unwrap(), SecretLocation::Keychain {});
    assert!(!places.secrets().exists());
    let found = Secrets::open(&places).get(name, &[]).await.unwrap();
    assert_eq!(found, Some((Secret::new("sk-1"), SecretLocation::Keychain {})));
    // Longer than an entry of Windows may be.
    let long = "织".repeat(3_000);
    secrets.set(name, Secret::new(&long)).await.unwrap();
    let (found, _) = Secrets::open(&places).get(name, &[]).await.unwrap().unwrap();
    assert_eq!(found.expose(), long);
    let listed = secrets.orphans(0, |listed| listed.contains(name)).await.unwrap();
    assert_eq!(listed.into_keys().collect::<Vec<_>>(), [name]);
    secrets.remove(name).await.unwrap();
    assert_eq!(Secrets::open(&places).location(name, &[]).await.unwrap(), None);
}

#[cfg(target_os = "linux")]
#[test]
fn a_key_counts_as_kept_once_the_name_of_its_file_is_on_the_disk() {
    let (folder, _places) = portable();
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "keeps_where_no_folder_can_be_synced"])
        .env(faulty_disk::FOLDER, folder.path())
        .env("LD_PRELOAD", faulty_disk::LIBRARY)
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "the test above runs it, on a disk that fails"]
async fn keeps_where_no_folder_can_be_synced() {
    let folder = std::env::var_os(faulty_disk::FOLDER).unwrap();
    let places = AppPaths::in_folder(folder.as_ref());
    let secrets = Secrets::open(&places);
    faulty_disk::set(folder.as_ref(), Some(faulty_disk::Fault::Unnamed));
    let kept = secrets.set("openai", Secret::new("sk-1")).await;
    let path = places.secrets().display().to_string();
    assert_eq!(kept.err(), Some(Error::DiskFailing { path }));
}
