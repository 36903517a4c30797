-- What every call cost, by the prices that held then. Nothing refers to another table: an entry stays when
-- its thread or its session is deleted.
CREATE TABLE ledger (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  at                 INTEGER NOT NULL,
  session_id         INTEGER,
  thread_id          INTEGER NOT NULL,
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

CREATE INDEX ledger_of_message ON ledger (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX ledger_by_time ON ledger (at);
