//! Links from other programs: they fill, open or ask, and never do anything by themselves.

use skein_window::Setup;

#[test]
fn a_link_fills_the_box_and_sends_nothing() {
    let link = "skein://chat/new?prompt=Explain%20the%20loom&model=demo/demo-128k";
    let skein = Setup::new().argument(link).start();
    let message = skein.get("textbox", "Message");
    message.see();
    skein_window::until("the box is filled", || message.value() == "Explain the loom");
    skein.get("combobox", "Model").text_that("has the model", |text| text.contains("128k"));
    assert!(!skein.get("article", "You").is_there(), "nothing was sent");
}

#[test]
fn a_link_that_suggests_a_server_shows_all_of_it_and_waits_for_a_yes() {
    // {"command":"npx","args":["-y","loom"]}
    let config = "eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSIsImxvb20iXX0=";
    let link = format!("skein://mcp/install?name=loom&config={config}");
    let skein = Setup::new().argument(&link).start();
    let asked = skein.get("dialog", "Add the MCP server “loom”?");
    let words = asked.text_that("shows the command", |text| text.contains("\"npx\""));
    assert!(words.contains("\"-y\"") && words.contains("\"loom\""), "{words}");
    skein.screenshot("link-suggests-a-server");
    let settings = skein.folder().join("settings.json");
    let has_it = || std::fs::read_to_string(&settings).is_ok_and(|text| text.contains("loom"));
    assert!(!has_it(), "nothing is added before the yes");
    asked.get("button", "Add server").click();
    skein.get("dialog", "Settings").get("region", "loom").see();
    assert!(has_it());
}
