//! The small window for a quick question.

use serde_json::{Value, json};
use skein_window::{Setup, Skein, Tray, until};

const QUICK: &str = "?quick";

fn opened(appearance: &Value) -> (Skein, Tray) {
    let settings = json!({ "nameSessions": false, "appearance": appearance });
    let skein = Setup::new().settings(&settings).with_bus().start();
    let tray = skein.tray();
    until("the tray has a menu", || tray.entries().len() > 2);
    (skein, tray)
}

#[test]
fn a_quick_question_is_answered_stored_nowhere_and_continued_in_the_app_window() {
    let (mut skein, tray) = opened(&json!({}));
    tray.choose("Quick ask");
    skein.go_to_window(QUICK);
    skein.get("textbox", "Your question").insert("My loom has 40 shafts.");
    skein.get("textbox", "Your question").press("Enter");
    skein.get("button", "New question").see();
    skein.screenshot("quick-ask");

    skein.press("Escape");
    until("it is hidden", || skein.visible_windows() == 1);
    assert_eq!(tray.entries(), ["Open Skein", "New session", "Quick ask", "Quit"]);
    tray.choose("Quick ask");
    until("it is back", || skein.visible_windows() == 2);
    skein.get("textbox", "Your question").insert("How many shafts has my loom?");
    skein.get("textbox", "Your question").press("Enter");
    let said = |skein: &Skein, words: &str| {
        skein.run("return document.body.innerText").to_string().matches(words).count()
    };
    until("the second answer knows the first question", || said(&skein, "40 shafts") > 1);
    skein.get("button", "Continue in Skein").click();

    skein.go_to_app_window();
    until("both rounds are in a session", || skein.get("article", "Assistant").count() == 2);
    until("the small window is hidden", || skein.visible_windows() == 1);
    until("the tray has the session", || tray.entries().len() == 5);
    skein.quit();
}

#[test]
fn the_quick_question_in_both_languages_and_themes() {
    for (language, theme, entry) in
        [("english", "light", "Quick ask"), ("chinese", "dark", "快速提问")]
    {
        let (skein, tray) = opened(&json!({ "language": language, "theme": theme }));
        tray.choose(entry);
        skein.go_to_window(QUICK);
        skein.any("textbox").insert("What is a heddle?");
        skein.screenshot(&format!("quick-ask-{language}-{theme}"));
        skein.any("textbox").press("Enter");
        until("it is answered", || {
            skein.run("return document.querySelectorAll('article').length") == json!(1)
                && skein.run("return document.querySelectorAll('main button').length") == json!(3)
        });
        skein.screenshot(&format!("quick-ask-answered-{language}-{theme}"));
    }
}
