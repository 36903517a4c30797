use std::fs;
use std::process::Stdio;

use super::*;

/// Makes a program that does nothing. Returns its path, which on Windows ends in `.cmd`, as that of `npx`.
fn program(path: &Path) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let path = if cfg!(windows) { path.with_added_extension("cmd") } else { path.to_owned() };
    fs::write(&path, if cfg!(windows) { "@echo off\r\n" } else { "#!/bin/sh\n" }).unwrap();
    skein_platform::file_permissions::set_mode(&path, 0o755).unwrap();
    path
}

/// True if both are the same file, however its path is written: Windows ignores the case of an ending.
fn is_same_file(found: Option<PathBuf>, path: &Path) -> bool {
    found.unwrap().canonicalize().unwrap() == path.canonicalize().unwrap()
}

#[test]
fn npx_and_uvx_are_found_though_the_desktop_has_a_short_path() {
    for (place, name) in [
        (".nvm/versions/node/v22.3.0/bin", "npx"),
        (".local/share/fnm/aliases/default/bin", "npx"),
        ("Library/Application Support/fnm/aliases/default/bin", "npx"),
        (".local/share/mise/shims", "npx"),
        (".volta/bin", "npx"),
        (".asdf/shims", "npx"),
        (".bun/bin", "bunx"),
        (".local/bin", "uvx"),
        (".cargo/bin", "uvx"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let expected = program(&home.path().join(place).join(name));
        program(&home.path().join(".nvm/versions/node/v9.11.2/bin/other"));
        let places = merge_search_paths(Vec::new(), vec!["/nowhere".into()], home.path());
        assert!(is_same_file(find_program(name, &places), &expected), "{place}");
    }
}

#[test]
fn the_login_shell_comes_first_and_each_place_once() {
    let home = tempfile::tempdir().unwrap();
    let (login, inherited) = (home.path().join("login"), home.path().join("inherited"));
    let first = program(&login.join("npx"));
    program(&inherited.join("npx"));
    let twice = vec![inherited.clone(), login.clone(), inherited.clone(), "relative".into()];
    let places = merge_search_paths(vec![login.clone()], twice, home.path());
    assert_eq!(places.get(..2), Some(&[login.clone(), inherited][..]));
    assert!(is_same_file(find_program("npx", &places), &first));
    let path = login.join("npx").display().to_string();
    assert!(is_same_file(find_program(&path, &[]), &first));
    assert_eq!(find_program("no-such-program", &places), None);
}

#[test]
fn on_windows_no_program_is_looked_for_in_the_folder_first() {
    let completed = |system| {
        let mut environment = BTreeMap::new();
        complete(&mut environment, system);
        environment
    };
    let is_set = completed("windows").get("NoDefaultCurrentDirectoryInExePath").cloned();
    assert_eq!(is_set.as_deref(), Some("1"));
    assert_eq!(completed("linux"), BTreeMap::new());
}

#[test]
fn on_macos_a_program_gets_utf_8_unless_the_desktop_has_a_locale() {
    for (set, expected) in [(None, Some("UTF-8")), (Some("LANG"), None), (Some("LC_ALL"), None)] {
        let set = set.map(|name| (name.to_owned(), "zh_CN.UTF-8".to_owned()));
        let mut environment = BTreeMap::from_iter(set);
        complete(&mut environment, "macos");
        assert_eq!(environment.get("LC_CTYPE").map(String::as_str), expected, "{environment:?}");
    }
}

#[test]
fn the_password_of_a_proxy_is_found_as_it_is_written_and_as_it_is() {
    for (name, address, found) in [
        (
            "HTTPS_PROXY",
            "http://ann:p%40ss%word@proxy:8080/",
            &["ann:p%40ss%word", "ann:p@ss%word", "p%40ss%word", "p@ss%word"][..],
        ),
        ("all_proxy", "ann:pass@proxy", &["ann:pass", "ann:pass", "pass", "pass"]),
        ("HTTP_PROXY", "http://proxy:8080", &[]),
        ("NO_PROXY", "localhost,10.0.0.0/8", &[]),
        ("HOME", "http://ann:pass@home", &[]),
    ] {
        let environment = BTreeMap::from([(name.to_owned(), address.to_owned())]);
        assert_eq!(proxy_passwords(&environment), found, "{name}={address}");
    }
}

#[cfg_attr(windows, ignore = "Windows has no login shell: a desktop program has the whole PATH")]
#[tokio::test]
async fn the_login_shell_of_whoever_runs_the_tests_says_its_path() {
    let path = login_shell::path().await.unwrap();
    assert!(std::env::split_paths(&path).any(|place| place.is_absolute()));
}

#[cfg_attr(
    windows,
    ignore = "Windows has no login shell, and no terminal that a program could stop in"
)]
#[test]
fn a_terminal_does_not_keep_the_login_shell_from_saying_its_path() {
    let spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let again = std::process::Command::new("python3")
        .args(["-c", spawn])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "subprocess::tests::the_login_shell_of_whoever_runs_the_tests_says_its_path",
        ])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
}

/// The arguments that a batch file has received, each in quotes and on a line of its own.
#[cfg(windows)]
async fn received(arguments: &[&str]) -> std::io::Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("tell it.cmd");
    let line = |at: usize| format!("echo %{at}\r\n");
    fs::write(
        &file,
        format!("@echo off\r\n{}", (1..=arguments.len()).map(line).collect::<String>()),
    )?;
    let mut command = Command::new(find_program(&file.display().to_string(), &[]).unwrap());
    command.args(arguments).env_clear().envs(environment().await).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut group = spawn(command)?;
    let mut said = String::new();
    group.0.stdout().take().unwrap().read_to_string(&mut said).await?;
    Ok(said.lines().map(str::to_owned).collect())
}

#[cfg(windows)]
#[tokio::test]
async fn an_argument_of_a_batch_file_starts_no_other_program() {
    for argument in ["a b", "a & echo more", "a | more", "a > file", "a ^ b", "100 %PATH%"] {
        let said = received(&[argument, "second"]).await.unwrap();
        assert_eq!(said.len(), 2, "{argument}: {said:?}");
        assert_eq!(said[1].trim_matches('"'), "second", "{argument}: {said:?}");
    }
    for argument in ["a\" & echo more", "a\n echo more", "a\r echo more"] {
        let said = received(&[argument]).await;
        assert!(said.is_err() || said.as_ref().unwrap().len() == 1, "{argument:?}: {said:?}");
    }
}
