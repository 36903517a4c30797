//! The conversation in the README's screenshot, in both themes: a plausible one, compacted on the
//! way, with a correct answer about its beginning.

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein, exported};

use crate::actions::{reads, send};

/// The previous messages, user and model in turn.
const SAID: [&str; 12] = [
    "We are moving the photo archive off the old NAS: 2.1 TB, 214,000 files, and the lease on the \
     machine room ends on 14 March. Where do we start?",
    "Start with an inventory, so that you can prove afterwards that nothing is missing:\n\n\
     1. List every file with its size and checksum (`b3sum` is quick enough to read 2 TB in a night).\n\
     2. Copy in the order of the lists, oldest years first: they change least.\n\
     3. Compare the lists of both sides before anybody works on the new one.\n\n\
     With 14 March fixed, I would plan to be done by the end of February and keep two weeks for what \
     nobody thought of.",
    "The new machine is tern-02, the pool is called `plates`. We settled on BLAKE3. RAW files must \
     keep their times, the sidecars too.",
    "Good. Then this keeps times, permissions and sparse files, and can be stopped and taken up again:\n\n\
     ```sh\nrsync -aHS --partial --info=progress2 /nas/photos/1998/ tern-02:/plates/1998/\n```\n\n\
     `-a` keeps the times of RAW files and sidecars alike. Leave `--delete` away until the lists have \
     been compared: a mount that was missing for a moment would otherwise empty the copy.",
    "How long will it take over the 1 Gbit line?",
    "At 110 MB/s in practice, 2.1 TB are about five and a half hours for the large files. The 160,000 \
     sidecars are what takes time: at some 300 files a second another nine minutes each way, more if \
     the old disks seek. Plan one night, and a second one for the comparison.\n\n\
     | step | size | at | hours |\n| --- | --- | --- | --- |\n| RAW and TIFF | 2.06 TB | 110 MB/s | 5.2 |\n\
     | sidecars | 38 GB | 300 files/s | 0.2 |\n| checksums | 2.1 TB | 180 MB/s | 3.3 |",
    "Mara wants to go on adding scans while we copy. Can she?",
    "Yes, if what is new goes to one folder, `incoming`, which is copied last. Take a snapshot of the \
     NAS before the first night (`/nas/.snapshots/before-move`), copy from the snapshot, and run \
     `rsync` once more for `incoming` on the morning you switch over. Tell her the hour at which the \
     old share becomes read-only.",
    "First night is done. 61 files differ in their checksum, all of them from 2004.",
    "Sixty-one files of one year point at the disk, not at the copy. Read three of them twice on the \
     NAS: where the same file gives two checksums, the disk is failing, and those files have to come \
     from the tape of 2004. Where it gives the same twice, the copy was cut short: remove those 61 on \
     `plates` and let `rsync` fetch them again.",
    "Two different checksums for the same file. So the tape it is. Anna has the key to the cabinet.",
    "Then set disk 3 of the NAS aside before it takes more with it, and restore 2004 from the tape to \
     `/plates/2004.tape` first, beside what was copied. Compare it with the lists of 2005, which were \
     made when the disk was still whole, and only then put it in place.",
];

const SUMMARY: &str = "## Goal\n\nMove the photo archive (2.1 TB, 214,000 files) from the old NAS to \
     tern-02, pool `plates`, before the lease ends on 14 March.\n\n## Decided\n\n- BLAKE3 for all \
     checksums; RAW files and sidecars keep their times.\n- `rsync -aHS --partial`, no `--delete` until \
     the lists are compared.\n- Mara's new scans go to `incoming`, copied last.\n\n## Where it stands\n\n\
     First night done. 61 files of 2004 differ.";

const QUESTION: &str = "Remind me: by when must all of it be done, and which checksum did we take?";

const ANSWER: &str = "By **14 March**, when the lease on the machine room ends; the plan keeps its last two \
     weeks free. The checksum is **BLAKE3**, for both lists.";

#[test]
fn a_conversation_as_the_readme_shows_it_in_both_themes() {
    for theme in ["light", "dark"] {
        let server = Server::start(answer);
        let skein = a_window(&server, theme);
        open_the_conversation(&skein);
        send(&skein, "/compact");
        skein.get("article", "Summary").see();
        send(&skein, QUESTION);
        let reply = skein.get("article", "Assistant").last();
        reply.text_that("answers from what was said first", |text| text.contains("BLAKE3"));
        skein.get("button", "Send").see();
        skein.screenshot(&format!("readme-conversation-{theme}"));

        skein.get("button", "Context estimate").click();
        skein.get("table", "Context breakdown").see();
        skein.screenshot(&format!("readme-context-{theme}"));
    }
}

fn a_window(server: &Server, theme: &str) -> Skein {
    let said = exported("Moving the photo archive", 12, |id| match (id, SAID[id as usize - 1]) {
        (5, words) => format!("{words} The first hour:\n\n```\n{}```", log()),
        (_, words) => words.to_owned(),
    });
    let settings = json!({
        "appearance": { "theme": theme, "language": "english" },
        "defaultModel": { "provider": "p", "model": "qwen3-8b" },
        "providers": [{
            "id": "p", "kind": "custom", "name": "Our own", "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "qwen3-8b", "window": 8_192 }],
        }],
    });
    Setup::new().settings(&settings).file("said.json", said.to_string()).start()
}

/// The log that the user pasted and that a compaction shortens.
fn log() -> String {
    let file = |n: u32| {
        let bytes = 23_068_672 + n * 7_919;
        format!("1998/harvest/{:04}.RAW {bytes} 100% {}.{}MB/s\n", 400 + n, 104 + n % 9, n % 10)
    };
    (0..90).map(file).collect()
}

fn answer(asked: &Asked, _: usize) -> Reply {
    let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    match (asked.method.as_str(), asked.body.contains(QUESTION)) {
        ("POST", true) => spoken(ANSWER, asked.body.len() / 4),
        ("POST", false) if body["tools"].is_null() => spoken(SUMMARY, asked.body.len() / 4),
        _ => Reply::json(200, r#"{"data":[]}"#),
    }
}

fn spoken(words: &str, prompt: usize) -> Reply {
    let said = json!({
        "choices": [{ "delta": { "content": words }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": prompt, "completion_tokens": words.len() / 4 },
    });
    Reply::events(format!("data: {said}\n\ndata: [DONE]\n\n"))
}

fn open_the_conversation(skein: &Skein) {
    skein.get("button", "Settings").click();
    skein.get("tab", "Data").click();
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&skein.folder().join("said.json"));
    reads(skein, "12 messages from");
    skein.press("Escape");
    skein.get("link", "Moving the photo archive").click();
    skein.get("article", "Assistant").last().see();
}
