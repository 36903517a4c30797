-- To which installation of the program this file belongs; the installation keeps the same id outside of it. A
-- file with another id, or without one, is from elsewhere.
CREATE TABLE installation (
  id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What a file from elsewhere would allow: taken out of the tables in which it would act, until the user decides.
CREATE TABLE quarantine (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE, -- NULL: every session
  permit     TEXT    NOT NULL DEFAULT '{}', -- JSON: Permit
  declined   INTEGER NOT NULL DEFAULT 0 CHECK (declined IN (0, 1)) -- the user said no; kept for undoing that
) STRICT;

CREATE INDEX quarantine_of_session ON quarantine (session_id);
