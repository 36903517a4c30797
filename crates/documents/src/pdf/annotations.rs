//! Form values, comments and text boxes of a page. They are annotations, stored apart from the
//! page's content.

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId, decode_text_string};
use skein_domain::error::FileError;

use super::glyph_names::normalize_text;
use super::layout::TextLayout;
use super::resources::MAX_UNPACKED;

/// The limit of nested form fields.
const MAX_FIELD_DEPTH: usize = 32;
/// Flags of hidden and print-only annotations (ISO 32000-1, table 165).
const HIDDEN: i64 = 1 << 1 | 1 << 5;
/// The flag of a password field (table 228).
const PASSWORD: i64 = 1 << 13;
/// The annotation types that carry a user's comment (table 169).
const COMMENT_TYPES: [&[u8]; 15] = [
    b"Text",
    b"FreeText",
    b"Line",
    b"Square",
    b"Circle",
    b"Polygon",
    b"PolyLine",
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Stamp",
    b"Caret",
    b"Ink",
    b"FileAttachment",
];

/// Writes the annotations of a page, fields and comments under a heading each.
pub(super) fn write_annotations(
    file: &Document,
    page: ObjectId,
    number: u32,
    lines: &mut TextLayout,
) -> Result<(), FileError> {
    let mut all = file.get_page_annotations(page).unwrap_or_default();
    all.retain(|one| flags(file, one, b"F") & HIDDEN == 0);
    // The buttons of one field are annotations of their own.
    let mut said = HashSet::new();
    let fields = all.iter().filter_map(|one| field(file, one));
    let fields = fields.filter(|field| said.insert(field.clone()));
    lines.write_list(&format!("Form fields of page {number}"), fields)?;
    let remarks = all.iter().filter_map(|one| comment(file, one));
    lines.write_list(&format!("Annotations on page {number}"), remarks)
}

/// The name and value of a form field; `None` if it is not a field, or empty.
fn field<'a>(file: &'a Document, drawn: &'a Dictionary) -> Option<String> {
    if name(file, drawn, b"Subtype") != Some(b"Widget") {
        return None;
    }
    // A field inherits most entries from its parent.
    let within = |one: &'a Dictionary| one.get_deref(b"Parent", file)?.as_dict();
    let field = std::iter::successors(Some(drawn), |one| within(one).ok());
    let field: Vec<&Dictionary> = field.take(MAX_FIELD_DEPTH).collect();
    let own = |key: &[u8]| field.iter().find_map(|one| one.get_deref(key, file).ok());
    let flags = own(b"Ff").and_then(|flags| flags.as_i64().ok()).unwrap_or_default();
    let value = own(b"V")?;
    let value = match own(b"FT")?.as_name().ok()? {
        b"Tx" if flags & PASSWORD == 0 => text(value)?,
        b"Ch" => chosen_options(file, value, own(b"Opt")),
        b"Btn" => button_label(file, value.as_name().ok()?, own(b"Opt"))?,
        _ => return None,
    };
    let names = || {
        let parts = field.iter().rev().filter_map(|one| text(one.get_deref(b"T", file).ok()?));
        parts.collect::<Vec<_>>().join(".")
    };
    // `TU` is the name made for users.
    let called = own(b"TU").and_then(text).filter(|it| !it.is_empty()).unwrap_or_else(names);
    (!value.is_empty()).then(|| format!("{called}: {value}"))
}

/// The display text of the chosen options.
fn chosen_options(file: &Document, value: &Object, options: Option<&Object>) -> String {
    let values = match value {
        Object::Array(several) => several.as_slice(),
        one => std::slice::from_ref(one),
    };
    let shown = |value: &Object| {
        let pair = list(options).iter().find_map(|option| {
            let pair = file.dereference(option).ok()?.1.as_array().ok()?;
            (pair.first()?.as_str().ok()? == value.as_str().ok()?).then(|| pair.get(1))?
        });
        text(pair.unwrap_or(value))
    };
    values.iter().filter_map(shown).collect::<Vec<_>>().join(", ")
}

/// The label of a pressed button. Its state may be an index into the options.
fn button_label(file: &Document, state: &[u8], options: Option<&Object>) -> Option<String> {
    let state = String::from_utf8_lossy(state);
    let option = state.parse().ok().and_then(|number: usize| list(options).get(number));
    let option = option.and_then(|option| text(file.dereference(option).ok()?.1));
    (state != "Off").then(|| option.unwrap_or_else(|| normalize_text(&state)))
}

/// A comment, after its author's name.
fn comment(file: &Document, drawn: &Dictionary) -> Option<String> {
    let kind = name(file, drawn, b"Subtype")?;
    // A review state repeats itself as a text comment.
    if !COMMENT_TYPES.contains(&kind) || drawn.has(b"StateModel") {
        return None;
    }
    let of = |key: &[u8]| drawn.get_deref(key, file).ok().and_then(text);
    let words = of(b"Contents").filter(|words| !words.is_empty())?;
    Some(match of(b"T").filter(|author| !author.is_empty()) {
        Some(author) => format!("{author}: {words}"),
        None => words,
    })
}

/// The value of a text string object.
fn text(object: &Object) -> Option<String> {
    let unpacked;
    let object = match object {
        Object::Stream(long) => {
            let bytes = long.get_plain_content_with_limit(MAX_UNPACKED as usize).ok()?;
            unpacked = Object::string_literal(bytes);
            &unpacked
        }
        other => other,
    };
    let bytes = object.as_str().ok()?;
    let words = decode_text_string(object);
    let words = words.unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned());
    // Most programs end a line with a lone carriage return here.
    let words = words.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<String> = words.trim().lines().map(normalize_text).collect();
    Some(lines.join("\n"))
}

fn list(object: Option<&Object>) -> &[Object] {
    object.and_then(|list| list.as_array().ok()).map(Vec::as_slice).unwrap_or_default()
}

fn name<'a>(file: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a [u8]> {
    of.get_deref(key, file).and_then(Object::as_name).ok()
}

fn flags(file: &Document, of: &Dictionary, key: &[u8]) -> i64 {
    of.get_deref(key, file).and_then(Object::as_i64).unwrap_or_default()
}
