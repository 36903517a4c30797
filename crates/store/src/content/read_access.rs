//! The reader of stored texts, which decides what may be read.

/// The reader of a stored text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAccess {
    /// The user, who may read everything.
    User,
    /// The model with its tools, which may not read messages excluded from the context.
    Model,
}

impl ReadAccess {
    /// True if the reader may read a message. `left_out`: the message is excluded from the context.
    pub(crate) fn may_read(self, left_out: bool) -> bool {
        match self {
            Self::User => true,
            Self::Model => !left_out,
        }
    }
}
