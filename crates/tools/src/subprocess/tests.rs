use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn program(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
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
        program(&home.path().join(place).join(name));
        program(&home.path().join(".nvm/versions/node/v9.11.2/bin/other"));
        let places = merge_search_paths(Vec::new(), vec!["/nowhere".into()], home.path());
        let found = find_program(name, &places).unwrap();
        assert_eq!(found, home.path().join(place).join(name), "{place}");
    }
}

#[test]
fn the_login_shell_comes_first_and_each_place_once() {
    let home = tempfile::tempdir().unwrap();
    let (login, inherited) = (home.path().join("login"), home.path().join("inherited"));
    program(&login.join("npx"));
    program(&inherited.join("npx"));
    let twice = vec![inherited.clone(), login.clone(), inherited.clone(), "relative".into()];
    let places = merge_search_paths(vec![login.clone()], twice, home.path());
    assert_eq!(places.get(..2), Some(&[login.clone(), inherited][..]));
    assert_eq!(find_program("npx", &places), Some(login.join("npx")));
    let path = login.join("npx").display().to_string();
    assert_eq!(find_program(&path, &[]), Some(login.join("npx")));
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

#[tokio::test]
async fn the_login_shell_of_whoever_runs_the_tests_says_its_path() {
    let path = login_path().await.unwrap();
    assert!(std::env::split_paths(&path).any(|place| place.is_absolute()));
}

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
