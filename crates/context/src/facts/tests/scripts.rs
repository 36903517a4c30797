//! Names in other scripts than Latin and Han: disjoint names are different things there, too.

use super::said;
use crate::facts::*;

/// Of each script a statement with a name and a value, and names for it.
const STATEMENTS: &[(&str, [&str; 3])] = &[
    ("Добавочный номер {} — {v}", ["Анны", "Бориса", "Ольги Серовой"]),
    ("Кабинет {}: {v}", ["Анна", "Борис", "анна-мария"]),
    ("Поезд из города {} отходит в {v}", ["Пермь", "Тверь", "Псков"]),
    ("Το εσωτερικό της {} είναι {v}", ["Άννας", "Ελένης", "Μαρίας"]),
    ("Δωμάτιο {}: {v}", ["Νίκος", "Γιώργος", "Πάρος"]),
    ("تحويلة {} هي {v}", ["ليلى", "سمير", "نور الدين"]),
    ("غرفة {}: {v}", ["ليلى", "سمير", "هدى"]),
    ("השלוחה של {} היא {v}", ["דנה", "יוסי", "רות"]),
    ("חדר {}: {v}", ["דנה", "יוסי", "רות"]),
    ("{} का एक्सटेंशन {v}", ["अनिता", "राहुल", "सीता"]),
    ("कमरा {}: {v}", ["अनिता", "राहुल", "सीता"]),
    ("{}の内線は{v}", ["アンナ", "ベン", "さくら"]),
    ("{}行きの便は{v}", ["オスロ", "アテネ", "ナナ"]),
    ("部屋 {}: {v}", ["アンナ", "ナナ", "ナナナ"]),
    ("{}의 내선 번호는 {v}", ["안나", "민수", "지영"]),
    ("{}행 비행기는 {v}", ["오슬로", "아테네", "부산"]),
    ("회의실 {}: {v}", ["안나", "민수", "지영"]),
    ("เบอร์ต่อของ{}คือ{v}", ["สมชาย", "สมหญิง", "มาลี"]),
    ("ห้องของ{} {v}", ["สมชาย", "สมหญิง", "มาลี"]),
    ("ห้อง {}: {v}", ["สมชาย", "สมหญิง", "มาลี"]),
    ("The flight to {} leaves at {v}", ["Москва", "Αθήνα", "القاهرة"]),
    ("The desk of {} is {v}", ["דנה", "राहुल", "สมชาย"]),
    ("The desk of {} is {v}", ["アンナ", "민수", "さくら"]),
    ("Die Durchwahl von {} ist {v}", ["Борис", "Γιώργος", "ليلى"]),
    ("{}的分机是{v}", ["アンナ", "민수", "Борис"]),
];

/// The same where the value is written onto the name: no later value takes its place.
const UNSPACED: &[(&str, [&str; 3])] = &[
    ("내선 {}는{v}번", ["안나", "민수", "지영"]),
    ("Кабинет {}{v}", ["Анна", "Борис", "Ольга"]),
    ("تحويلة {}{v}", ["ليلى", "سمير", "هدى"]),
    ("कमरा {}{v}", ["अनिता", "राहुल", "सीता"]),
];

/// Signs of a change before a statement.
const SIGNS: [&str; 4] = ["Update: ", "Correction: ", "Now: ", "更正："];

/// The facts of a statement and of another behind a sign of change; each name has its value.
fn told(frame: &str, of: [(&str, &str); 2], sign: &str) -> Vec<Fact> {
    let [older, newer] = of.map(|(name, value)| frame.replace("{}", name).replace("{v}", value));
    extract(&said(Author::User, &[&older, &format!("{sign}{newer}")]))
}

#[test]
fn f01_disjoint_names_of_any_script_are_different_things_beside_a_change() {
    for (frame, names) in STATEMENTS.iter().chain(UNSPACED) {
        let pairs = names.iter().flat_map(|one| names.iter().map(move |other| (one, other)));
        for (one, other) in pairs.filter(|(one, other)| one != other) {
            for sign in SIGNS {
                let facts = told(frame, [(one, "4411"), (other, "4712")], sign);
                let changed = |fact: &Fact| fact.replaced_by.is_some() || fact.was.is_some();
                assert!(!facts.iter().any(changed), "{sign}{frame} {facts:?}");
                assert_eq!(facts.len(), 2, "{sign}{frame} {facts:?}");
            }
        }
    }
}

#[test]
fn f02_the_same_name_of_any_script_is_the_same_thing() {
    for (frame, names) in STATEMENTS {
        for (name, sign) in names.iter().flat_map(|name| SIGNS.map(|sign| (name, sign))) {
            let facts = told(frame, [(name, "4411"), (name, "4712")], sign);
            let was: Vec<_> = facts.iter().filter_map(|fact| fact.was.as_deref()).collect();
            assert_eq!(was, ["4411"], "{sign}{frame} {name}");
        }
    }
}

#[test]
fn f01_the_direction_of_a_journey_belongs_to_its_identity() {
    for texts in [
        [
            "The flight from Oslo to Athens leaves at 14:35",
            "The flight from Athens to Oslo now leaves at 17:55",
        ],
        [
            "the flight from oslo to athens leaves at 14:35",
            "the flight from athens to oslo now leaves at 17:55",
        ],
        [
            "Der Zug von Kassel nach Ulm geht um 14:35",
            "Der Zug von Ulm nach Kassel geht jetzt um 17:55",
        ],
        ["Le train de Lyon à Nice part à 14:35", "Update: Le train de Nice à Lyon part à 17:55"],
        ["Поезд из Перми в Пскове в 14:35", "Update: Поезд из Пскове в Перми в 17:55"],
        ["从奥斯陆到雅典的航班14:35", "更正：从雅典到奥斯陆的航班17:55"],
    ] {
        let facts = extract(&said(Author::User, &texts));
        let changed = facts.iter().any(|it| it.replaced_by.is_some() || it.was.is_some());
        assert!(!changed, "{texts:?}");
    }
}

#[test]
fn digits_of_any_script_are_a_value() {
    for (text, value) in [
        ("تحويلة ليلى ٤٤١١", "٤٤١١"),
        ("तल अनिता ४४११", "४४११"),
        ("ห้องของมาลี ๔๔๑๑", "๔๔๑๑"),
        ("ห้องของมาลี4411", "4411"),
        ("内線は４４１１", "４４１１"),
    ] {
        let facts = extract(&said(Author::User, &[text]));
        let values: Vec<_> = facts.iter().flat_map(|fact| &fact.values).collect();
        assert_eq!(values, [value], "{text}");
    }
}
