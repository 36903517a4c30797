//! The name of a session for a provider's prompt cache.

use sha2::{Digest, Sha256};
use skein_domain::ids::SessionId;
use skein_domain::session::Session;

/// The same for every call of a session, and nothing that says anything of it or its user.
pub(crate) fn prompt_cache_key(session: &Session) -> String {
    key_of(session.id, session.created_at)
}

/// Every installation has a session 1: the time of creation tells them apart.
fn key_of(session: SessionId, created_at: i64) -> String {
    let digest = Sha256::new_with_prefix("prompt cache")
        .chain_update(session.0.to_le_bytes())
        .chain_update(created_at.to_le_bytes());
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_keeps_its_key_and_another_has_another() {
        let key = key_of(SessionId(7), 1_000);
        assert_eq!(key, key_of(SessionId(7), 1_000));
        assert_ne!(key, key_of(SessionId(8), 1_000));
        assert_ne!(key, key_of(SessionId(7), 1_001), "the same row of another installation");
        assert_eq!(key.len(), 32);
    }
}
