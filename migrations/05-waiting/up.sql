-- Messages the person sent while a turn ran, in the order in which they will be sent.
CREATE TABLE waiting (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  parts      TEXT    NOT NULL DEFAULT '[]', -- JSON: [ContentPart]
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX waiting_of_session ON waiting (session_id);

-- How the context stood when a continuation package was written: HealthLevel.
ALTER TABLE reminders ADD COLUMN level TEXT;
