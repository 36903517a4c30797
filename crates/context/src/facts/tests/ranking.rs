//! The order of facts.

use skein_domain::ids::MessageId;

use super::said;
use crate::facts::*;

#[test]
fn a_value_of_the_user_ranks_above_the_rows_of_a_long_output_and_a_question() {
    let value = "The boiler of the annex runs at 64 degrees.";
    let asked = "Does the boiler of the mill run at 58 degrees?";
    let output: String = (10..60).map(|at| format!("boiler_{at}: {at} degrees\n")).collect();
    let mut passages = said(Author::User, &[asked, value]);
    passages.push(FactSource {
        message: MessageId(7),
        author: Author::Material,
        text: &output,
        document: None,
    });
    let first = extract(&passages).into_iter().next().map(|fact| fact.text);
    assert_eq!(first.as_deref(), Some("The boiler of the annex runs at 64 degrees"));
}

#[test]
fn routine_output_ranks_below_what_is_said_once() {
    let runs: Vec<String> =
        (0..6).map(|at| format!("run {at}4: 12{at} passed, 1 failed in 6.{at}1s")).collect();
    let mut passages: Vec<FactSource<'_>> =
        said(Author::Material, &runs.iter().map(String::as_str).collect::<Vec<_>>());
    passages.push(FactSource {
        message: MessageId(9),
        author: Author::User,
        text: "Hallway is going to be Sage Mist.",
        document: None,
    });
    assert_eq!(extract(&passages)[0].message, MessageId(9));
    let newest = extract(&passages).into_iter().find(|fact| fact.author == Author::Material);
    assert_eq!(newest.map(|fact| fact.message), Some(MessageId(6)));
}

#[test]
fn a_letter_that_somebody_quotes_ranks_above_a_piece_of_code() {
    let quoted = "> the viewing in Ferry Street is on 14 May at 10:30";
    let fenced = "```\nviewing(\"Ferry Street\", \"14 May\", \"10:30\")\n```";
    let weight = |text: &str| extract(&said(Author::User, &[text]))[0].weight;
    assert!(weight(quoted) > weight(fenced));
}

#[test]
fn what_a_list_gives_to_a_name_ranks_above_a_remark_though_no_value_has_a_shape() {
    let texts =
        ["岗位 | 负责人\n|---|---|\n| 接待车 | 董海川 |", "昨晚梦见自己在给茶树打疫苗还要排队"];
    let table = format!("| {}", texts[0]);
    let found = extract(&said(Author::User, &[&table, texts[1]]));
    assert_eq!(found[0].text, "接待车 | 董海川");
}

#[test]
fn what_a_brief_output_says_ranks_above_the_same_in_a_long_one() {
    let long =
        format!("{}\nrelay listens on 10.4.2.9", "nothing was done here at all\n".repeat(20));
    let facts = extract(&said(Author::Material, &[&long, "proxy listens on 10.4.2.7"]));
    let place = |text: &str| facts.iter().position(|it| it.text == text);
    assert!(place("proxy listens on 10.4.2.7") < place("relay listens on 10.4.2.9"), "{facts:?}");
}

#[test]
fn talk_beside_a_value_gives_way_to_it() {
    let told =
        "Somebody told the whole village about the gate. The gate at Larkfield opens with 8036.";
    let facts = extract(&said(Author::User, &[told]));
    assert!(facts.first().is_some_and(|it| it.text.contains("8036")), "{facts:?}");
}

#[test]
fn a_demand_without_a_value_ranks_above_talk() {
    let demands = ["Never push to main.", "永远不要直接推送到主分支。"];
    for demand in demands {
        let mut sources = said(
            Author::User,
            &[demand, "My sister told the whole village about the gate and the old orchard."],
        );
        sources.push(FactSource {
            message: MessageId(3),
            author: Author::Model,
            text: "A calm morning walk often helps with such thoughts.",
            document: None,
        });
        let facts = extract(&sources);
        assert!(facts.first().is_some_and(|it| it.message == MessageId(1)), "{facts:?}");
    }
}

#[test]
fn a_value_that_the_user_gives_again_in_the_same_words_ranks_above_talk() {
    let texts = [
        "The deploy port is 7443.",
        "My sister told the whole village about the gate and the old orchard.",
        "The deploy port is 9001.",
    ];
    let facts = extract(&said(Author::User, &texts));
    assert!(facts.first().is_some_and(|it| it.text.contains("9001")), "{facts:?}");
}

#[test]
fn a_row_that_comes_again_among_others_that_do_not_is_no_routine() {
    let timetable =
        "Crannaway | 16:45 | berth 2\nBrannoch | 07:25 | berth 5\nOswin | 11:15 | berth 1";
    let notice = "Crannaway | 16:10 | berth 2\nwinter service";
    let facts = extract(&said(Author::Material, &[timetable, notice]));
    let weight = |text: &str| facts.iter().find(|it| it.text.contains(text)).map(|it| it.weight);
    assert!(weight("16:10").map(|it| it * 8) > weight("07:25"), "{facts:?}");
}

#[test]
fn a_value_that_another_follows_ranks_lower_the_more_of_its_names_the_other_has() {
    let train = "My train to Inverness goes at 06:52 on the Sunday.";
    let boiler = "The boiler of the annex runs at 64 degrees.";
    let weight = |newer: &str| {
        let facts = extract(&said(Author::User, &[train, boiler, newer]));
        facts.iter().find(|it| it.text.contains("06:52")).map(|it| it.weight)
    };
    let same = weight("They retimed the Inverness train and it leaves at 07:09 instead.");
    let other = weight("The ferry of Aviemore sails at 09:26 from the old pier.");
    assert!(same.map(|it| it * 4) < other, "{same:?} {other:?}");
}
