//! Reads a presentation: the text of its slides in order, each with its speaker's notes.

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
    let mut slides = Vec::new();
    package.for_each_event(&main, |piece| {
        if let XmlEvent::Start(tag) = piece
            && tag.name() == "sldId"
            && let Some(part) = tag.prefixed_attribute("id").and_then(|id| relations.part(&id))
        {
            slides.push(part.to_owned());
        }
        Ok(())
    })?;
    for (number, slide) in (1..).zip(&slides) {
        words.heading(&format!("Slide {number}"))?;
        say(&mut package, slide, &mut words)?;
        if let Some(notes) = package.relations(slide)?.of_kind("notesSlide") {
            words.heading(&format!("Notes of slide {number}"))?;
            say(&mut package, notes, &mut words)?;
        }
    }
    words.document(Some(slides.len()))
}

fn say(package: &mut OpcPackage<'_>, part: &str, words: &mut TextBuilder) -> Result<(), FileError> {
    let mut marks = ParagraphPrefixes::default();
    let mut flow = ParagraphReader::new(&mut marks);
    package.for_each_event(part, |piece| flow.handle_event(&piece, words))
}
