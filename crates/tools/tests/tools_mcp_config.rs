//! MCP configurations of all programs that users paste from.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use skein_tools::mcp::config::{ConfigProblem, parse_config, to_entry};
use skein_tools::mcp::consent::command_line;
use skein_tools::mcp::keys::{extract_secrets, is_same_target};
use skein_tools::mcp::{McpServerConfig, McpTransport};

/// A server in one line: `name: command args | url`, then the values that differ from the defaults.
fn told(server: &McpServerConfig) -> String {
    let mut told = match &server.transport {
        McpTransport::Stdio { command, args, env, cwd } => {
            let mut told = format!(
                "{}: {}",
                server.name,
                [std::slice::from_ref(command), args].concat().join(" ")
            );
            env.iter().for_each(|(name, value)| told.push_str(&format!(" {name}={value}")));
            cwd.iter().for_each(|cwd| told.push_str(&format!(" in {cwd}")));
            told
        }
        McpTransport::Http { url, headers } => {
            let mut told = format!("{}: {url}", server.name);
            headers.iter().for_each(|(name, value)| told.push_str(&format!(" {name}: {value}")));
            told
        }
    };
    if !server.enabled {
        told.push_str(" off");
    }
    if !server.always_allow.is_empty() {
        told.push_str(&format!(" allows {}", server.always_allow.join(",")));
    }
    server.timeout_seconds.iter().for_each(|seconds| told.push_str(&format!(" {seconds}s")));
    told
}

#[test]
fn every_pasted_dialect_is_understood() {
    for (pasted, expected) in [
        // Claude Desktop and most others.
        (
            r#"{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"TZ": "UTC"}, "cwd": "/tmp"}}}"#,
            &["time: uvx mcp-server-time TZ=UTC in /tmp"][..],
        ),
        // Cline and Roo: disabled, autoApprove or alwaysAllow, timeout in seconds.
        (
            r#"{"mcpServers": {"a": {"command": "x", "disabled": true, "autoApprove": ["r"], "timeout": 60}, "b": {"command": "y", "alwaysAllow": ["w"], "disabled": false}}}"#,
            &["a: x off allows r 60s", "b: y allows w"],
        ),
        // Claude Code and Cursor: type http, headers.
        (
            r#"{"mcpServers": {"gh": {"type": "http", "url": "https://h/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}"#,
            &["gh: https://h/mcp Authorization: Bearer ${TOKEN}"],
        ),
        // VS Code: root `servers`, type stdio, comments, an extra comma.
        (
            "{\n  // mine\n  \"servers\": {\"a\": {\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"p//q\",],},},\n /* inputs */ \"inputs\": [] }",
            &["a: npx -y p//q"],
        ),
        // VS Code's settings file.
        (r#"{"mcp": {"servers": {"a": {"command": "x"}}}}"#, &["a: x"]),
        // Zed: context_servers, the older form with a path.
        (
            r#"{"context_servers": {"a": {"source": "custom", "command": "x", "args": ["1"]}, "b": {"command": {"path": "y", "args": ["2"], "env": {"E": 1}}}}}"#,
            &["a: x 1", "b: y 2 E=1"],
        ),
        // opencode: root `mcp`, local and remote, a command as a list, environment.
        (
            r#"{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "p"], "environment": {"E": "e"}, "enabled": false}, "b": {"type": "remote", "url": "https://h"}}}"#,
            &["a: npx -y p E=e off", "b: https://h"],
        ),
        // Windsurf, Gemini CLI, Cherry Studio.
        (
            r#"{"mcpServers": {"a": {"serverUrl": "https://w/sse"}, "b": {"httpUrl": "https://g", "timeout": 30000}, "c": {"type": "streamableHttp", "baseUrl": "https://c", "isActive": false}}}"#,
            &["a: https://w/sse", "b: https://g 30s", "c: https://c off"],
        ),
        // The spellings of the transport.
        (
            r#"{"mcpServers": {"a": {"transport": "streamable-http", "url": "https://a"}, "b": {"transportType": "sse", "url": "https://b"}, "c": {"transportType": "stdio", "command": "x"}}}"#,
            &["a: https://a", "b: https://b", "c: x"],
        ),
        // Bare: the servers without a root, one server without a name, a list.
        (r#"{"a": {"command": "x"}, "b": {"url": "https://b"}}"#, &["a: x", "b: https://b"]),
        (
            r#"{"command": "npx", "args": ["-y", "@scope/server-thing@1.2"]}"#,
            &["server-thing: npx -y @scope/server-thing@1.2"],
        ),
        (
            r#"{"url": "https://mcp.example.org/mcp"}"#,
            &["mcp.example.org: https://mcp.example.org/mcp"],
        ),
        (r#"[{"name": "n", "command": "x"}]"#, &["n: x"]),
        // Fragments of a file.
        (r#""mcpServers": {"a": {"command": "x"}}"#, &["a: x"]),
        (r#""a": {"command": "x"},"#, &["a: x"]),
        // A whole line as the command; a path with spaces is not one.
        (
            r#"{"mcpServers": {"a": {"command": "npx -y @s/p /home/me"}, "b": {"command": "/opt/my tools/x"}, "c": {"command": "C:\\Program Files\\x.exe"}}}"#,
            &["a: npx -y @s/p /home/me", "b: /opt/my tools/x", "c: C:\\Program Files\\x.exe"],
        ),
        // Servers with the names of root keys.
        (
            r#"{"mcpServers": {"mcp": {"command": "x"}, "servers": {"url": "https://s"}, "github": {"command": "y"}}}"#,
            &["mcp: x", "servers: https://s", "github: y"],
        ),
        (r#"{"mcp": {"command": "x"}, "b": {"command": "y"}}"#, &["mcp: x", "b: y"]),
        (r#"{"mcp": {"mcp": {"command": "x"}, "b": {"command": "y"}}}"#, &["mcp: x", "b: y"]),
        (
            r#"{"mcp": {"servers": {"command": "x"}, "b": {"command": "y"}}}"#,
            &["servers: x", "b: y"],
        ),
        (r#"{"endpoint": "https://e", "servers": [{"name": "n", "command": "x"}]}"#, &["n: x"]),
        // A package with a general name is called after its maker.
        (
            r#"[{"command": "npx", "args": ["@playwright/mcp@latest"]}, {"command": "npx", "args": ["-y", "@stripe/mcp"]}, {"command": "/opt/loom/server"}]"#,
            &[
                "playwright: npx @playwright/mcp@latest",
                "stripe: npx -y @stripe/mcp",
                "loom: /opt/loom/server",
            ],
        ),
        (r#"{"url": "http://mcp:8080/"}"#, &["mcp: http://mcp:8080/"]),
        // Both a command and an address: the stated kind decides.
        (
            r#"{"mcpServers": {"a": {"type": "stdio", "command": "x", "url": "https://u"}, "b": {"type": "http", "command": "x", "url": "https://u"}}}"#,
            &["a: x", "b: https://u"],
        ),
        // A byte order mark, and a quote in a comment-like string.
        (
            "\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"/* \\\" //\"]}}}",
            &["a: x /* \" //"],
        ),
    ] {
        let parsed = parse_config(pasted);
        assert_eq!(parsed.problems, [], "{pasted}");
        for server in &parsed.servers {
            let written = json!({ server.name.as_str(): to_entry(server) }).to_string();
            assert_eq!(parse_config(&written).servers, std::slice::from_ref(server), "{written}");
        }
        let servers: Vec<String> = parsed.servers.iter().map(told).collect();
        assert_eq!(servers, expected, "{pasted}");
    }
}

#[test]
fn what_is_wrong_is_named_and_the_rest_is_kept() {
    let mixed = r#"{"mcpServers": {"good": {"command": "x"}, "none": {}, "odd": {"command": "x", "args": "y"}, "envless": {"command": "x", "env": []}, "flag": {"command": "x", "disabled": "no"}}}"#;
    let parsed = parse_config(mixed);
    assert_eq!(parsed.servers.iter().map(told).collect::<Vec<_>>(), ["good: x"]);
    let wrong = |server: &str, key: &str| ConfigProblem::WrongType {
        server: server.into(),
        key: key.into(),
    };
    assert_eq!(
        parsed.problems,
        [
            ConfigProblem::NothingToStart { server: "none".into() },
            wrong("odd", "args"),
            wrong("envless", "env"),
            wrong("flag", "disabled")
        ]
    );
    for (text, line, column) in [("{\n  \"a\": oops\n}", 2, 8), ("npx -y thing", 1, 1)] {
        match &parse_config(text).problems[..] {
            [ConfigProblem::NotJson { line: at_line, column: at_column, .. }] => {
                assert!(*at_line == line, "{text}: {at_line}");
                assert!(at_column.abs_diff(column) <= 2, "{text}: {at_column}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    for nothing in ["", "{}", "[]", "null", "7", "{\"mcpServers\": {}}", "{\"a\": 1}"] {
        assert_eq!(parse_config(nothing).problems, [ConfigProblem::NoServers {}], "{nothing}");
    }
}

#[test]
fn keys_leave_the_configuration_and_the_line_that_is_shown() {
    let pasted = r#"{"mcpServers": {"a": {"command": "run me", "args": ["--x", "it's"], "cwd": "/a b", "env": {"API_KEY": "k-123", "LD_PRELOAD": "/evil.so", "GH_TOKEN": "${GH}"}}}}"#;
    let mut server = parse_config(pasted).servers.remove(0);
    assert_eq!(
        command_line(&server),
        "cd '/a b' && API_KEY=•••• GH_TOKEN=${GH} LD_PRELOAD=/evil.so 'run me' --x 'it'\\''s'"
    );
    assert_eq!(extract_secrets(&mut server), [("mcp.a.API_KEY".to_owned(), "k-123".to_owned())]);
    assert!(!serde_json::to_string(&server).unwrap().contains("k-123"));
    let McpTransport::Stdio { env, .. } = &server.transport else { panic!() };
    let expected =
        [("API_KEY", "${mcp.a.API_KEY}"), ("GH_TOKEN", "${GH}"), ("LD_PRELOAD", "/evil.so")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(*env, BTreeMap::from(expected));
    assert_eq!(extract_secrets(&mut server), []);
    assert!(command_line(&server).contains("&& API_KEY=${mcp.a.API_KEY} GH_TOKEN=${GH} "));
    // Tools that run without approval are part of the approved text.
    server.always_allow = vec!["delete".into()];
    assert!(command_line(&server).ends_with(" [alwaysAllow: delete]"));
}

#[test]
fn keys_go_only_where_a_server_of_that_name_was_reached_before() {
    let read = |entry: &str| parse_config(&format!(r#"{{"a": {entry}}}"#)).servers.remove(0);
    for (now, before, same) in [
        (r#"{"url": "https://h/mcp/?a=1"}"#, r#"{"url": "https://h/mcp"}"#, true),
        (r#"{"url": "https://h/evil/mcp"}"#, r#"{"url": "https://h/mcp"}"#, false),
        (r#"{"url": "https://evil/mcp"}"#, r#"{"url": "https://h/mcp"}"#, false),
        (r#"{"url": "http://h/mcp"}"#, r#"{"url": "https://h/mcp"}"#, false),
        (r#"{"url": "https://h"}"#, r#"{"command": "x"}"#, false),
        (
            r#"{"command": "npx", "args": ["-y", "@stripe/mcp@2.0", "--api-key", "YOUR_API_KEY"]}"#,
            r#"{"command": "npx", "args": ["-y", "@stripe/mcp", "--api-key", "${mcp.a.api-key}"]}"#,
            true,
        ),
        (r#"{"command": "y"}"#, r#"{"command": "x"}"#, false),
        (r#"{"command": "./x", "cwd": "/evil"}"#, r#"{"command": "./x", "cwd": "/mine"}"#, false),
        // A variable may decide what runs, or who gets the key.
        (
            r#"{"command": "x", "env": {"A_KEY": "<key>", "NODE_OPTIONS": "-r ./evil"}}"#,
            r#"{"command": "x", "env": {"A_KEY": "${mcp.a.A_KEY}"}}"#,
            false,
        ),
        (
            r#"{"command": "x", "env": {"A_KEY": "<key>", "A_URL": "https://evil"}}"#,
            r#"{"command": "x", "env": {"A_KEY": "${mcp.a.A_KEY}", "A_URL": "https://h"}}"#,
            false,
        ),
        (
            r#"{"command": "x", "env": {"A_KEY": "<key>", "A_URL": "https://h"}}"#,
            r#"{"command": "x", "env": {"A_KEY": "${mcp.a.A_KEY}", "A_URL": "https://h", "B": "1"}}"#,
            true,
        ),
    ] {
        assert_eq!(is_same_target(&read(now), &read(before)), same, "{now} {before}");
    }
    // Any argument may name the program.
    for (now, before, same) in [
        ("npx p@latest", "npx p@1.2.3", true),
        ("uvx p==1.2", "uvx p", true),
        ("npx evil", "npx p", false),
        (
            "docker run -i --rm -e PAT evil/image",
            "docker run -i --rm -e PAT ghcr.io/g/server",
            false,
        ),
        (
            "docker run -i --rm -e PAT ghcr.io/g/server",
            "docker run -i --rm -e PAT ghcr.io/g/server",
            true,
        ),
        ("cmd /c npx -y evil", "cmd /c npx -y p", false),
        ("cmd /c npx -y p@2", "cmd /c npx -y p", true),
        ("npx --package=evil server", "npx --package=p server", false),
        ("uvx --from=git+ssh://git@evil/p s", "uvx --from=git+ssh://git@h/p s", false),
        ("ssh me@6.6.6.6 p", "ssh me@1.2.3.4 p", false),
        ("npx p --import=./evil.js", "npx p", false),
    ] {
        let read = |line: &str| {
            let (command, args) = line.split_once(' ').unwrap();
            let args: Vec<&str> = args.split(' ').collect();
            read(&json!({ "command": command, "args": args }).to_string())
        };
        assert_eq!(is_same_target(&read(now), &read(before)), same, "{now} {before}");
    }
}

fn limited(timeout_seconds: u32) -> McpServerConfig {
    McpServerConfig {
        name: "a".into(),
        transport: McpTransport::Http { url: "https://a".into(), headers: BTreeMap::new() },
        enabled: true,
        always_allow: Vec::new(),
        timeout_seconds: Some(timeout_seconds),
    }
}

proptest! {
    #[test]
    fn a_time_limit_that_was_understood_is_never_guessed_at_again(seconds in 1_u32..=86_400) {
        let server = limited(seconds);
        let written = json!({ "a": to_entry(&server) }).to_string();
        prop_assert_eq!(parse_config(&written).servers, [server]);
    }
}

#[test]
fn a_time_limit_is_in_seconds_unless_nobody_would_wait_that_long() {
    for (pasted, seconds) in
        [(1, 1), (60, 60), (1_800, 1_800), (3_600, 3_600), (10_000, 10), (1_800_000, 1_800)]
    {
        let text = format!(r#"{{"a": {{"url": "https://a", "timeout": {pasted}}}}}"#);
        assert_eq!(parse_config(&text).servers, [limited(seconds)], "{pasted}");
    }
}

/// A pasted server, and the keys extracted from it.
fn taken(pasted: &serde_json::Value) -> (McpServerConfig, Vec<(String, String)>) {
    let mut server = parse_config(&pasted.to_string()).servers.remove(0);
    let taken = extract_secrets(&mut server);
    (server, taken)
}

#[test]
fn a_key_is_found_wherever_it_was_pasted() {
    let key = "sk-0123456789abcdef";
    for (args, name, line) in [
        (
            &["mcp-remote", "--header", "Authorization: Bearer KEY"][..],
            "Bearer",
            "run mcp-remote --header 'Authorization: Bearer ${mcp.a.Bearer}'",
        ),
        (&["--header", "X-Api-Key:KEY"], "X-Api-Key", "run --header X-Api-Key:${mcp.a.X-Api-Key}"),
        (
            &["npx", "-y", "@stripe/mcp@1", "--api-key", "KEY"],
            "api-key",
            "cmd /c npx -y @stripe/mcp@1 --api-key ${mcp.a.api-key}",
        ),
        (&["--exaApiKey=KEY"], "exaApiKey", "run --exaApiKey=${mcp.a.exaApiKey}"),
        (&["-e", "MY_PAT=KEY", "image"], "MY_PAT", "run -e MY_PAT=${mcp.a.MY_PAT} image"),
        (
            &["https://h/mcp?profile=p&exaApiKey=KEY#top"],
            "exaApiKey",
            "run 'https://h/mcp?profile=p&exaApiKey=${mcp.a.exaApiKey}#top'",
        ),
        (&["--db=ftp://u:KEY@h:21/d"], "password", "run --db=ftp://u:${mcp.a.password}@h:21/d"),
    ] {
        let mut args: Vec<String> = args.iter().map(|word| word.replace("KEY", key)).collect();
        let command = if line.starts_with("cmd") { "cmd" } else { "run" };
        if command == "cmd" {
            args.insert(0, "/c".into());
        }
        let pasted = json!({ "a": { "command": command, "args": args } });
        let (server, taken) = taken(&pasted);
        assert_eq!(taken, [(format!("mcp.a.{name}"), key.to_owned())]);
        assert_eq!(command_line(&server), line);
        // Also if the user wrote it into the settings.
        let written = parse_config(&pasted.to_string()).servers.remove(0);
        assert_eq!(command_line(&written), line.replace(&format!("${{mcp.a.{name}}}"), "••••"));
    }
    let headers = json!({ "X-Via": format!("Bearer {key}") });
    let url = format!("https://me:{key}@h/mcp?api_key={key}");
    let (server, found) = taken(&json!({ "a": { "url": url, "headers": headers } }));
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["mcp.a.password", "mcp.a.api_key", "mcp.a.Bearer"]);
    assert!(!format!("{server:?}").contains(key));
    let env = json!({ "DATABASE_URL": format!("postgres://u:{key}@h") });
    let (server, found) = taken(&json!({ "a": { "command": "x", "env": env } }));
    assert_eq!(found, [("mcp.a.password".to_owned(), key.to_owned())]);
    assert_eq!(command_line(&server), "DATABASE_URL=postgres://u:${mcp.a.password}@h x");
    let args = ["--key=${mcp.a.key}", "--key=1", "--key=2"];
    let (_, more) = taken(&json!({ "a": { "command": "x", "args": args } }));
    let more: Vec<&str> = more.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(more, ["mcp.a.key-2", "mcp.a.key-3"]);
}

/// As `args` of a server: the name of the extracted key, and the shown line.
#[test]
fn a_key_is_found_within_a_text() {
    let key = "ntn_0123456789abcdef0123456789abcdef";
    for (text, name, line) in [
        (
            r#"{"Authorization": "Bearer KEY", "Notion-Version": "2022-06-28"}"#,
            "Bearer",
            r#"run '{"Authorization": "Bearer ${mcp.a.Bearer}", "Notion-Version": "2022-06-28"}'"#,
        ),
        (r#"{"exaApiKey":"KEY"}"#, "exaApiKey", r#"run '{"exaApiKey":"${mcp.a.exaApiKey}"}'"#),
        (
            r#"--config={"a":{"list":["x"],"apiKey" : "KEY"}}"#,
            "apiKey",
            r#"run '--config={"a":{"list":["x"],"apiKey" : "${mcp.a.apiKey}"}}'"#,
        ),
        // Quoted for a shell that removes one pair of quotes.
        (
            r#""{\"profile\":\"p\",\"token\":\"KEY\"}""#,
            "token",
            r#"run '"{\"profile\":\"p\",\"token\":\"${mcp.a.token}\"}"'"#,
        ),
        (
            "{'Authorization': 'KEY'}",
            "Authorization",
            r"run '{'\''Authorization'\'': '\''${mcp.a.Authorization}'\''}'",
        ),
        (
            "--header=Authorization: PVEAPIToken KEY",
            "PVEAPIToken",
            "run '--header=Authorization: PVEAPIToken ${mcp.a.PVEAPIToken}'",
        ),
        (
            "Server=h,1;User Id=sa;Password=KEY;",
            "Password",
            "run 'Server=h,1;User Id=sa;Password=${mcp.a.Password};'",
        ),
        (
            "--db=AccountKey=KEY;EndpointSuffix=e",
            "AccountKey",
            "run '--db=AccountKey=${mcp.a.AccountKey};EndpointSuffix=e'",
        ),
        (
            "host=h user=u password=KEY",
            "password",
            "run 'host=h user=u password=${mcp.a.password}'",
        ),
        (
            "jdbc:sqlserver://h:1;user=sa;pwd=KEY",
            "pwd",
            "run 'jdbc:sqlserver://h:1;user=sa;pwd=${mcp.a.pwd}'",
        ),
    ] {
        let pasted = json!({ "a": { "command": "run", "args": [text.replace("KEY", key)] } });
        let (server, found) = taken(&pasted);
        assert_eq!(found, [(format!("mcp.a.{name}"), key.to_owned())], "{text}");
        assert_eq!(command_line(&server), line);
        let headers = json!({ "X-Any": text.replace("KEY", key) });
        let (_, found) = taken(&json!({ "a": { "url": "https://h/mcp", "headers": headers } }));
        assert_eq!(found.len(), 1, "in a header: {text}");
    }
    // A header starts no program, so a key in it needs no name.
    for text in [r#"["Authorization: Bearer KEY"]"#, "Authorization: token KEY", "KEY", "a KEY"] {
        let headers = json!({ "X-Any": text.replace("KEY", key) });
        let (_, found) = taken(&json!({ "a": { "url": "https://h/mcp", "headers": headers } }));
        assert_eq!(found.len(), 1, "in a header: {text}");
    }
    let words = r#"{"Authorization": "Bearer KEY"}"#.replace("KEY", key);
    let env = json!({ "OPENAPI_MCP_HEADERS": words, "CONNECTION": "Server=h;Password=p4ss" });
    let (server, found) = taken(&json!({ "a": { "command": "run", "env": env } }));
    let kept =
        [("mcp.a.Password".to_owned(), "p4ss".to_owned()), ("mcp.a.Bearer".into(), key.into())];
    assert_eq!(found, kept);
    assert!(!format!("{server:?}").contains(key) && !format!("{server:?}").contains("p4ss"));
}

#[test]
fn what_only_begins_like_a_key_is_none() {
    for word in [
        "sk-learn-something-of-the-year-2026",
        "@scope/fc-0123456789",
        "hf_hub_download_everything_at_once",
        "desk-0123456789abcdef",
        "eyJ.a.b",
        "{\"maxTokens\":\"4000\",\"tokenUrl\":\"https://h/token\"}",
        "{\"token\":\"${TOKEN}\"}",
        "{\"token\":\"$(evil)\"}",
        "{\"token\":\"a; evil\"}",
        "echo \" \"token\": \"; evil; \"",
        "AUTHORIZATION=x evil",
        "API_KEY=1;evil",
        "Authorization: x `evil`",
    ] {
        let (server, found) = taken(&json!({ "a": { "command": "x", "args": ["-c", word] } }));
        assert_eq!(found, [], "{word}");
        let args = vec!["-c".to_owned(), word.to_owned()];
        assert!(
            matches!(&server.transport, McpTransport::Stdio { args: left, .. } if *left == args),
            "{server:?}"
        );
    }
}

#[test]
fn nothing_that_would_be_run_hides_behind_the_name_of_a_key() {
    for args in [
        ["--token-file", "/etc/shadow"],
        ["--key-command", "evil"],
        ["-c", "API_KEY=1 evil"],
        ["-c", "API_KEY=$(evil)"],
        ["-c", "API_KEY=1;evil"],
        ["--max-tokens", "4000"],
        ["--token", "${TOKEN}"],
        ["--token", "--other"],
        ["LD_LIBRARY_PATH=/evil", "C:\\keys"],
        ["https://h/keys/list?page=1", "a bearer of news"],
    ] {
        let (server, found) = taken(&json!({ "a": { "command": "x", "args": args } }));
        assert_eq!(found, [], "{args:?}");
        let args = args.map(str::to_owned).to_vec();
        assert!(
            matches!(&server.transport, McpTransport::Stdio { args: left, .. } if *left == args),
            "{server:?}"
        );
    }
}

#[test]
fn what_a_shell_would_make_something_of_is_seen_in_a_variable_of_any_name() {
    for (name, value) in [
        ("API_TOKEN", "curl -s evil"),
        ("API_TOKEN", "a;evil"),
        ("API_TOKEN", "sh</tmp/evil"),
        ("API_TOKEN", "{evil,-x}"),
        ("API_TOKEN", "$(evil)"),
        ("API_TOKEN", "a\nevil"),
        ("API_TOKEN", "-----BEGIN KEY-----\nevil -x\n-----END KEY-----"),
        ("API_TOKEN", "-----BEGIN $(evil)-----"),
        ("API_TOKEN", "{\"a\":\"$(evil)\"}"),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ] {
        let (server, found) = taken(&json!({ "a": { "command": "x", "env": { name: value } } }));
        assert_eq!(found, [], "{name} {value}");
        assert!(command_line(&server).contains(value), "{}", command_line(&server));
    }
    for key in [
        "ghp_0123456789abcdef",
        "p4ss$word!",
        "abcd efgh ijkl mnop",
        "Bearer k-2718281828459045",
        "Bearer <your-token>",
        "-----BEGIN PRIVATE KEY-----\nMIIE+/=\n-----END PRIVATE KEY-----\n",
        "{\"type\": \"service_account\", \"private_key\": \"-----BEGIN x\\n\"}",
    ] {
        let (server, found) = taken(&json!({ "a": { "command": "x", "env": { "A_TOKEN": key } } }));
        assert_eq!(found, [("mcp.a.A_TOKEN".to_owned(), key.to_owned())]);
        assert_eq!(command_line(&server), "A_TOKEN=${mcp.a.A_TOKEN} x");
    }
}

#[test]
fn the_line_that_is_shown_says_which_keys_an_address_is_given() {
    let pasted = r#"{"url": "https://h/mcp", "name": "h", "headers": {"Authorization": "Bearer ${openai}", "Cookie": "c-123", "X-Region": "eu"}}"#;
    let server = parse_config(pasted).servers.remove(0);
    assert_eq!(
        command_line(&server),
        "https://h/mcp Authorization: 'Bearer ${openai}' Cookie: •••• X-Region: eu"
    );
}
