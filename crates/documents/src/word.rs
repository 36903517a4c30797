//! A Word document: its text, with its headings and the numbers of its lists, and its notes behind it. What
//! stands on every page, and what was deleted or remarked, is left out.

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
    let mut marks = Marks::read(&mut package, &relations)?;
    let mut flow = Flow::new(&mut marks);
    package.each(&main, |piece| flow.take(&piece, &mut words))?;
    for kind in ["footnotes", "endnotes"] {
        if let Some(part) = relations.of_kind(kind) {
            notes(&mut package, part, &mut marks, &mut words)?;
        }
    }
    words.document(None)
}

/// Each begins with what refers to it. Those that only draw a line have a kind of their own.
fn notes(
    package: &mut Package<'_>,
    part: &str,
    marks: &mut Marks,
    words: &mut Words,
) -> Result<(), FileFault> {
    let mut flow = Flow::new(marks);
    let mut is_line = false;
    package.each(part, |piece| {
        if let Piece::Open(tag) = &piece
            && matches!(tag.name(), "footnote" | "endnote")
        {
            is_line = tag.attribute("type").is_some();
            if let (false, Some(id)) = (is_line, tag.attribute("id")) {
                words.push(&format!("[^{id}]: "))?;
            }
        }
        if is_line { Ok(()) } else { flow.take(&piece, words) }
    })
}
