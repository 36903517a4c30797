//! A presentation: what its slides say, in their order, each with its speaker's notes.

use skein_domain::error::FileFault;

use super::Document;
use super::flow::Flow;
use super::marks::Marks;
use super::package::Package;
use super::words::Words;
use super::xml::Piece;

pub(super) fn read(bytes: &[u8], mut words: Words) -> Result<Document, FileFault> {
    let mut package = Package::open(bytes)?;
    let main = package.main_part()?.ok_or(FileFault::Broken {})?;
    let relations = package.relations(&main)?;
    let mut slides = Vec::new();
    package.each(&main, |piece| {
        if let Piece::Open(tag) = piece
            && tag.name() == "sldId"
            && let Some(part) = tag.foreign("id").and_then(|id| relations.part(&id))
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

fn say(package: &mut Package<'_>, part: &str, words: &mut Words) -> Result<(), FileFault> {
    let mut marks = Marks::default();
    let mut flow = Flow::new(&mut marks);
    package.each(part, |piece| flow.take(&piece, words))
}
