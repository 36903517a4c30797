-- Sessions in which a turn runs. A row that is there at the start is of a turn that the end of the program cut:
-- it stays, marked, until the next turn of its session.
CREATE TABLE running_turns (
  session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  cut        INTEGER NOT NULL DEFAULT 0 CHECK (cut IN (0, 1))
) STRICT;
