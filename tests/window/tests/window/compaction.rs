//! The main job: a conversation that compacts itself, seen from where a person sits.

use skein_window::{Skein, until};

/// A message that fills about a tenth of the demo model's small window.
fn long(fact: &str) -> String {
    let filler = "The weaver crosses the warp with the weft and beats it home, row after row. ";
    format!("{fact} {}", filler.repeat(45))
}

/// Sends a message and waits for the whole answer.
fn say(skein: &Skein, words: &str) {
    skein.get("textbox", "Message").insert(words);
    skein.get("textbox", "Message").press("Enter");
    skein.get("button", "Stop").see();
    skein.get("button", "Send").see();
}

fn fill(skein: &Skein) {
    for fact in
        ["My deploy port is 7443.", "The cat is called Miso.", "We build on Fridays.", "So."]
    {
        say(skein, &long(fact));
    }
}

#[test]
fn fr_1_a_conversation_compacts_itself_stays_readable_and_can_be_taken_back() {
    let skein = Skein::start();
    fill(&skein);
    skein.get("article", "Summary").see();
    skein.screenshot("compacted");
    assert!(skein.get("article", "You").count() >= 1, "what was said is still there");

    say(&skein, "What is my deploy port?");
    skein.screenshot("asked-after-compaction");
    let answered = "return document.querySelector('[role=log]').textContent.includes('7443')";
    assert_eq!(skein.run(answered), true);

    skein.get("button", "Context estimate").click();
    skein.get("dialog", "Context estimate").see();
    skein.get("table", "Context breakdown").see();
    skein.screenshot("context-estimate");
    skein.press("Escape");
    skein.get("dialog", "Context estimate").gone();

    let share =
        "return document.querySelector('button[aria-label=\"Context estimate\"]').textContent";
    let compacted = skein.run(share);
    skein.get("button", "Undo").last().click();
    until("the whole conversation is counted again", || skein.run(share) != compacted);
    skein.screenshot("compaction-undone");
}

#[test]
fn fr_4_3_nothing_is_compacted_by_itself_where_it_is_switched_off() {
    let skein = Skein::start();
    skein.get("button", "Context estimate").click();
    skein.get("switch", "Auto-compaction (this session)").click();
    skein.press("Escape");
    skein.get("dialog", "Context estimate").gone();
    fill(&skein);
    say(&skein, "And now?");
    assert!(!skein.get("article", "Summary").is_there());
}
