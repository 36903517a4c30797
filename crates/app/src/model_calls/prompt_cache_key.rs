//! The name of a session for a provider's prompt cache.

use sha2::{Digest, Sha256};
use skein_domain::ids::SessionId;

/// The same for every call of a session, and nothing that says anything of it or its user.
pub(crate) fn prompt_cache_key(session: SessionId) -> String {
    let digest = Sha256::new_with_prefix("prompt cache").chain_update(session.0.to_le_bytes());
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_keeps_its_key_and_another_has_another() {
        let key = prompt_cache_key(SessionId(7));
        assert_eq!(key, prompt_cache_key(SessionId(7)));
        assert_ne!(key, prompt_cache_key(SessionId(8)));
        assert_eq!(key.len(), 32);
    }
}
