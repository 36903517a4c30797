//! Where people paste keys: in the environment, in headers, behind a switch (`--api-key …`), or
//! somewhere within a text.
//!
//! Not here: what a name has to be called to be a key's (`names`), or how a text is looked through
//! (`within`).

use super::McpTransport;
use super::names::{is_name, is_secret};
use super::within::{in_header, in_text, in_word, is_inert, is_pairs, refers};

/// Gets what a key is called and the key; gives what stands there instead.
pub(super) type Replace<'a> = dyn FnMut(&str, &str) -> String + 'a;

pub(super) fn replace_keys(transport: &mut McpTransport, replace: &mut Replace<'_>) {
    match transport {
        McpTransport::Stdio { command: _, args, env, cwd: _ } => {
            in_arguments(args, replace);
            env.iter_mut().for_each(|(name, value)| *value = in_variable(name, value, replace));
        }
        McpTransport::Http { url, headers } => {
            *url = in_text(url, replace);
            headers.iter_mut().for_each(|(name, value)| *value = in_value(name, value, replace));
        }
    }
}

fn in_arguments(args: &mut [String], replace: &mut Replace<'_>) {
    let mut switch: Option<String> = None;
    for argument in args {
        let named = switch.take().filter(|_| !argument.starts_with('-'));
        if argument.starts_with('-') && !argument.contains('=') {
            switch = Some(argument.clone());
        }
        *argument = match named.filter(|name| is_secret(name)) {
            Some(name) => in_header(&name, argument, replace),
            None => in_argument(argument, replace),
        };
    }
}

/// `--api-key=…`, `API_KEY=…`, `Authorization: …`, or any other text.
fn in_argument(argument: &str, replace: &mut Replace<'_>) -> String {
    let separator = argument.find(['=', ':']).filter(|_| !is_pairs(argument));
    let named = separator.map(|at| argument.split_at(at)).filter(|(name, _)| is_name(name));
    let Some((name, rest)) = named else { return in_text(argument, replace) };
    let value = rest.trim_start_matches(|c: char| matches!(c, '=' | ':') || c.is_whitespace());
    let between = rest.strip_suffix(value).unwrap_or_default();
    let assigned = rest.starts_with('=');
    let value = match (is_secret(name), assigned) {
        (true, true) => in_word(name, value, replace),
        (true, false) => in_header(name, value, replace),
        (false, true) => in_argument(value, replace),
        (false, false) => return in_text(argument, replace),
    };
    format!("{name}{between}{value}")
}

/// The value of a variable: what a shell would make something of stays to be seen, whatever it is called.
fn in_variable(name: &str, value: &str, replace: &mut Replace<'_>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.chars().all(is_plain) && is_inert(value) {
        true => in_value(name, value, replace),
        false => in_text(value, replace),
    }
}

/// The value of a header or of a variable: under the name of a key, all of it is one.
fn in_value(name: &str, value: &str, replace: &mut Replace<'_>) -> String {
    if !is_secret(name) {
        return in_text(value, replace);
    }
    if value.is_empty() || refers(value) { value.to_owned() } else { replace(name, value) }
}
