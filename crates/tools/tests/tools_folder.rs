//! Nothing outside the session's folder is read, listed, searched, written or made.
//!
//! Cases with links and pipes run on Unix only: on Windows, creating a link needs a right that
//! tests do not have. Names that are special on one system are tried on every system.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod tools_support;

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use skein_platform::plain_path::plain_path;
#[cfg(unix)]
use skein_tools::ToolOutcome;
use skein_tools::files::workspace::parse_relative_path;

use tools_support::{Notebook, call, done, failed, named, tools};

const SECRET: &str = "the secret that lies outside";

/// All files around the folder, to check that nothing changed.
fn outside(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("outside")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A folder `inside`, on Unix with every kind of link, beside a folder `outside` with a secret.
fn place() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let (inside, out) = (root.path().join("inside"), root.path().join("outside"));
    fs::create_dir_all(inside.join("sub")).unwrap();
    fs::create_dir_all(out.join("deep")).unwrap();
    fs::write(inside.join("plain.txt"), "old words\n").unwrap();
    fs::write(out.join("secret.txt"), SECRET).unwrap();
    fs::write(out.join("deep/secret.txt"), SECRET).unwrap();
    #[cfg(unix)]
    make_links(&inside, &out);
    root
}

#[cfg(unix)]
fn make_links(inside: &Path, out: &Path) {
    symlink(out.join("secret.txt"), inside.join("link-to-file")).unwrap();
    symlink("../outside/secret.txt", inside.join("link-relative")).unwrap();
    symlink(out, inside.join("link-to-folder")).unwrap();
    symlink("../outside", inside.join("link-to-folder-relative")).unwrap();
    symlink("link-to-file", inside.join("link-to-link")).unwrap();
    symlink("/", inside.join("link-to-root")).unwrap();
    symlink("..", inside.join("link-up")).unwrap();
    symlink("../..", inside.join("sub/link-up-twice")).unwrap();
    symlink(out.join("not-there.txt"), inside.join("link-dangling")).unwrap();
    symlink(out.join("new-folder"), inside.join("link-dangling-folder")).unwrap();
    symlink("loop-b", inside.join("loop-a")).unwrap();
    symlink("loop-a", inside.join("loop-b")).unwrap();
    symlink("/dev/zero", inside.join("link-to-device")).unwrap();
    symlink("/proc/self/root", inside.join("link-to-proc")).unwrap();
    symlink("/proc/self/environ", inside.join("link-to-environment")).unwrap();
}

#[cfg(windows)]
const LINKS: &[&str] = &[];

const ESCAPES: &[&str] = &[
    // Upwards.
    "..",
    "../",
    "../outside/secret.txt",
    "./../outside/secret.txt",
    "sub/../../outside/secret.txt",
    "sub/../../../outside/secret.txt",
    ".//..//outside/secret.txt",
    "sub/..",
    "../inside/../outside",
    "..\\outside\\secret.txt",
    "sub\\..\\..\\outside\\secret.txt",
    "..;/outside/secret.txt",
    "../outside/secret.txt\0.png",
    // Absolute, home, and what a shell or a browser would make of it.
    "/etc/passwd",
    "//etc/passwd",
    "/",
    "~",
    "~/.ssh/id_ed25519",
    "~root/.profile",
    "file:///etc/passwd",
    "/proc/self/environ",
    "/dev/stdin",
    "plain.txt\n/etc/passwd",
    // Encodings and look-alikes.
    "%2e%2e/outside/secret.txt",
    "..%2foutside%2fsecret.txt",
    "%2e%2e%2foutside",
    "..%5coutside%5csecret.txt",
    "%252e%252e/outside/secret.txt",
    "sub/%2E%2E/%2E%2E/outside",
    "plain.txt%00.png",
    "\u{ff0e}\u{ff0e}/outside/secret.txt",
    "..\u{2215}outside\u{2215}secret.txt",
    "..\u{2044}outside",
    "\u{2025}/outside/secret.txt",
    "..\u{ff0f}outside",
    "..\u{ff3c}outside",
    "\u{202e}txt.terces/edistuo",
    "plain\u{200b}.txt",
    "\u{feff}../outside/secret.txt",
    // Windows: drives, shares, devices, streams, endings that vanish, short names.
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "c:win.ini",
    "C:",
    "\\\\server\\share\\file",
    "//server/share/file",
    "\\\\?\\C:\\Windows",
    "\\\\.\\PhysicalDrive0",
    "\\Windows\\win.ini",
    "CON",
    "con",
    "Con.txt",
    "sub/NUL",
    "nul.tar.gz",
    "AUX",
    "prn.log",
    "COM1",
    "com9.txt",
    "LPT1",
    "COM\u{b9}",
    "CONIN$",
    "aux .txt",
    "plain.txt:stream",
    "plain.txt::$DATA",
    "plain.txt.",
    "plain.txt ",
    "sub./x",
    "sub /x",
    ".. /outside/secret.txt",
    "... /x",
    "PROGRA~1",
    "sub/SECRET~1.TXT",
    "pl?in.txt",
];

/// Links: the path looks harmless, its target is not.
#[cfg(unix)]
const LINKS: &[&str] = &[
    "link-to-file",
    "link-relative",
    "link-to-link",
    "link-to-folder/secret.txt",
    "link-to-folder/deep/secret.txt",
    "link-to-folder-relative/secret.txt",
    "link-to-root/etc/passwd",
    "link-up/outside/secret.txt",
    "sub/link-up-twice/outside/secret.txt",
    "link-dangling",
    "link-dangling-folder/x",
    "loop-a",
    "link-to-device",
    "link-to-proc/etc/passwd",
    "link-to-environment",
];

#[tokio::test]
async fn every_escape_from_the_folder_is_refused_by_every_tool_that_takes_a_path() {
    assert!(ESCAPES.len() >= 40);
    let root = place();
    let inside = root.path().join("inside");
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let before = outside(root.path());
    for path in ESCAPES.iter().chain(LINKS) {
        let tries: [(&str, Value); 6] = [
            ("read_file", json!({ "path": path })),
            ("list_directory", json!({ "path": path })),
            ("glob", json!({ "pattern": "**", "path": path })),
            ("grep", json!({ "pattern": "secret|root", "path": path })),
            ("write_file", json!({ "path": path, "content": "changed" })),
            ("edit_file", json!({ "path": path, "old_text": "secret", "new_text": "changed" })),
        ];
        for (name, args) in tries {
            let message = failed(call(&named(&tools, name), args.clone()).await);
            assert!(!message.contains(SECRET), "{name} {path:?}: {message}");
            if let shown @ (Ok(Some(_)) | Err(_)) = named(&tools, name).preview(&args).await {
                assert!(!format!("{shown:?}").contains(SECRET), "{name} {path:?}: {shown:?}");
            }
        }
    }
    assert_eq!(outside(root.path()), before);
    assert!(!root.path().join("outside/new-folder").exists());
    assert_eq!(fs::read_to_string(inside.join("plain.txt")).unwrap(), "old words\n");
}

#[tokio::test]
async fn folders_behind_links_are_not_walked() {
    let root = place();
    let tools = tools(Some(&root.path().join("inside")), Arc::new(Notebook::default()));
    let found = done(call(&named(&tools, "glob"), json!({ "pattern": "**" })).await);
    assert_eq!(found, "plain.txt");
    let found = done(call(&named(&tools, "grep"), json!({ "pattern": "secret" })).await);
    assert_eq!(found, "Nothing matches.");
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_becomes_a_link_between_two_steps_leads_nowhere() {
    let root = place();
    let inside = root.path().join("inside");
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    fs::create_dir(inside.join("real")).unwrap();
    fs::write(inside.join("real/secret.txt"), "harmless").unwrap();
    let before = outside(root.path());
    let stop = Arc::new(AtomicBool::new(false));
    let swapper = std::thread::spawn({
        let (inside, stop, out) = (inside.clone(), stop.clone(), root.path().join("outside"));
        move || {
            symlink(&out, inside.join("trap")).unwrap();
            while !stop.load(Ordering::Relaxed) {
                // A write may create the folder again while it is away.
                let _ = fs::rename(inside.join("real"), inside.join("swap"));
                if fs::rename(inside.join("trap"), inside.join("real")).is_ok() {
                    let _ = fs::rename(inside.join("real"), inside.join("trap"));
                }
                let _ = fs::remove_dir_all(inside.join("real"));
                let _ = fs::rename(inside.join("swap"), inside.join("real"));
            }
        }
    });
    let mut read = 0;
    for _ in 0..400 {
        let args = json!({ "path": "real/secret.txt" });
        if let ToolOutcome::Done { text, .. } = call(&named(&tools, "read_file"), args).await {
            assert!(text.contains("harmless"), "{text}");
            read += 1;
        }
        let args = json!({ "path": "real/secret.txt", "content": "harmless" });
        call(&named(&tools, "write_file"), args).await;
        let args = json!({ "pattern": "secret", "path": "real" });
        if let ToolOutcome::Done { text, .. } = call(&named(&tools, "grep"), args).await {
            assert!(!text.contains(SECRET), "{text}");
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert!(read > 0, "the race was never won by the tool, so nothing was tried");
    assert_eq!(outside(root.path()), before);
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_not_waited_for() {
    let root = place();
    let inside = root.path().join("inside");
    let made = std::process::Command::new("mkfifo").arg(inside.join("pipe")).status().unwrap();
    assert!(made.success());
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let message = failed(call(&named(&tools, "read_file"), json!({ "path": "pipe" })).await);
    assert_eq!(message, "pipe is not a file.");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_the_place_of_a_draft_leads_no_text_elsewhere() {
    let root = place();
    let inside = root.path().join("inside");
    fs::create_dir_all(inside.join(".git/hooks")).unwrap();
    fs::write(inside.join("other.txt"), "of the person\n").unwrap();
    let draft = |name: &str| inside.join(format!(".{name}.{}.skein", std::process::id()));
    symlink(".git/hooks/pre-commit", draft("plain.txt")).unwrap();
    symlink("other.txt", draft("new.txt")).unwrap();
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    for path in ["plain.txt", "new.txt"] {
        let args = json!({ "path": path, "content": "of the model\n" });
        done(call(&named(&tools, "write_file"), args).await);
        let written = inside.join(path);
        assert!(!written.is_symlink());
        assert_eq!(fs::read_to_string(written).unwrap(), "of the model\n");
    }
    assert!(!inside.join(".git/hooks/pre-commit").exists());
    assert_eq!(fs::read_to_string(inside.join("other.txt")).unwrap(), "of the person\n");
    let left = fs::read_dir(&inside).unwrap().map(|it| it.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_str().unwrap().starts_with(".skein-")));
}

#[test]
fn ordinary_paths_are_understood() {
    for (path, meant) in [
        (".", "."),
        ("./", "."),
        ("a.txt", "a.txt"),
        ("./a//b/", "a/b"),
        ("a/./b", "a/b"),
        ("..hidden", "..hidden"),
        ("a..b/c", "a..b/c"),
        (".env", ".env"),
        ("名前/файл.txt", "名前/файл.txt"),
        ("[id]/page (1).tsx", "[id]/page (1).tsx"),
        ("console.log", "console.log"),
        ("com10", "com10"),
        ("nullable.rs", "nullable.rs"),
        ("a~b", "a~b"),
        ("50%.txt", "50%.txt"),
    ] {
        assert_eq!(parse_relative_path(path).unwrap(), Path::new(meant), "{path:?}");
    }
}

#[tokio::test]
async fn an_absolute_path_into_the_folder_is_understood() {
    let root = place();
    let inside = plain_path(&root.path().join("inside").canonicalize().unwrap());
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let read = named(&tools, "read_file");
    let absolute = inside.join("plain.txt").display().to_string();
    assert_eq!(done(call(&read, json!({ "path": absolute })).await), "1\told words");
    let beside = format!("{}-beside/x", inside.display());
    failed(call(&read, json!({ "path": beside })).await);
    if cfg!(windows) {
        let shown = absolute.replace('\\', "/").to_uppercase();
        assert_eq!(done(call(&read, json!({ "path": shown })).await), "1\told words", "{shown}");
    }
}

#[cfg_attr(windows, ignore = "Wine 8 does not know the path of an open file beyond 260 characters")]
#[tokio::test]
async fn a_path_longer_than_windows_once_allowed_is_used_and_shown_with_slashes() {
    let root = place();
    let inside = root.path().join("inside");
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let path = format!("{}/{}/notes.md", "warp".repeat(40), "weft".repeat(40));
    let args = json!({ "path": path, "content": "grey wool" });
    done(call(&named(&tools, "write_file"), args).await);
    let read = done(call(&named(&tools, "read_file"), json!({ "path": path })).await);
    assert_eq!(read, "1\tgrey wool");
    let found = done(call(&named(&tools, "glob"), json!({ "pattern": "**/*.md" })).await);
    assert_eq!(found, path);
    let found = done(call(&named(&tools, "grep"), json!({ "pattern": "wool" })).await);
    assert_eq!(found, format!("{path}:1:grey wool"));
}

/// On Windows a program may open a file so that nobody else may read or replace it.
#[cfg(windows)]
#[tokio::test]
async fn a_locked_file_is_said_to_be_in_use_and_keeps_its_content() {
    use std::os::windows::fs::OpenOptionsExt;
    let root = place();
    let inside = root.path().join("inside");
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let file = inside.join("plain.txt");
    let lock = fs::File::options().read(true).share_mode(0).open(&file).unwrap();
    let args = json!({ "path": "plain.txt", "content": "new words" });
    for (name, args) in [("read_file", json!({ "path": "plain.txt" })), ("write_file", args)] {
        let message = failed(call(&named(&tools, name), args).await);
        assert!(message.starts_with("plain.txt: "), "{message}");
    }
    drop(lock);
    assert_eq!(fs::read_to_string(file).unwrap(), "old words\n");
    assert_eq!(fs::read_dir(inside).unwrap().count(), 2, "no unfinished file is left");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_within_the_folder_is_followed() {
    let root = place();
    let inside = root.path().join("inside").canonicalize().unwrap();
    symlink("plain.txt", inside.join("link-within")).unwrap();
    let tools = tools(Some(&inside), Arc::new(Notebook::default()));
    let read = named(&tools, "read_file");
    assert_eq!(done(call(&read, json!({ "path": "link-within" })).await), "1\told words");
    // Writing through a link within the folder changes its target and keeps the link.
    let args = json!({ "path": "link-within", "content": "new words" });
    done(call(&named(&tools, "write_file"), args).await);
    assert_eq!(fs::read_to_string(inside.join("plain.txt")).unwrap(), "new words");
    assert!(inside.join("link-within").is_symlink());
}

proptest::proptest! {
    #[test]
    fn whatever_is_not_refused_stays_below_the_folder(
        path in r"[./\\~%:a-zA-Z0-9 \u{202e}\u{ff0e}-]{0,12}(/[.a-z \-]{0,4}){0,4}"
    ) {
        if let Ok(understood) = parse_relative_path(&path) {
            let plain = understood.components().all(|part| {
                matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)
            });
            proptest::prop_assert!(plain && !understood.is_absolute(), "{:?}", understood);
        }
    }
}
