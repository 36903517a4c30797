//! Reads a Word document: its text with headings and list numbers, then its notes. Headers,
//! footers, deleted text and comments are left out.

use skein_domain::error::FileError;

use super::opc_package::OpcPackage;
use super::paragraph_prefix::ParagraphPrefixes;
use super::paragraphs::ParagraphReader;
use super::xml::XmlEvent;
use crate::document::Document;
use crate::text_builder::TextBuilder;

pub(crate) fn read(bytes: &[u8], mut words: TextBuilder) -> Result<Document, FileError> {
    let mut package = OpcPackage::open(bytes)?;
    let main = package.main_part()?.ok_or(FileError::Broken {})?;
    let relations = package.relations(&main)?;
    let mut marks = ParagraphPrefixes::read(&mut package, &relations)?;
    let mut flow = ParagraphReader::new(&mut marks);
    package.for_each_event(&main, |piece| flow.handle_event(&piece, &mut words))?;
    for kind in ["footnotes", "endnotes"] {
        if let Some(part) = relations.of_kind(kind) {
            notes(&mut package, part, &mut marks, &mut words)?;
        }
    }
    words.document(None)
}

/// Writes the notes of one part, each after its reference mark. Notes that only draw a separator
/// line have a kind of their own and are skipped.
fn notes(
    package: &mut OpcPackage<'_>,
    part: &str,
    marks: &mut ParagraphPrefixes,
    words: &mut TextBuilder,
) -> Result<(), FileError> {
    let mut flow = ParagraphReader::new(marks);
    let mut is_line = false;
    package.for_each_event(part, |piece| {
        if let XmlEvent::Start(tag) = &piece
            && matches!(tag.name(), "footnote" | "endnote")
        {
            is_line = tag.attribute("type").is_some();
            if let (false, Some(id)) = (is_line, tag.attribute("id")) {
                words.push(&format!("[^{id}]: "))?;
            }
        }
        if is_line { Ok(()) } else { flow.handle_event(&piece, words) }
    })
}
