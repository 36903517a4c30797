//! Streams the XML of an Office part event by event. No tree is built.

use std::io::BufRead;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use skein_domain::error::FileError;

/// A start tag, an end tag or text. Names are without their namespace prefix, which differs between
/// programs.
pub(crate) enum XmlEvent<'a> {
    Start(StartTag<'a>),
    End(&'a str),
    Text(&'a str),
}

pub(crate) struct StartTag<'a>(&'a BytesStart<'a>);

impl StartTag<'_> {
    pub(crate) fn name(&self) -> &str {
        self.0.name().0.rsplit(':').next().unwrap_or_default()
    }

    /// The attribute with this name and no prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.attribute_where(|key| key.rsplit(':').next() == Some(name))
    }

    /// The attribute with this name and any prefix. A slide has both an `id` and an `r:id`.
    pub(crate) fn prefixed_attribute(&self, name: &str) -> Option<String> {
        self.attribute_where(|key| key.split_once(':').is_some_and(|(_, own)| own == name))
    }

    fn attribute_where(&self, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let mut all = self.0.attributes();
        let found = all.with_checks(false).flatten().find(|one| is_it(one.key.0))?;
        let value = found.normalized_value(XmlVersion::Implicit1_0);
        value.ok().map(|value| value.into_owned())
    }
}

/// Passes the events of a part to `take`, in order.
pub(crate) fn for_each_event(
    source: impl BufRead,
    mut take: impl FnMut(XmlEvent<'_>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut reader = Reader::from_reader(source);
    let mut held = Vec::new();
    loop {
        held.clear();
        let event = reader.read_event_into(&mut held).map_err(|_| {
            // The parser's message quotes the document, so it is not logged.
            tracing::info!("a part of a document is no XML");
            FileError::Broken {}
        })?;
        match event {
            Event::Start(tag) => take(XmlEvent::Start(StartTag(&tag)))?,
            Event::Empty(tag) => {
                take(XmlEvent::Start(StartTag(&tag)))?;
                take(XmlEvent::End(StartTag(&tag).name()))?;
            }
            Event::End(tag) => {
                take(XmlEvent::End(tag.name().0.rsplit(':').next().unwrap_or_default()))?;
            }
            Event::Text(words) => take(XmlEvent::Text(&words.xml10_content()))?,
            Event::CData(words) => take(XmlEvent::Text(&words.xml10_content()))?,
            Event::GeneralRef(name) => {
                let mut own = [0; 4];
                let words = match name.resolve_char_ref() {
                    Ok(Some(found)) => &*found.encode_utf8(&mut own),
                    // Entities declared by the document are dropped: one may expand to a thousand
                    // others.
                    Ok(None) => resolve_predefined_entity(&name.into_inner()).unwrap_or_default(),
                    Err(_) => "",
                };
                take(XmlEvent::Text(words))?;
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}
