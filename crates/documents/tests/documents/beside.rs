//! Pages of a PDF that say little or nothing by themselves: forms, remarks, pictures, odd letters.

use lopdf::{Dictionary, Document, Object, Stream, dictionary, text_string};

use super::read;

/// A PDF whose pages have this content, with a font `F`, and these annotations.
fn pdf(mut file: Document, font: Dictionary, pages: Vec<(&str, Vec<Object>)>) -> Vec<u8> {
    let tree = file.new_object_id();
    let font = file.add_object(font);
    let mut kids = Vec::new();
    for (content, annotations) in pages {
        let content = file.add_object(Stream::new(Dictionary::new(), content.into()));
        kids.push(Object::Reference(file.add_object(dictionary! {
            "Type" => "Page", "Parent" => tree, "Contents" => content, "Annots" => annotations,
            "Resources" => dictionary! { "Font" => dictionary! { "F" => font } },
        })));
    }
    let count = i64::try_from(kids.len()).unwrap();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    file.objects.insert(tree, pages.into());
    let catalog = file.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    file.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

fn helvetica() -> Dictionary {
    dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" }
}

/// The text of a one-page file with these annotations, after the text of the page.
fn says(file: Document, annotations: Vec<Object>) -> String {
    let pages = vec![("BT /F 12 Tf (The form) Tj ET", annotations)];
    let says = read(&pdf(file, helvetica(), pages)).unwrap().text;
    says.strip_prefix("[Page 1]\nThe form\n").unwrap().to_owned()
}

#[test]
fn a_form_says_what_it_is_filled_in_with() {
    let mut file = Document::with_version("1.5");
    let person = file.add_object(dictionary! { "T" => text_string("person") });
    let widget = |name: &str, kind: &str, value: Object| {
        dictionary! {
            "Type" => "Annot", "Subtype" => "Widget", "T" => text_string(name), "FT" => kind,
            "V" => value,
        }
    };
    let mut name = widget("name", "Tx", text_string("王\u{2f29}明"));
    name.set("Parent", person);
    let lines = widget("lines", "Tx", text_string("one\rtwo"));
    let mut secret = widget("secret", "Tx", text_string("1234"));
    secret.set("Ff", 1 << 13);
    let mut hidden = widget("hidden", "Tx", text_string("not shown"));
    hidden.set("F", 2);
    let mut colour = widget("colour", "Ch", text_string("r"));
    let red = vec![text_string("r"), text_string("red")];
    colour.set("Opt", vec![text_string("other"), red.into()]);
    let mut agreed = widget("agreed", "Btn", "Yes".into());
    agreed.set("TU", text_string("I agree"));
    let refused = widget("refused", "Btn", "Off".into());
    // Two buttons of one field.
    let size = file.add_object(dictionary! {
        "T" => text_string("size"), "FT" => "Btn", "V" => "1",
        "Opt" => vec![text_string("small"), text_string("large")],
    });
    let button = || dictionary! { "Subtype" => "Widget", "Parent" => size };
    let empty = widget("empty", "Tx", text_string(""));
    let all = [name, lines, secret, hidden, colour, agreed, refused, button(), button(), empty];
    let expected = "\n[Form fields of page 1]\n\
        person.name: 王小明\n\
        lines: one\ntwo\n\
        colour: red\n\
        I agree: Yes\n\
        size: large\n";
    assert_eq!(says(file, all.map(Object::from).to_vec()), expected);
}

#[test]
fn what_was_remarked_on_a_page_is_said_behind_it() {
    let remark = |kind: &str, words: &str| {
        dictionary! { "Type" => "Annot", "Subtype" => kind, "Contents" => text_string(words) }
    };
    let mut note = remark("Text", "Is this so?");
    note.set("T", text_string("Ann"));
    let typed = remark("FreeText", "typed over the page");
    let mut state = remark("Text", "Accepted set by Ann");
    state.set("StateModel", text_string("Review"));
    let unsaid = [remark("Popup", "Is this so?"), remark("Link", "x"), remark("Highlight", "")];
    let all = [vec![note, typed, state], unsaid.to_vec()].concat();
    let said = says(Document::with_version("1.5"), all.into_iter().map(Object::from).collect());
    assert_eq!(said, "\n[Annotations on page 1]\nAnn: Is this so?\ntyped over the page\n");
}

#[test]
fn a_field_that_is_within_itself_is_read_and_ends() {
    let mut file = Document::with_version("1.5");
    let id = file.new_object_id();
    let field = dictionary! {
        "Subtype" => "Widget", "FT" => "Tx", "V" => text_string("words"), "Parent" => id,
    };
    file.objects.insert(id, field.into());
    assert_eq!(says(file, vec![id.into()]), "\n[Form fields of page 1]\n: words\n");
}

#[test]
fn a_page_without_text_says_that_it_may_be_a_picture() {
    let words = |words: &'static str| (words, Vec::new());
    let pages =
        vec![words("BT /F 12 Tf (first) Tj ET"), words("0 0 m"), words("BT /F 12 Tf ( ) Tj ET")];
    let found = read(&pdf(Document::with_version("1.5"), helvetica(), pages)).unwrap();
    let expected = "[Page 1]\nfirst\n\n\
        [Page 2: no text; it may be a picture]\n\n\
        [Page 3: no text; it may be a picture]\n";
    assert_eq!((found.text.as_str(), found.pages), (expected, Some(3)));
}

#[test]
fn a_page_of_letters_that_nothing_tells_is_no_text() {
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Song", "Encoding" => "Identity-H",
    };
    let note = dictionary! { "Subtype" => "Text", "Contents" => text_string("a remark") };
    let pages = vec![("BT /F 12 Tf <00010002> Tj ET", vec![note.into()])];
    let found = read(&pdf(Document::with_version("1.5"), font, pages)).unwrap();
    let expected = "[Page 1: no text; it may be a picture]\n\n[Annotations on page 1]\na remark\n";
    assert_eq!(found.text, expected);
}

#[test]
fn radicals_are_the_ideographs_they_look_like() {
    let mut file = Document::with_version("1.5");
    let map = "3 beginbfchar <0001> <2EC5> <0002> <2FAF> <0003> <FB01> endbfchar";
    let map = file.add_object(Stream::new(Dictionary::new(), map.into()));
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Song", "Encoding" => "Identity-H",
        "ToUnicode" => map,
    };
    let pages = vec![("BT /F 12 Tf <000100020003> Tj ET", Vec::new())];
    assert_eq!(read(&pdf(file, font, pages)).unwrap().text, "[Page 1]\n见面fi\n");
}
