//! Keychains that refuse, are slow, or were away.

use std::any::Any;
use std::collections::HashMap as Map;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use keyring_core::api::CredentialStoreApi;
use keyring_core::{CredentialStore, Entry as Credential, mock};
use skein_platform::paths::BUNDLE_ID;

use super::*;

/// Refuses everything.
#[derive(Debug)]
struct RefusingStore;

/// How often it was asked.
static ASKED: AtomicU32 = AtomicU32::new(0);

impl CredentialStoreApi for RefusingStore {
    fn vendor(&self) -> String {
        "tests".into()
    }

    fn id(&self) -> String {
        "closed".into()
    }

    fn build(
        &self,
        _service: &str,
        _user: &str,
        _modifiers: Option<&Map<&str, &str>>,
    ) -> keyring_core::Result<Credential> {
        ASKED.fetch_add(1, Ordering::Relaxed);
        Err(keyring_core::Error::NotSupportedByStore("the prompt was dismissed".into()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[tokio::test]
async fn what_refused_once_is_asked_again_only_where_the_key_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let keychain = Some(Keychain::with_connector(|| Ok(Arc::new(RefusingStore))));
    let secrets = Secrets { keychain, ..Secrets::open(&places) };
    let asked = || ASKED.load(Ordering::Relaxed);
    for _ in 0..3 {
        let refused = secrets.get_cached("ollama", &[]).await;
        assert!(matches!(refused, Err(Error::Keychain { .. })), "{refused:?}");
        assert!(secrets.location("ollama", &[]).await.is_err());
    }
    assert_eq!(asked(), 1);
    assert!(secrets.get("ollama", &[]).await.is_err());
    assert_eq!(asked(), 2);
    let place = SecretLocation::Environment { variable: "PATH".into() };
    assert_eq!(secrets.location("ollama", &["PATH"]).await.unwrap(), Some(place));
    assert_eq!(asked(), 2);
}

fn with(places: &AppPaths, keychain: Keychain) -> Secrets {
    Secrets { keychain: Some(keychain), ..Secrets::open(places) }
}

#[tokio::test]
async fn a_keychain_that_fails_or_is_slow_at_first_is_no_reason_to_write_a_key_in_the_open() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let failing =
        with(&places, Keychain::with_connector(|| Err(keyring_core::Error::NoDefaultStore)));
    let refused = failing.set("ollama", Secret::new("sk-1")).await;
    assert!(matches!(refused, Err(Error::Keychain { .. })), "{refused:?}");

    let mut slow = Keychain::with_connector(|| {
        std::thread::sleep(Duration::from_millis(300));
        Ok(mock::Store::new()?)
    });
    slow.connecting = Duration::from_millis(20);
    let slow = with(&places, slow);
    for _ in 0..2 {
        let refused = slow.set("ollama", Secret::new("sk-1")).await;
        assert!(matches!(refused, Err(Error::Keychain { .. })), "{refused:?}");
    }
    assert!(!places.secrets().exists());
    // The slow keychain answers within half a second.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let place = slow.set("ollama", Secret::new("sk-1")).await;
    assert_eq!(place, Ok(SecretLocation::Keychain {}));
    assert!(!places.secrets().exists());
}

#[tokio::test]
async fn a_key_that_was_kept_while_the_keychain_was_away_is_the_newer_one_and_moves_there() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    Secrets::open(&places).set("ollama", Secret::new("new")).await.unwrap();
    let secrets = with(
        &places,
        Keychain::with_connector(|| {
            let store = mock::Store::new()?;
            store.build(BUNDLE_ID, "ollama", None)?.set_password("old")?;
            Ok(store)
        }),
    );
    let found = secrets.get("ollama", &[]).await.unwrap();
    assert_eq!(found, Some((Secret::new("new"), SecretLocation::Keychain {})));
    let kept = secrets.keychain.as_ref().unwrap().get("ollama").await;
    assert_eq!(kept, Ok(Some(Secret::new("new"))));
    assert_eq!(secrets.file.get("ollama").unwrap(), None);
}

#[tokio::test]
async fn a_key_that_is_to_be_removed_is_noted_until_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let secrets = Secrets::open(&places);
    secrets.may_be_orphan("ollama", 5).unwrap();
    // A program that was killed meanwhile finds it, whether the key is in the file or in the keychain.
    let found = Secrets::open(&places).orphans(9, |_| true).await.unwrap();
    assert_eq!(found, BTreeMap::from([("ollama".to_owned(), 5)]));
    secrets.is_no_orphan("ollama").unwrap();
    assert_eq!(secrets.orphans(9, |_| true).await.unwrap(), BTreeMap::new());
}

/// Holds keys of this program, one of them longer than an entry on Windows, and one of another program.
fn keychain_of_earlier_versions() -> keyring_core::Result<Arc<CredentialStore>> {
    let store = mock::Store::new()?;
    store.build(BUNDLE_ID, "ollama", None)?.set_password("1")?;
    store.build(BUNDLE_ID, "mcp.gone.token", None)?.set_password("2")?;
    store.build(&format!("{BUNDLE_ID}.a1"), "mcp.gone.token", None)?.set_password("3")?;
    store.build("com.example.other", "mine", None)?.set_password("4")?;
    Ok(store)
}

#[tokio::test]
async fn a_key_in_the_keychain_that_nobody_noted_is_found_once_the_keychain_gave_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let secrets = with(&places, Keychain::with_connector(keychain_of_earlier_versions));
    let unnamed = |name: &str| name != "ollama";
    assert_eq!(secrets.orphans(5, unnamed).await.unwrap(), BTreeMap::new(), "it may be locked");
    secrets.get("ollama", &[]).await.unwrap();
    let found = secrets.orphans(6, unnamed).await.unwrap();
    assert_eq!(found, BTreeMap::from([("mcp.gone.token".to_owned(), 6)]));
    secrets.remove("mcp.gone.token").await.unwrap();
    assert_eq!(secrets.get("mcp.gone.token", &[]).await.unwrap(), None);
}
