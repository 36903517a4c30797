//! Masks the keys in a configuration for display.

use super::in_config::replace_secrets;
use crate::mcp::McpTransport;

pub(super) const MASK: &str = "••••";

pub(in crate::mcp) fn mask_transport(transport: &McpTransport) -> McpTransport {
    let mut shown = transport.clone();
    replace_secrets(&mut shown, &mut |_, _| MASK.to_owned());
    shown
}
