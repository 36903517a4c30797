//! Summaries and titles, made by the engine without a model.

use skein_context::facts;
use skein_context::summary::{extractive_summary, provisional_title};
use skein_context::window::Prompt;
use skein_domain::message::{Message, Origin};

use super::conversation::{messages_before, parse};
use super::{count, counter};

/// The headings that mark a request for a summary. Every summary prompt of the engine names them.
const HEADINGS: [&str; 3] = ["## What has been done", "## Key context", "## Open questions"];

/// Tokens of a summary if the request states no number.
const DEFAULT_ROOM: u32 = 1_000;

/// The summary, or `None` if the message asks for none. The headings in the instructions mark a
/// request. The conversation stands in tags beside them, or is the messages before.
pub(super) fn summary(prompt: &Prompt, asked_at: usize, asked: &str) -> Option<String> {
    let names_headings = |text: &&str| HEADINGS.iter().all(|heading| text.contains(heading));
    let instructions = [prompt.system.as_str(), asked].into_iter().find(names_headings)?;
    let (messages, earlier): (Vec<Message>, Vec<String>) = if instructions == asked {
        let messages = messages_before(prompt, asked_at);
        let earlier = messages.iter().flat_map(|message| tagged(&message.text(), "summary"));
        let earlier = earlier.collect();
        (messages, earlier)
    } else {
        let conversation = tagged(asked, "conversation").concat();
        (parse(&conversation), tagged(asked, "summary"))
    };
    let limit = |after: &str| after.split(' ').next()?.replace(',', "").parse::<u32>().ok();
    let room = instructions.split("under ").skip(1).find_map(limit).unwrap_or(DEFAULT_ROOM);
    let previous = Some(earlier.join("\n\n")).filter(|text| !text.is_empty());
    let covered: Vec<&Message> = messages.iter().collect();
    let found = facts::extract(&facts::sources(&messages));
    let found = facts::fit_into_room(found, room, count).kept;
    let lines = facts::lines_to_read(&found);
    Some(extractive_summary(&counter(), &covered, previous.as_deref(), &lines, room / 10 * 9))
}

/// A title: the beginning of the user's first message. `None` if the message asks for none.
pub(super) fn title(asked: &str) -> Option<String> {
    let conversation = tagged(asked, "conversation").into_iter().next()?;
    let messages = parse(&conversation);
    let said = messages.iter().filter(|message| message.origin == Origin::Person);
    said.map(Message::text).find_map(|text| provisional_title(&text))
}

/// The texts between tags of this name.
fn tagged(text: &str, name: &str) -> Vec<String> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let inside = text.split(&open).skip(1).filter_map(|rest| rest.split(&close).next());
    inside.map(|text| text.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: &str = "Write.\n## What has been done\n## State now\n## Key context\n## Decisions and constraints\n## What comes next\n## Open questions\n- Stay under 200 tokens.";

    fn summarised(asked: &str) -> String {
        let prompt = Prompt { system: SYSTEM.to_owned(), ..Prompt::default() };
        summary(&prompt, 0, asked).unwrap()
    }

    #[test]
    fn fr_1_4_a_summary_has_the_headings_and_quotes_the_user() {
        let written = summarised(
            "<conversation>\n<message from=\"user\">\nWe decided on Redis because it is fast.\n\
             The log is in /var/log/mill.log.\n</message>\n\n<message from=\"assistant\">\nFine.\n</message>\n\n\
             <message from=\"user\">\nWho owns the mill?\n</message>\n\n</conversation>",
        );
        for line in [
            "## Key context\n",
            "The log is in /var/log/mill.log",
            "## Decisions and constraints\n- We decided on Redis because it is fast.",
            "## Open questions\n- Who owns the mill?",
        ] {
            assert!(written.contains(line), "{written}");
        }
    }

    #[test]
    fn an_older_summary_is_kept_within_the_room() {
        let old = "## Key context\n- The log is in /var/log/mill.log.\n\n## Open questions\n-";
        let chat: String = (0..200)
            .map(|number| {
                format!(
                    "<message from=\"user\">\nBox {number} holds part P-{number}7.\n</message>\n\n"
                )
            })
            .collect();
        let new = format!("<summary>\n{old}\n</summary>\n<conversation>\n</conversation>");
        assert!(summarised(&new).contains("- The log is in /var/log/mill.log."));
        let long = format!("<summary>\n{old}\n</summary>\n<conversation>\n{chat}</conversation>");
        let tokens = count(&summarised(&long));
        assert!((60..=200).contains(&tokens), "{tokens}");
    }

    #[test]
    fn a_title_is_the_beginning_of_what_the_user_said_first() {
        for (said, expected) in [
            ("Explain the tides of the North Sea.", "Explain the tides of the North Sea"),
            ("帮我写一个面包店的网站。", "帮我写一个面包店的网站"),
            (
                "![a loom](http://pictures.example/loom.png) by the [river](x)",
                "a loom by the river",
            ),
        ] {
            let asked = format!(
                "<conversation>\n<message from=\"user\">\n{said}\n</message>\n\n</conversation>"
            );
            assert_eq!(title(&asked).as_deref(), Some(expected), "{said}");
        }
    }
}
