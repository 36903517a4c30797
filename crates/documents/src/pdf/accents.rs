//! Accents that are drawn over letters as glyphs of their own, as TeX does.

use unicode_normalization::char::compose;

/// The letter with the accent, whichever was drawn first; `None` if they are none or do not fit.
pub(super) fn accented(letter: &str, accent: &str) -> Option<String> {
    let (letter, accent) = (single(letter)?, single(accent)?);
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        letter => letter,
    };
    compose(letter, combining(accent)?).map(String::from)
}

fn single(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// The combining character of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '`' => '\u{300}',
        '´' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        '\u{300}'..='\u{36f}' => accent,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_join_the_letters_that_have_them() {
        for (letter, accent, expected) in [
            ("e", "´", Some("é")),
            ("ı", "ˆ", Some("î")),
            ("s", "ˇ", Some("š")),
            ("c", "¸", Some("ç")),
            ("α", "\u{301}", Some("ά")),
            ("q", "¨", None),
            ("e", "x", None),
            ("fi", "´", None),
            ("", "´", None),
        ] {
            assert_eq!(accented(letter, accent).as_deref(), expected, "{letter}{accent}");
        }
    }
}
