//! Who reads stored texts, and what that reader may not see.

/// The reader of stored text: what it may see differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAccess {
    /// The user, who may read everything.
    User,
    /// With its tools: nothing that is left out of the context.
    Model,
}

impl ReadAccess {
    /// Whether it may read of a message, by whether that is left out.
    pub(crate) fn may_read(self, left_out: bool) -> bool {
        match self {
            Self::User => true,
            Self::Model => !left_out,
        }
    }
}
