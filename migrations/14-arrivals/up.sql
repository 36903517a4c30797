-- Sessions of an import that has not ended: they are deleted ones until all of the file is there, and what is
-- left of them by a program that was killed goes at its next start.
CREATE TABLE arrivals (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE
) STRICT;
