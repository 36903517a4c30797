//! The generation in the id of a Claude model.

/// The generation and its minor number; `(0, 0)` for an id without a family before them.
pub(super) fn generation(model: &str) -> (u32, u32) {
    let Some((_, name)) = model.rsplit_once("claude-") else { return (0, 0) };
    let mut words = name.split(['-', '.', '@', ':']);
    let family = words.next().is_some_and(|word| word.starts_with(char::is_alphabetic));
    // A date is neither.
    let mut number = || words.next().and_then(|word| word.parse().ok()).filter(|it| *it < 100);
    match number() {
        Some(generation) if family => (generation, number().unwrap_or(0)),
        _ => (0, 0),
    }
}
