//! Which keys are taken out of a configuration and shown as dots: what is written behind its name, and
//! nothing else.
//!
//! A word that stands for itself may be the program that is started, so it stays to be read, even if it
//! looks like a key: what was pasted here may be read here. Not here: what a name has to be called to be a
//! key's (`tool_names`), whose switches are known (`known_programs`), and what is kept out of logs, which is
//! more (`log_secrets`).

use super::in_text::{
    SecretReplacer, has_reference, is_not_executable, is_pairs, quoted_pair, replace_in_text,
    separator, split_scheme,
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

/// Switches behind which every program takes `Name: value`.
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

/// `auth:start`, as scripts of a project are called: what stands behind a switch that a runner of these does
/// not know.
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

/// The value of a variable: what a shell would make something of stays to be seen, whatever it is called.
fn in_variable(name: &str, value: &str, replace: &mut SecretReplacer<'_>) -> String {
    if !is_secret_name(name) || is_negated(name) || !is_not_executable(value) {
        return in_named_values(value, replace);
    }
    if value.is_empty() || has_reference(value) {
        return value.to_owned();
    }
    match behind_host(value) {
        // Programs do not agree where the host of such an address ends.
        Some((_, key)) if key.contains(['@', '\\']) => value.to_owned(),
        Some((host, "")) => in_address(host, replace),
        Some((host, key)) => format!("{}{}", in_address(host, replace), replace(name, key)),
        None => replace(name, value),
    }
}

/// An address up to its host, and what follows: whatever a variable is called, who is reached is shown.
fn behind_host(value: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = value.split_once("://")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let mark = usize::from(rest.get(end..).is_some_and(|tail| tail.starts_with(['/', '?', '#'])));
    let is_one = !scheme.is_empty() && scheme.chars().all(is_scheme);
    is_one.then(|| value.split_at_checked(scheme.len() + 3 + end + mark)).flatten()
}

/// The value of a header, which starts nothing and leads nowhere.
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

/// A key with or without the scheme of an authorisation before it.
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
        Some(between) => {
            let pairs = text.split(between).map(|pair| in_pair(pair, replace));
            pairs.collect::<Vec<_>>().join(&between.to_string())
        }
        None => in_address(text, replace),
    }
}

/// `name=value`; before it may stand the switch that takes the text.
fn in_pair(pair: &str, replace: &mut SecretReplacer<'_>) -> String {
    match pair.split_once('=') {
        Some((name, value)) if is_key(name, value) => {
            format!("{name}={}", replace(name.trim(), value))
        }
        Some((name, value)) if is_name(name) => format!("{name}={}", in_pair(value, replace)),
        Some(_) | None => pair.to_owned(),
    }
}

/// `"name": "value"` again and again.
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

/// `scheme://user:key@host/path?name=key#…`. Host and path say who is reached.
fn in_address(word: &str, replace: &mut SecretReplacer<'_>) -> String {
    let Some((scheme, rest)) = word.split_once("://").filter(|_| !would_run_address(word)) else {
        return word.to_owned();
    };
    // A browser ends the host at a backslash, too.
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let signed_in = authority.rsplit_once('@').and_then(|(user, host)| {
        let (user, key) = user.split_once(':')?;
        Some((user, key, host))
    });
    let authority = match signed_in {
        Some((user, key, host)) if is_opaque(key) && !key.contains('@') => {
            format!("{user}:{}@{host}", replace("password", key))
        }
        Some(_) | None => authority.to_owned(),
    };
    let Some((path, query)) = tail.split_once('?').filter(|(path, _)| !path.contains('#')) else {
        return format!("{scheme}://{authority}{tail}");
    };
    let (query, fragment) = query.split_at(query.find('#').unwrap_or(query.len()));
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_key(name, value) => format!("{name}={}", replace(name, value)),
        Some(_) | None => pair.to_owned(),
    });
    let query = pairs.collect::<Vec<_>>().join("&");
    format!("{scheme}://{authority}{path}?{query}{fragment}")
}

fn is_key(name: &str, value: &str) -> bool {
    is_secret_name(name) && !is_negated(name) && is_opaque(value)
}

/// How a path, a version, an address or a package begins, which programs also take with one stroke or none.
const LEADING: [&str; 16] = [
    "/", ".", "~", "=", "http:", "https:", "ws:", "wss:", "file:", "data:", "npm:", "git:", "ssh:",
    "jsr:", "github:", "git+",
];

/// Whether a value is one word that is neither a path nor an address, and that no shell and no
/// interpreter would make something of.
fn is_opaque(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=:@%!*^#?,".contains(c);
    let begins = value.to_ascii_lowercase();
    let leads = LEADING.iter().any(|leading| begins.starts_with(leading));
    !value.is_empty()
        && value.chars().all(is_plain)
        && !leads
        && !value.contains("://")
        && !is_run(value)
}

/// Whether a word without a space runs a program: `git -c alias.token=!evil`, `ruby -e key=%x!evil!`. Behind
/// the percent sign of a key in an address stand two digits.
fn is_run(value: &str) -> bool {
    let is_code = |after: &str| {
        let digits = after.get(..2).unwrap_or_default();
        digits.len() < 2 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    value.starts_with('!') || value.split('%').skip(1).any(is_code)
}

/// Whether a shell or an interpreter could make something of a text.
fn would_run(text: &str) -> bool {
    text.replace("${", "").contains(['`', '$', '|', '<', '>', '(', ')', '&', '\n'])
}

/// The same of an address, in which `&` divides.
fn would_run_address(text: &str) -> bool {
    text.contains(char::is_whitespace) || would_run(&text.replace('&', ""))
}

/// Whether a text is JSON and nothing else, also where it is quoted once more or in single quotes.
fn is_data(text: &str) -> bool {
    let is_object = |text: &str| {
        let read: Result<serde_json::Map<String, serde_json::Value>, _> =
            serde_json::from_str(text);
        read.is_ok()
    };
    let inner: Option<String> = serde_json::from_str(text).ok();
    let is_json = is_object(text)
        || inner.is_some_and(|inner| is_object(&inner))
        || is_object(&text.replace('\'', "\""));
    is_json && !text.contains('`') && !text.contains("$(")
}
