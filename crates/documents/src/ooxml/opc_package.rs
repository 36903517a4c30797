//! The package of an Office document: a ZIP archive of parts that refer to one another (OPC).

use std::io::{self, BufReader, Cursor, Read};

use indexmap::IndexMap;
use skein_domain::error::FileError;
use zip::ZipArchive;
use zip::result::ZipError;

use super::xml::{self, XmlEvent};

/// The limit of the unpacked size of all parts, in bytes.
const MAX_UNPACKED: u32 = 256 * 1024 * 1024;

/// The longest stated media type, in bytes.
const MAX_MEDIA_TYPE: u64 = 200;

pub(crate) struct OpcPackage<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
}

/// A reference from one part to another.
pub(crate) struct Relationship {
    /// The last segment of the relationship type, for example `officeDocument`.
    kind: String,
    /// The path of the target part.
    part: String,
}

/// The relationships of a part by id, in file order.
pub(crate) struct Relationships(IndexMap<String, Relationship>);

impl Relationships {
    pub(crate) fn part(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|relation| relation.part.as_str())
    }

    /// The target of the first relationship of this kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Option<&str> {
        let mut all = self.0.values();
        all.find(|relation| relation.kind == kind).map(|relation| relation.part.as_str())
    }
}

impl<'a> OpcPackage<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, FileError> {
        // A ZIP archive lists its content at its end.
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            tracing::info!(%error, "an archive cannot be opened");
            FileError::CutOff {}
        })?;
        Ok(Self { zip, left: u64::from(MAX_UNPACKED) })
    }

    /// The main part; `None` if it is not an Office document.
    pub(crate) fn main_part(&mut self) -> Result<Option<String>, FileError> {
        Ok(self.relations("")?.of_kind("officeDocument").map(str::to_owned))
    }

    /// The media type that an archive of OpenDocument states; `None` if it states none.
    pub(crate) fn media_type(&mut self) -> Result<Option<String>, FileError> {
        let mut text = String::new();
        match self.zip.by_name("mimetype") {
            Ok(file) => file.take(MAX_MEDIA_TYPE).read_to_string(&mut text),
            Err(_) => return Ok(None),
        }
        .map_err(|_| FileError::Broken {})?;
        Ok(Some(text))
    }

    /// The relationships of a part, by id; empty if the part has none. Links out of the file are left out.
    pub(crate) fn relations(&mut self, part: &str) -> Result<Relationships, FileError> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let of = format!("{folder}/_rels/{name}.rels");
        let mut found = IndexMap::new();
        self.for_each_event(of.trim_start_matches('/'), |piece| {
            if let XmlEvent::Start(tag) = piece
                && tag.name() == "Relationship"
                && let (Some(id), Some(kind), Some(target)) =
                    (tag.attribute("Id"), tag.attribute("Type"), tag.attribute("Target"))
                && tag.attribute("TargetMode").is_none_or(|mode| mode == "Internal")
            {
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                found.insert(id, Relationship { kind, part: resolve_target(folder, &target) });
            }
            Ok(())
        })?;
        Ok(Relationships(found))
    }

    /// Passes each XML event of a part to `take`. A missing part has none.
    pub(crate) fn for_each_event(
        &mut self,
        part: &str,
        take: impl FnMut(XmlEvent<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let file = match self.zip.by_name(part) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(()),
            Err(error) => {
                tracing::info!(%error, "a part of a document cannot be unpacked");
                return Err(FileError::Broken {});
            }
        };
        let read =
            xml::for_each_event(BufReader::new(QuotaReader { file, left: &mut self.left }), take);
        // The quota is the cause of whichever error came of it.
        if self.left == 0 { Err(FileError::Unpacks { limit: MAX_UNPACKED }) } else { read }
    }
}

/// Limits the unpacked bytes, because the sizes that an archive states may be false.
struct QuotaReader<'a, R> {
    file: R,
    left: &'a mut u64,
}

impl<R: Read> Read for QuotaReader<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        *self.left = self.left.saturating_sub(read as u64);
        if *self.left == 0 { Err(io::Error::other("unpacks to too much")) } else { Ok(read) }
    }
}

/// Resolves a target path relative to a folder.
fn resolve_target(folder: &str, target: &str) -> String {
    let from = if target.starts_with('/') { "" } else { folder };
    let mut place: Vec<&str> = Vec::new();
    for step in from.split('/').chain(target.split('/')) {
        match step {
            "" | "." => {}
            ".." => drop(place.pop()),
            step => place.push(step),
        }
    }
    place.join("/")
}

pub(crate) fn is_archive(begin: &[u8]) -> bool {
    begin.starts_with(b"PK\x03\x04")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_part_is_found_from_where_it_is_named() {
        for (folder, target, expected) in [
            ("", "word/document.xml", "word/document.xml"),
            ("ppt/slides", "../notesSlides/notesSlide1.xml", "ppt/notesSlides/notesSlide1.xml"),
            ("xl", "/xl/worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"),
            ("xl", "../../../etc/passwd", "etc/passwd"),
        ] {
            assert_eq!(resolve_target(folder, target), expected);
        }
    }

    #[test]
    fn of_two_parts_that_are_named_for_the_same_the_first_is_taken() {
        let names: String = (0..20)
            .map(|number| {
                let target = format!("Target=\"{number}.xml\"");
                format!("<Relationship Id=\"r{number}\" Type=\"http://x/styles\" {target}/>")
            })
            .collect();
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("_rels/.rels", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(format!("<R>{names}</R>").as_bytes()).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let relations = OpcPackage::open(&bytes).unwrap().relations("").unwrap();
        assert_eq!(relations.of_kind("styles"), Some("0.xml"));
        assert_eq!(relations.part("r7"), Some("7.xml"));
    }

    #[test]
    fn what_unpacks_to_too_much_is_not_unpacked_to_its_end() {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let mut part = |name: &str| {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(format!("<a>{}</a>", " ".repeat(100_000)).as_bytes()).unwrap();
        };
        part("first.xml");
        part("second.xml");
        let bytes = zip.finish().unwrap().into_inner();
        assert!(bytes.len() < 1_000, "{}", bytes.len());
        let mut package = OpcPackage::open(&bytes).unwrap();
        package.left = 150_000;
        let mut read = |part| package.for_each_event(part, |_| Ok(()));
        assert_eq!(read("first.xml"), Ok(()));
        assert_eq!(read("second.xml"), Err(FileError::Unpacks { limit: MAX_UNPACKED }));
    }
}
