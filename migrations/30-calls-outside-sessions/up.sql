-- A test of a provider belongs to no thread: thread_id may be NULL. SQLite changes no constraint of a column, so
-- the rows move to a new table.
CREATE TABLE new_ledger (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  at                 INTEGER NOT NULL,
  session_id         INTEGER,
  thread_id          INTEGER, -- NULL: the call belongs to no conversation
  message_id         INTEGER, -- the reply; NULL: the call wrote none
  purpose            TEXT    NOT NULL,
  model_provider     TEXT    NOT NULL,
  model              TEXT    NOT NULL,
  answered_by        TEXT, -- the model that the reply names
  service_tier       TEXT,
  prompt             INTEGER,
  completion         INTEGER,
  cached             INTEGER,
  cache_written      INTEGER,
  cache_written_hour INTEGER,
  reasoning          INTEGER,
  cost               TEXT    NOT NULL CHECK (cost IN ('known', 'atLeast', 'unknown', 'notBilled')),
  amount             INTEGER, -- in 10⁻¹² of the currency; NULL unless known or atLeast
  currency           TEXT,
  prices             TEXT -- JSON: TokenPrices, those of the list; NULL: there were none
) STRICT;

INSERT INTO new_ledger SELECT * FROM ledger;
DROP TABLE ledger;
ALTER TABLE new_ledger RENAME TO ledger;

CREATE INDEX ledger_of_message ON ledger (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX ledger_by_time ON ledger (at);
CREATE INDEX ledger_of_session ON ledger (session_id) WHERE session_id IS NOT NULL;
