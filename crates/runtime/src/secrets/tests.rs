//! A keychain that is there and refuses.

use std::any::Any;
use std::collections::HashMap as Map;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use keyring_core::Entry as Credential;
use keyring_core::api::CredentialStoreApi;

use super::*;

/// Refuses everything.
#[derive(Debug)]
struct Closed;

/// How often it was asked.
static ASKED: AtomicU32 = AtomicU32::new(0);

impl CredentialStoreApi for Closed {
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
    let places = Places::in_one(folder.path());
    let keychain = Some(Keychain::opened_by(|| Ok(Arc::new(Closed))));
    let secrets = Secrets { keychain, ..Secrets::open(&places) };
    let asked = || ASKED.load(Ordering::Relaxed);
    for _ in 0..3 {
        let refused = secrets.get_in_passing("ollama", &[]).await;
        assert!(matches!(refused, Err(Error::Keychain { .. })), "{refused:?}");
        assert!(secrets.place("ollama", &[]).await.is_err());
    }
    assert_eq!(asked(), 1);
    assert!(secrets.get("ollama", &[]).await.is_err());
    assert_eq!(asked(), 2);
    let place = SecretPlace::Environment { variable: "PATH".into() };
    assert_eq!(secrets.place("ollama", &["PATH"]).await.unwrap(), Some(place));
    assert_eq!(asked(), 2);
}
