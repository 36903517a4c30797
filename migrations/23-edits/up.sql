-- A message that is being edited and not sent again yet: a draft like that of the composer.
CREATE TABLE edits (
  message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  text TEXT, -- NULL: as in the message
  attachments TEXT, -- JSON; NULL: as in the message
  updated_at INTEGER NOT NULL
) STRICT;
