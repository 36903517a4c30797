//! What a page's operations name: fonts, and pages within a page.

use lopdf::{Dictionary, Document, Object, ObjectId};

/// The most that one stream of a file may unpack to, in bytes.
pub(super) const UNPACKED_AT_MOST: u32 = 64 * 1024 * 1024;

/// Where the names in a page's operations are looked up.
#[derive(Clone)]
pub(super) struct Resources<'a>(Vec<&'a Dictionary>);

impl<'a> Resources<'a> {
    /// A form's own.
    pub(super) fn of_form(own: &'a Dictionary) -> Self {
        Self(vec![own])
    }

    /// A page's own, and those of the groups it is in.
    pub(super) fn of_page(file: &'a Document, page: ObjectId) -> Self {
        let (own, others) = file.get_page_resources(page).unwrap_or_default();
        let others = others.into_iter().filter_map(|id| file.get_dictionary(id).ok());
        Self(own.into_iter().chain(others).collect())
    }

    /// What a name of a kind stands for.
    pub(super) fn find(&self, file: &'a Document, kind: &[u8], name: &[u8]) -> Option<&'a Object> {
        self.0.iter().find_map(|all| {
            let of_kind = all.get_deref(kind, file).and_then(Object::as_dict).ok()?;
            of_kind.get_deref(name, file).ok()
        })
    }
}
