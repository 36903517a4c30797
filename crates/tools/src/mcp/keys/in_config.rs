//! Extracts and masks the keys in a configuration: only values that follow the name of a key.
//!
//! A bare word may be the program that is started, so it stays visible even if it looks like a key:
//! the user must be able to check a pasted configuration. Not here: names of keys (`name_rules`),
//! programs with known switches (`known_programs`), and the wider rules for logs (`log_secrets`).

use super::in_text::{
    SecretReplacer, has_reference, in_authority, in_pieces, in_query, is_json_object,
    is_not_executable, is_pairs, quoted_pair, replace_in_text, separator, split_scheme,
};
use super::known_programs::secret_switches;
use super::name_rules::{is_name, is_negated, is_secret_name};
use crate::mcp::McpTransport;

pub(super) fn replace_secrets(transport: &mut McpTransport, replace: &mut SecretReplacer<'_>) {
    match transport {
        McpTransport::Stdio { command, args, env, cwd: _ } => {
            in_arguments(command, args, replace);
            env.iter_mut().for_each(|(name, value)| *value = in_variable(name, value, replace));
        }
        McpTransport::Http { url, headers } => {
            *url = in_address(url, replace);
            headers.iter_mut().for_each(|(name, value)| *value = in_header(name, value, replace));
        }
    }
}

/// Switches that take `Name: value` in every program.
const HEADERS: [&str; 2] = ["--header", "--headers"];

fn in_arguments(command: &str, args: &mut [String], replace: &mut SecretReplacer<'_>) {
    let (switches, own) = secret_switches(command, args);
    let mut before: Option<String> = None;
    for (at, argument) in args.iter_mut().enumerate() {
        let switch = before.replace(argument.clone()).unwrap_or_default();
        let is_key = at > own && switches.contains(&switch.as_str()) && is_opaque(argument);
        *argument = if is_key {
            replace(&switch, argument)
        } else if HEADERS.contains(&switch.as_str()) && !may_be_script(argument) {
            in_header_line(argument, replace)
        } else {
            in_argument(argument, replace)
        };
    }
}

/// True for words such as `auth:start`, a script name of package runners: the value after an
/// unknown switch.
fn may_be_script(argument: &str) -> bool {
    let (name, value) = argument.split_once(':').unwrap_or_default();
    let is_header = name.contains('-') || name.eq_ignore_ascii_case("authorization");
    !is_header && !value.starts_with(' ')
}

/// `--api-key=…`, `API_KEY=…`, or a text in which every value has a name.
fn in_argument(argument: &str, replace: &mut SecretReplacer<'_>) -> String {
    let named = argument.split_once('=').filter(|(name, _)| is_name(name) && !is_pairs(argument));
    match named {
        Some((name, value)) if is_key(name, value) => format!("{name}={}", replace(name, value)),
        Some((name, value)) if HEADERS.contains(&name) => {
            format!("{name}={}", in_header_line(value, replace))
        }
        Some((name, value)) => format!("{name}={}", in_named_values(value, replace)),
        None => in_named_values(argument, replace),
    }
}

/// The value of a variable. A value that a shell would interpret stays visible, whatever the
/// variable's name.
fn in_variable(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    if !is_secret_name(name) || is_negated(name) || !is_not_executable(value) {
        return in_named_values(value, replace);
    }
    if value.is_empty() || has_reference(value) {
        return value.to_owned();
    }
    match behind_host(value) {
        // Programs disagree on where the host of such an address ends.
        Some((_, key)) if key.contains(['@', '\\']) => value.to_owned(),
        Some((host, "")) => in_address(host, replace),
        Some((host, key)) => format!("{}{}", in_address(host, replace), replace(name, key)),
        None => replace(name, value),
    }
}

/// An address up to and with its host, and the rest. The host stays visible, whatever the
/// variable's name.
fn behind_host(value: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = value.split_once("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let mark = usize::from(rest.get(end..).is_some_and(|tail| tail.starts_with(['/', '?', '#'])));
    let is_one = !scheme.is_empty() && scheme.chars().all(is_scheme);
    is_one.then(|| value.split_at_checked(scheme.len() + 3 + end + mark)).flatten()
}

/// The value of a header, which starts no program and leads to no other host.
fn in_header(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    if !is_secret_name(name) {
        return replace_in_text(value, replace);
    }
    if value.is_empty() || has_reference(value) { value.to_owned() } else { replace(name, value) }
}

/// `Authorization: Bearer …`, or headers as JSON.
fn in_header_line(line: &str, replace: &mut SecretReplacer<'_>) -> String {
    let Some((name, rest)) = line.split_once(':').filter(|(name, _)| is_name(name)) else {
        return in_named_values(line, replace);
    };
    let value = rest.trim_start();
    let space = rest.strip_suffix(value).unwrap_or_default();
    format!("{name}:{space}{}", in_scheme(name, value, replace))
}

/// A key, with or without an authorization scheme.
fn in_scheme(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    match split_scheme(name, value) {
        Some((scheme, key)) if is_opaque(key) => format!("{scheme} {}", replace(scheme, key)),
        None if is_key(name, value) => replace(name, value),
        Some(_) | None => value.to_owned(),
    }
}

/// JSON, a connection string, an address, or a text without keys.
fn in_named_values(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    if is_data(text) {
        return in_json(text, replace);
    }
    match separator(text).filter(|_| !would_run(text)) {
        Some(between) => in_pieces(text, between, |pair| in_pair(pair, replace)),
        None => in_address(text, replace),
    }
}

/// `name=value`, possibly after a switch that takes the text.
fn in_pair(pair: &str, replace: &mut SecretReplacer<'_>) -> String {
    match pair.split_once('=') {
        Some((name, value)) if is_key(name, value) => {
            format!("{name}={}", replace(name.trim(), value))
        }
        Some((name, value)) if is_name(name) => format!("{name}={}", in_pair(value, replace)),
        Some(_) | None => pair.to_owned(),
    }
}

/// Every `"name": "value"`.
fn in_json(text: &str, replace: &mut SecretReplacer<'_>) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(pair) = quoted_pair(rest) {
        written.push_str(pair.before);
        written.push_str(&in_scheme(pair.name, pair.value, replace));
        rest = pair.after;
    }
    written.push_str(rest);
    written
}

/// `scheme://user:key@host/path?name=key#…`. Host and path stay visible.
fn in_address(word: &str, replace: &mut SecretReplacer<'_>) -> String {
    let Some((scheme, rest)) = word.split_once("://").filter(|_| !would_run_address(word)) else {
        return word.to_owned();
    };
    // Browsers end the host at a backslash, too.
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let is_key_of_user = |key: &str| is_opaque(key) && !key.contains('@');
    let authority = in_authority(authority, is_key_of_user, replace);
    let Some((path, query)) = tail.split_once('?').filter(|(path, _)| !path.contains('#')) else {
        return format!("{scheme}://{authority}{tail}");
    };
    let query = in_query(query, |pair| match pair.split_once('=') {
        Some((name, value)) if is_key(name, value) => format!("{name}={}", replace(name, value)),
        Some(_) | None => pair.to_owned(),
    });
    format!("{scheme}://{authority}{path}?{query}")
}

fn is_key(name: &str, value: &str) -> bool {
    is_secret_name(name) && !is_negated(name) && is_opaque(value)
}

/// Beginnings of a path, version, address or package, which programs also accept after a switch
/// with one dash or none.
const PATH_BEGINNINGS: [&str; 16] = [
    "/", ".", "~", "=", "http:", "https:", "ws:", "wss:", "file:", "data:", "npm:", "git:", "ssh:",
    "jsr:", "github:", "git+",
];

/// True if a value is one word that is neither a path nor an address, and that no shell or
/// interpreter would run.
fn is_opaque(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=:@%!*^#?,".contains(c);
    let begins = value.to_ascii_lowercase();
    let leads = PATH_BEGINNINGS.iter().any(|leading| begins.starts_with(leading));
    !value.is_empty()
        && value.chars().all(is_plain)
        && !leads
        && !value.contains("://")
        && !is_run(value)
}

/// True if a word runs a program: `git -c alias.token=!evil`, `ruby -e key=%x!evil!`. The percent
/// sign in an address is followed by two hex digits.
fn is_run(value: &str) -> bool {
    let is_code = |after: &str| {
        let digits = after.get(..2).unwrap_or_default();
        digits.len() < 2 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    value.starts_with('!') || value.split('%').skip(1).any(is_code)
}

/// True if a shell or interpreter could run part of a text.
fn would_run(text: &str) -> bool {
    text.replace("${", "").contains(['`', '$', '|', '<', '>', '(', ')', '&', '\n'])
}

/// [`would_run`] for an address, in which `&` is a separator.
fn would_run_address(text: &str) -> bool {
    text.contains(char::is_whitespace) || would_run(&text.replace('&', ""))
}

/// True if a text is JSON, also if quoted again or in single quotes.
fn is_data(text: &str) -> bool {
    let inner: Option<String> = serde_json::from_str(text).ok();
    let is_json = is_json_object(text)
        || inner.is_some_and(|inner| is_json_object(&inner))
        || is_json_object(&text.replace('\'', "\""));
    is_json && !text.contains('`') && !text.contains("$(")
}
