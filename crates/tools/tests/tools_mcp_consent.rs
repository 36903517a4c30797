//! The text that a user approves before a server is started is complete.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;
use skein_domain::ids::GrantKey;
use skein_tools::mcp::config::{ConfigProblem, parse_config};
use skein_tools::mcp::consent::{command_line, consent_key};
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::{SecretValues, extract_secrets};
use skein_tools::mcp::{McpServerConfig, McpState, McpTransport};

use tools_support::mcp::{NoPasses, stdio};
use tools_support::net;

mod tools_support;

const DOTS: &str = "••••";

/// Splits a line as a shell does.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (Vec::new(), String::new(), false, false);
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => {
                quoted = !quoted;
                begun = true;
            }
            '\\' if !quoted && rest.as_str().starts_with('\'') => word.extend(rest.next()),
            c if c.is_whitespace() && !quoted => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            c => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

/// True if a word is shown, at least except for a value after the name of a key.
fn is_shown(word: &str, shown: &str, before: Option<&str>, known: bool) -> bool {
    if word == shown {
        return true;
    }
    if shown == DOTS {
        return known && before == Some("--api-key");
    }
    let (head, tail) = shown.split_once(DOTS).unwrap_or_else(|| panic!("{word} is {shown}"));
    let name = head.trim_end_matches(['=', ':', '"', ' ']);
    let secret = ["key", "token", "password", "auth"];
    let has_sign = secret.iter().any(|sign| name.to_lowercase().ends_with(sign));
    let is_named = has_sign && head.ends_with(['=', '"']) && !name.starts_with("--no-");
    let takes_header = before == Some("--header") || word.starts_with("--header=");
    let is_header = head.ends_with(": Bearer ") || takes_header && head.ends_with(':') && has_sign;
    let signs_in = head.contains("://") && head.ends_with(':') && tail.starts_with('@');
    let last = tail.rsplit(DOTS).next().unwrap_or(tail);
    word.starts_with(head) && word.ends_with(last) && (is_named || is_header || signs_in)
}

fn host(word: &str) -> Option<String> {
    let address = word.split_once('=').map_or(word, |(_, address)| address);
    let url = reqwest::Url::parse(address).or_else(|_| reqwest::Url::parse(word)).ok()?;
    url.host_str().map(str::to_owned)
}

/// Words of a command line by an attacker who wants to hide another one.
fn word() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        Just("fc-1a2b3c4d5e6f7g8h9i".to_owned()),
        Just("sk-0123456789abcdef".to_owned()),
        Just("ghp_0123456789abcdef0123".to_owned()),
        "[a-z0-9]{1,20}",
        "[./~=]?[a-z@:/.]{1,12}",
        Just("evil.example".to_owned()),
        Just("$(evil)".to_owned()),
    ];
    let name = prop_oneof![
        Just("--api-key"),
        Just("--no-github-token"),
        Just("API_KEY"),
        Just("token"),
        Just("--package"),
        Just("auth"),
        Just("https"),
        Just("--header"),
    ];
    (name, key, 0..14_usize).prop_map(|(name, key, form)| match form {
        0 => name.to_owned(),
        1 | 2 => key,
        3 => format!("{name}={key}"),
        4 => format!("{name}:{key}"),
        5 => format!("https://{key}.example/x?token={key}"),
        6 => format!("https://u:{key}@evil.example/{key}"),
        7 => format!("https:{key}.example/mcp"),
        8 => format!(r#"{{"token": "{key}"}}"#),
        9 => format!("Authorization: Bearer {key}"),
        10 => format!("{name}=token={key}"),
        11 => "@stripe/mcp".to_owned(),
        12 => format!("a=b;password={key};{name}={key}"),
        _ => format!("{key} {name}"),
    })
}

fn configured(command: &str, args: &[String]) -> McpServerConfig {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    stdio("a", command, &args)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_word_of_a_command_is_shown_or_is_the_value_of_a_named_key(
        command in prop_oneof![Just("npx"), Just("node"), Just("cmd")],
        args in prop::collection::vec(word(), 0..6),
    ) {
        let mut config = configured(command, &args);
        for taken in [false, true] {
            if taken {
                extract_secrets(&mut config);
            }
            let line = command_line(&config);
            let shown: Vec<String> = words(&line).into_iter().skip(1).collect();
            prop_assert_eq!(shown.len(), args.len(), "{:?}: {}", &args, &line);
            for (at, (word, shown)) in args.iter().zip(&shown).enumerate() {
                let mut shown = shown.clone();
                while let Some((head, rest)) = shown.split_once("${mcp.a.") {
                    let rest = rest.split_once('}').unwrap().1;
                    shown = format!("{head}{DOTS}{rest}");
                }
                let before = at.checked_sub(1).and_then(|at| args.get(at));
                let known = args.iter().take(at).any(|word| word == "@stripe/mcp");
                let is_whole = is_shown(word, &shown, before.map(String::as_str), known);
                prop_assert!(is_whole, "{} is {}", word, shown);
                // A browser reads `https:0` as a host, too, which is written in another form.
                let host = host(word).filter(|_| *word != shown).unwrap_or_default();
                prop_assert!(shown.contains(&host), "{} is {}", word, shown);
            }
        }
    }

    #[test]
    fn the_host_of_an_address_is_shown(
        host in "(sk-|fc-)?[a-z0-9]{1,20}\\.example",
        user in prop_oneof![Just(""), Just("u:k@"), Just("u:sk-0123456789abcdef@")],
        end in prop_oneof![Just(""), Just("/sk-0123456789abcdef?token=t"), Just("\\@good.example/")],
    ) {
        let url = format!("https://{user}{host}{end}");
        let headers = BTreeMap::new();
        let transport = McpTransport::Http { url, headers };
        let mut config = McpServerConfig { transport, ..configured("", &[]) };
        prop_assert!(command_line(&config).contains(&host), "{}", command_line(&config));
        extract_secrets(&mut config);
        prop_assert!(command_line(&config).contains(&host), "{}", command_line(&config));
    }
}

#[test]
fn a_program_that_looks_like_a_key_is_shown() {
    for line in [
        "npx -y fc-1a2b3c4d5e6f7g8h9i @modelcontextprotocol/server-github",
        "node --no-github-token ./evil x",
        "npx https:sk-0123456789abcdef.example/mcp",
        "npx -y mcp-remote https://sk-0123456789abcdef.example/mcp",
        "npx --notion=fc-1a2b3c4d5e6f7g8h9i",
        "uvx token==fc-1a2b3c4d5e6f7g8h9i",
        "run --api-key fc-1a2b3c4d5e6f7g8h9i",
    ] {
        let mut words = line.split(' ').map(str::to_owned);
        let command = words.next().unwrap();
        let mut config = configured(&command, &words.collect::<Vec<_>>());
        assert_eq!(extract_secrets(&mut config), [], "{line}");
        assert_eq!(command_line(&config), line);
    }
    let look_alike = "{\"url\": \"https://ex\u{430}mple.org/mcp?a=${A}\"}";
    let config = parse_config(look_alike).servers.remove(0);
    assert_eq!(command_line(&config), "https://xn--exmple-4nf.org/mcp?a=${A}");
}

/// Configurations by an attacker who wants to hide a program or a host, each with the text that
/// must be visible.
#[test]
fn no_hostile_configuration_hides_what_runs_or_who_is_reached() {
    let run = |command: &str, args: &[&str]| json!({ "command": command, "args": args });
    let with = |name: &str, value: &str| json!({ "command": "x", "env": { name: value } });
    let at = |url: &str| json!({ "url": url });
    for (config, seen) in [
        // Git runs these itself.
        (run("git", &["-c", "core.askPass=evil", "fetch"]), "core.askPass=evil"),
        (run("git", &["-c", "alias.token=!evil", "token"]), "alias.token=!evil"),
        // Ruby runs the text between the two marks.
        (run("ruby", &["-e", "key=%x!evil!"]), "key=%x!evil!"),
        (run("ruby", &["-ekey=1+%x!evil!"]), "-ekey=1+%x!evil!"),
        (run("ruby", &["-e", "a=1;key=%x!evil!"]), "key=%x!evil!"),
        (run("aws", &["--credential-process=evil"]), "--credential-process=evil"),
        (run("mysql", &["--auth-plugin=evil"]), "--auth-plugin=evil"),
        (run("node", &["x.js", "--pass-through=evil"]), "--pass-through=evil"),
        (run("bun", &["run", "--header", "auth:evil"]), "auth:evil"),
        (run("x", &["--auth-server=evil.example"]), "evil.example"),
        (run("x", &["--auth-proxy=evil.example:3128"]), "evil.example:3128"),
        (
            run("npx", &["mcp-remote", "https://g\u{456}thub.com:8443/x"]),
            "xn--gthub-n2e.com:8443/x",
        ),
        (run("x", &["--url=https://u@g\u{456}thub.com"]), "https://u@xn--gthub-n2e.com"),
        (with("API_AUTH", "https://evil.example/mcp"), "https://evil.example/"),
        (with("API_SECRET", "https://u:k@evil.example"), "@evil.example"),
        (with("API_SECRET", "https://good.example\\@evil.example"), "\\@evil.example"),
        (with("API_SECRET", "https://good.example?x=@evil.example"), "@evil.example"),
        (with("API_SECRET", "https://evil.example?x=1"), "https://evil.example?"),
        (with("SSH_AUTH_SOCK", "/evil/agent"), "/evil/agent"),
        (with("BASE_URL", "https://g\u{456}thub.com"), "xn--gthub-n2e.com"),
        (at("https://good.example@evil.example/?auth=x"), "@evil.example/"),
        (at("https://g\u{456}thub.com/?token=x"), "xn--gthub-n2e.com/"),
    ] {
        let written = parse_config(&json!({ "a": config }).to_string()).servers.remove(0);
        let mut kept = written.clone();
        extract_secrets(&mut kept);
        for line in [command_line(&written), command_line(&kept)] {
            assert!(line.contains(seen), "{seen} in {line}");
        }
    }
    // A key after a host is masked, and restored when it is expanded.
    let mut hook = with("HOOK_SECRET", "https://hooks.example/services/T0/B1");
    let mut config = parse_config(&json!({ "a": hook.take() }).to_string()).servers.remove(0);
    assert_eq!(command_line(&config), format!("HOOK_SECRET=https://hooks.example/{DOTS} x"));
    let key = ("mcp.a.HOOK_SECRET".to_owned(), "services/T0/B1".to_owned());
    assert_eq!(extract_secrets(&mut config), [key]);
}

#[test]
fn what_is_no_name_of_a_variable_is_refused() {
    for name in ["X=1 npx -y good #", "BASH_FUNC_token%%", "1A", "", "a-b", "A\nB"] {
        let pasted = json!({ "a": { "command": "x", "env": { name: "v" } } });
        let problem = ConfigProblem::WrongName { server: "a".into(), name: name.into() };
        let parsed = parse_config(&pasted.to_string());
        assert_eq!((parsed.problems, parsed.servers.len()), (vec![problem], 0), "{name}");
    }
    let pasted = json!({ "a": { "url": "https://h", "headers": { "X: y\nHost": "evil" } } });
    assert_eq!(parse_config(&pasted.to_string()).servers.len(), 0);
}

/// The question of a server that has no consent.
async fn asked(config: &McpServerConfig, consents: BTreeSet<GrantKey>) -> McpState {
    let values = SecretValues(Arc::new(|_| Box::pin(async { None })));
    let hub = Hub::new(net(), values, Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &consents);
    hub.status().await.remove(0).state
}

#[tokio::test]
async fn variables_of_the_environment_are_named_and_keys_of_the_server_are_not() {
    let env = json!({ "A": "${HOME}", "B": "${env:LANG:-x}", "C": "${input:pat}" });
    let args = json!(["${mcp.a.pkg}", "--api-key=${mcp.a.api-key}", "${userHome}"]);
    let pasted = json!({ "a": { "command": "npx", "args": args, "env": env } });
    let config = parse_config(&pasted.to_string()).servers.remove(0);
    let McpState::NeedsConsent { environment, unseen, again, .. } =
        asked(&config, BTreeSet::new()).await
    else {
        panic!("it runs")
    };
    assert_eq!(environment, ["HOME", "LANG", "userHome"]);
    // An earlier version took the package for a key.
    assert_eq!(unseen, ["pkg"]);
    assert!(!again);
}

#[tokio::test]
async fn a_yes_to_a_masked_line_is_asked_for_again_with_the_reason() {
    let config = configured("skein-no-such-program", &["--api-key=k".to_owned()]);
    let masked = format!("start:a/{}", "0a".repeat(32));
    let state = asked(&config, BTreeSet::from([GrantKey::new(masked)])).await;
    assert!(matches!(state, McpState::NeedsConsent { again: true, .. }), "{state:?}");
    // A masked value is part of the consent.
    let other = configured("skein-no-such-program", &["--api-key=other".to_owned()]);
    assert_eq!(command_line(&config), command_line(&other));
    let state = asked(&other, BTreeSet::from([consent_key(&config)])).await;
    assert!(matches!(state, McpState::NeedsConsent { again: false, .. }), "{state:?}");
    let state = asked(&config, BTreeSet::from([consent_key(&config)])).await;
    assert!(!matches!(state, McpState::NeedsConsent { .. }), "{state:?}");
}
