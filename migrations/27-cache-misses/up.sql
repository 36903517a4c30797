-- The start of the last request of each thread as fingerprints, for the next request to be compared with, and
-- why the provider's cache was not used for a reply.
CREATE TABLE request_starts (
  thread_id INTEGER PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
  start     TEXT NOT NULL -- JSON: RequestStart
) STRICT;

CREATE TABLE cache_misses (
  message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  cause      TEXT NOT NULL -- JSON: CacheMiss
) STRICT;

-- The hit ratio and the budget of a session add up its calls.
CREATE INDEX ledger_of_session ON ledger (session_id) WHERE session_id IS NOT NULL;
