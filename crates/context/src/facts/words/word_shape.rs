//! The kind of value that a word is, from its characters alone.
//!
//! Not here: values made of several words (dates, numbers with units, names): `values`.

use std::sync::LazyLock;

use super::super::fact::FactKind;
use super::word_key::{HashKeySet, fold_case};

/// Units that are written onto their number.
static UNITS: LazyLock<HashKeySet> = LazyLock::new(|| {
    set("ms s sec min m h hr d w us ns kb mb gb tb pb kib mib gib tib b k x px rem em pt hz khz \
         mhz ghz km cm mm kg g mg lb kw kwh mw v mv a ma mah rps qps rpm fps dpi ppm db ml l bn \
         eur usd °c c f st nd rd th % mbps gbps kbps mb/s gb/s req/s am pm kcal hp bit bits tps")
});

/// The endings of the names of files.
static EXTENSIONS: LazyLock<HashKeySet> = LazyLock::new(|| {
    set("rs toml lock md txt json jsonl yaml yml ts tsx js jsx mjs cjs css scss html htm py ipynb \
         go java kt kts swift c h cc cpp hpp cs rb php sql sh bash zsh ps1 bat xml svg png jpg \
         jpeg gif webp pdf doc docx xls xlsx ppt pptx csv tsv parquet db sqlite log conf cfg ini \
         env pem key crt zip gz tar tgz bz2 xz 7z exe dll so wasm proto tf vue svelte lua ex exs \
         erl hs scala clj r jl dart zig mp3 mp4 wav bak tmp service plist gradle properties bin \
         onnx pt ckpt npz tex bib psd fig sketch d mk dockerfile map patch diff rst org epub heic \
         mov")
});

/// Letters before digits that may be a name; fewer are a part of an identifier.
const NAMING: usize = 3;

fn set(words: &str) -> HashKeySet {
    words.split_whitespace().map(fold_case).collect()
}

/// The kind of value that a trimmed word is, if it is one: whole, so no piece of something in brackets.
pub(in crate::facts) fn value_kind(word: &str) -> Option<FactKind> {
    let plain = word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
    let plain = plain && word.starts_with(|c: char| c.is_ascii_alphabetic());
    if word.len() > 300 || plain || !is_balanced(word) {
        return None;
    }
    if let Some(word) = with_ascii_digits(word) {
        return value_kind(&word);
    }
    let value = labelled(word);
    let kind =
        if let Some(value) = value { of(value).or(Some(FactKind::Symbol)) } else { of(word) };
    kind.filter(|_| word.len() > 1 || word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The word with ASCII digits in place of other decimal digits; `None` if it has no others.
fn with_ascii_digits(word: &str) -> Option<String> {
    const ZEROS: [char; 16] = [
        '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
        '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{1040}', '\u{17e0}', '\u{ff10}',
    ];
    let digit = |c: char| {
        let from = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|at| *at < 10);
        char::from_digit(ZEROS.iter().find_map(from)?, 10)
    };
    let has_other = !word.is_ascii() && word.chars().any(|c| digit(c).is_some());
    has_other.then(|| word.chars().map(|c| digit(c).unwrap_or(c)).collect())
}

/// True if the brackets within a word are balanced. If not, the word is a fragment of something longer. Angle
/// brackets are ignored, because they may be part of an arrow.
fn is_balanced(word: &str) -> bool {
    const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let mut open = Vec::new();
    for letter in word.chars() {
        match BRACKETS.iter().find(|(opens, closes)| letter == *opens || letter == *closes) {
            Some((opens, closes)) if letter == *opens => open.push(*closes),
            Some(_) if open.pop() != Some(letter) => return false,
            Some(_) | None => {}
        }
    }
    open.is_empty()
}

/// The right side of `label=value`.
fn labelled(word: &str) -> Option<&str> {
    let (label, value) = word.split_once('=')?;
    let plain =
        label.trim_start_matches('-').chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
    (plain && !label.is_empty() && !value.is_empty()).then_some(value.trim_matches(['"', '\'']))
}

fn of(word: &str) -> Option<FactKind> {
    let ascii = word.bytes();
    let digits = ascii.clone().filter(u8::is_ascii_digit).count();
    let letters = ascii.clone().filter(u8::is_ascii_alphabetic).count();
    if word.contains("://") || word.starts_with("www.") || word.starts_with("mailto:") {
        return Some(FactKind::Url);
    }
    if digits > 0 && letters == 0 {
        return if opens_with_word(word) { Some(FactKind::Symbol) } else { numeric(word) };
    }
    if is_clock(word) {
        return Some(FactKind::Date);
    }
    if is_code_location(word) {
        return Some(FactKind::CodeLocation);
    }
    if digits > 0 && is_measure(word) {
        return Some(FactKind::Number);
    }
    if is_version(word) {
        return Some(FactKind::Version);
    }
    if is_path(word) {
        return Some(FactKind::Path);
    }
    if is_hash(word) {
        return Some(FactKind::Hash);
    }
    if is_identifier(word, digits, letters) {
        return Some(FactKind::Identifier);
    }
    is_symbol(word).then_some(FactKind::Symbol)
}

/// True if a word in letters other than ASCII stands before the digits: it may name the thing that has them.
fn opens_with_word(word: &str) -> bool {
    let before = word.chars().take_while(|c| !c.is_ascii_digit());
    before.filter(|c| c.is_alphabetic()).count() >= NAMING
}

/// Digits and marks only: a number, a date, a time, a version, an address.
fn numeric(word: &str) -> Option<FactKind> {
    let bare =
        word.trim_start_matches(['$', '€', '£', '¥', '~', '<', '>', '+', '-', '≥', '≤', '^']);
    if let Some(rest) = bare.strip_prefix('#') {
        return rest.bytes().all(|b| b.is_ascii_digit()).then_some(FactKind::Identifier);
    }
    let dots = bare.bytes().filter(|b| *b == b'.').count();
    let separators = |mark: u8| bare.bytes().filter(|b| *b == mark).count();
    let groups = |mark: char| bare.split(mark).all(|part| (1..=4).contains(&part.len()));
    if separators(b'-') == 2 && groups('-') || separators(b'/') == 2 && groups('/') {
        return Some(FactKind::Date);
    }
    if separators(b':') > 0 {
        let address = dots == 3 && separators(b':') == 1;
        return if address {
            Some(FactKind::Identifier)
        } else {
            groups(':').then_some(FactKind::Date)
        };
    }
    match dots {
        2 if bare.split('.').next_back().is_some_and(|year| year.len() == 4) => {
            Some(FactKind::Date)
        }
        2 => Some(FactKind::Version),
        3 => Some(FactKind::Identifier),
        _ if bare.bytes().filter(|b| *b == b'-').count() >= 1 => Some(FactKind::Identifier),
        _ => Some(FactKind::Number),
    }
}

/// `7h52`, `19h`.
fn is_clock(word: &str) -> bool {
    let digits = |text: &str, most: usize| {
        text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.split_once(['h', 'H']).is_some_and(|(hours, minutes)| {
        !hours.is_empty() && digits(hours, 2) && minutes.len() == 2 && digits(minutes, 2)
    })
}

/// A number that carries its unit: `250ms`, `16GB`, `3x`, `45k`, `99.9%`.
fn is_measure(word: &str) -> bool {
    let bare = word.trim_start_matches(['$', '€', '£', '¥', '~', '<', '>', '+', '-']);
    let number = bare.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '_'));
    let Some((digits, unit)) = number.and_then(|at| bare.split_at_checked(at)) else {
        return false;
    };
    !digits.is_empty() && UNITS.contains(&fold_case(unit))
}

/// `src/main.rs:42`, `app.py:10:5`, `lib.rs#L42`.
fn is_code_location(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some((file, line)) = word.split_once(':').or_else(|| word.split_once("#L")) else {
        return false;
    };
    let line = line.trim_end_matches(')');
    let mut places = line.split([':', '-']);
    let numbered = places.next().is_some_and(number)
        && places.all(|part| number(part.trim_start_matches('L')));
    numbered && (is_path(file) || has_extension(file))
}

/// `v2`, `v1.4.0-rc.2`, `1.2.3-beta`.
fn is_version(word: &str) -> bool {
    let bare = word.strip_prefix(['v', 'V', '^', '~', '=']).unwrap_or(word);
    let marked = bare.len() < word.len();
    let dots = bare.bytes().filter(|b| *b == b'.').count();
    let plain =
        bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+' | b'_'));
    let numbers = bare.split(['-', '+']).next().unwrap_or(bare);
    let numbered = numbers.split('.').all(|part| {
        !part.is_empty()
            && part.bytes().next().is_some_and(|b| b.is_ascii_digit())
            && part.bytes().filter(|b| !b.is_ascii_digit()).count() <= 4
    });
    plain && numbered && (marked || dots >= 1)
}

/// Has a folder in it, or the end of a file's name.
pub(in crate::facts) fn is_path(word: &str) -> bool {
    let rooted = ["/", "./", "../", "~/", "\\\\", "@/"].iter().any(|root| word.starts_with(root))
        || word.get(1..3).is_some_and(|drive| drive == ":\\" || drive == ":/");
    let plain = word.chars().all(|c| c.is_alphanumeric() || "/\\._-~+@#$%*:[]{}()=,".contains(c));
    if !plain || word.contains('@') && !word.contains('/') {
        return false;
    }
    let slashes = word.chars().filter(|c| matches!(c, '/' | '\\')).count();
    if rooted {
        return word.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    }
    let telling =
        word.chars().any(|c| c.is_ascii_digit() || "._-*".contains(c)) || word.ends_with('/');
    slashes >= 2 || slashes == 1 && telling || slashes == 0 && has_extension(word)
}

/// `name.ext`, where neither side is a number.
fn has_extension(word: &str) -> bool {
    let Some((name, extension)) = word.rsplit_once('.') else { return false };
    let named = name.is_empty() && extension.len() > 2
        || name.bytes().any(|b| b.is_ascii_alphabetic()) && !name.contains(['(', '@']);
    named && EXTENSIONS.contains(&fold_case(extension))
        || name.is_empty() && word.len() > 3 && extension.bytes().all(|b| b.is_ascii_alphabetic())
}

/// A commit's hexadecimal digits, or a named checksum.
fn is_hash(word: &str) -> bool {
    let hex = word.split_once(':').filter(|(name, _)| name.starts_with("sha") || *name == "md5");
    let digits = hex.map_or(word, |(_, digits)| digits);
    let lower = digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let upper = digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
    let mixed = digits.bytes().any(|b| b.is_ascii_digit())
        && digits.bytes().any(|b| b.is_ascii_alphabetic());
    (lower || upper) && mixed && digits.len() >= 7
}

/// Letters and digits mixed, an e-mail address, a host.
fn is_identifier(word: &str, digits: usize, letters: usize) -> bool {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:#@/+".contains(c));
    if !plain || letters == 0 {
        return false;
    }
    let mail =
        word.split_once('@').is_some_and(|(who, host)| !who.is_empty() && host.contains('.'));
    let labels: Vec<&str> = word.split('.').collect();
    let host = labels.len() >= 3
        && labels
            .iter()
            .all(|label| label.len() > 1 && label.chars().all(|c| c.is_alphanumeric() || c == '-'));
    let port = word.rsplit_once(':').is_some_and(|(host, port)| {
        host.len() > 1 && port.len() > 1 && port.bytes().all(|b| b.is_ascii_digit())
    });
    let ordinal = digits < word.len()
        && word.trim_start_matches(|c: char| c.is_ascii_digit()).len() == 2
        && matches!(word.get(word.len().saturating_sub(2)..), Some("st" | "nd" | "rd" | "th"));
    mail || host || port || digits > 0 && word.len() >= 3 && !ordinal
}

/// Written as programs are written: `snake_case`, `camelCase`, `a::b`, `call()`, `--flag`.
fn is_symbol(word: &str) -> bool {
    let flag = word
        .strip_prefix("--")
        .is_some_and(|name| name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()));
    let called =
        word.strip_suffix(')').is_some_and(|call| call.contains('(') && !call.starts_with('('));
    let inner = word.get(1..).unwrap_or_default();
    let joined = inner.contains('_') && word.is_ascii() || word.contains("::");
    let lower_upper = word
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let humps = lower_upper.count() >= 1
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'<' | b'>'));
    let mention = word.strip_prefix('@').is_some_and(|name| name.len() > 1);
    flag || called || joined || humps || mention
}
