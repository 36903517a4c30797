//! A configuration as it is shown: with dots where a key is written out.

use super::in_config::replace_secrets;
use crate::mcp::McpTransport;

/// What is shown in the place of a key.
pub(super) const DOTS: &str = "••••";

/// How a server is reached, with dots where a key is written out.
pub(in crate::mcp) fn mask_transport(transport: &McpTransport) -> McpTransport {
    let mut shown = transport.clone();
    replace_secrets(&mut shown, &mut |_, _| DOTS.to_owned());
    shown
}
