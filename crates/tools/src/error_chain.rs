//! Formats an error with its causes.

/// An error with its causes on one line. The outermost error alone says too little. Addresses lose
/// their queries, which may contain keys.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    let pieces = text.split_inclusive([' ', ')']).map(|word| match word.split_once('?') {
        Some((address, query)) if address.contains("://") => {
            format!("{address}{}", if query.ends_with(')') { ")" } else { " " })
        }
        Some(_) | None => word.to_owned(),
    });
    pieces.collect()
}
