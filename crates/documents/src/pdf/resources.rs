//! Named resources of a page: fonts and forms.

use lopdf::{Dictionary, Document, Object, ObjectId};

/// The limit of one unpacked stream, in bytes.
pub(super) const MAX_UNPACKED: u32 = 64 * 1024 * 1024;

/// The resource dictionaries of a page or form.
#[derive(Clone)]
pub(super) struct Resources<'a>(Vec<&'a Dictionary>);

impl<'a> Resources<'a> {
    /// The resources of a form.
    pub(super) fn of_form(own: &'a Dictionary) -> Self {
        Self(vec![own])
    }

    /// The resources of a page and of the page tree nodes above it.
    pub(super) fn of_page(file: &'a Document, page: ObjectId) -> Self {
        let (own, others) = file.get_page_resources(page).unwrap_or_default();
        let others = others.into_iter().filter_map(|id| file.get_dictionary(id).ok());
        Self(own.into_iter().chain(others).collect())
    }

    /// The resource of this kind and name.
    pub(super) fn find(&self, file: &'a Document, kind: &[u8], name: &[u8]) -> Option<&'a Object> {
        self.0.iter().find_map(|all| {
            let of_kind = all.get_deref(kind, file).and_then(Object::as_dict).ok()?;
            of_kind.get_deref(name, file).ok()
        })
    }
}
