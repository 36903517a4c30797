-- Times are milliseconds since the epoch. NULL means unknown or not so; no number stands in for it.
-- Words such as 'user' or 'complete' are spelled as on the wire. Columns holding JSON say so.

CREATE TABLE sessions (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  title          TEXT,
  pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  model_provider TEXT,
  model          TEXT,
  overrides      TEXT    NOT NULL DEFAULT '{}', -- JSON: Overrides
  created_at     INTEGER NOT NULL DEFAULT 0,
  updated_at     INTEGER NOT NULL DEFAULT 0,
  deleted_at     INTEGER
) STRICT;

CREATE TABLE threads (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id  INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number      INTEGER NOT NULL DEFAULT 1,
  leaf_id     INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  beginning   TEXT    NOT NULL DEFAULT '{"type":"first"}', -- JSON: Beginning
  remediation TEXT    NOT NULL DEFAULT '{"type":"calm"}', -- JSON: Remediation
  created_at  INTEGER NOT NULL DEFAULT 0,
  ended_at    INTEGER,
  deleted_at  INTEGER,
  UNIQUE (session_id, number)
) STRICT;

-- One thread of a session is current: the one that has not ended.
CREATE UNIQUE INDEX current_thread ON threads (session_id) WHERE ended_at IS NULL AND deleted_at IS NULL;
CREATE INDEX thread_leaf ON threads (leaf_id);

CREATE TABLE messages (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id      INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  parent_id      INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  number         INTEGER NOT NULL DEFAULT 0, -- counted from 1 within the thread, in the order of arrival
  kind           TEXT    NOT NULL DEFAULT '{"type":"chat"}', -- JSON: MessageKind
  beside         INTEGER NOT NULL DEFAULT 0 CHECK (beside IN (0, 1)), -- hangs beside the path: summaries and cards
  role           TEXT    NOT NULL DEFAULT 'user',
  origin         TEXT    NOT NULL DEFAULT 'person',
  state          TEXT    NOT NULL DEFAULT '{"type":"complete"}', -- JSON: MessageState
  pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  carried        INTEGER NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)), -- moved here from the thread before
  model_provider TEXT,
  model          TEXT,
  revision       INTEGER NOT NULL DEFAULT 0, -- grows with every change of what it says
  created_at     INTEGER NOT NULL DEFAULT 0,
  deleted_at     INTEGER
) STRICT;

CREATE INDEX messages_by_parent ON messages (parent_id);
CREATE INDEX messages_of_thread ON messages (thread_id, parent_id);
CREATE INDEX messages_pinned ON messages (thread_id) WHERE pinned = 1;
CREATE INDEX messages_streaming ON messages (id) WHERE state = '{"type":"streaming"}';

-- `text` is what the part says in words: searched, and never escaped. `rest` is the part without it.
CREATE TABLE parts (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL DEFAULT 0,
  kind       TEXT    NOT NULL DEFAULT 'text',
  text       TEXT    NOT NULL DEFAULT '',
  rest       TEXT    NOT NULL DEFAULT '{"type":"text","text":""}', -- JSON: ContentPart
  unfinished INTEGER NOT NULL DEFAULT 0 CHECK (unfinished IN (0, 1)), -- a tool call that has not ended
  blob_id    INTEGER REFERENCES blobs (id),
  output_id  INTEGER REFERENCES outputs (id),
  UNIQUE (message_id, position)
) STRICT;

CREATE INDEX parts_unfinished ON parts (message_id) WHERE unfinished = 1;
CREATE INDEX parts_blob ON parts (blob_id) WHERE blob_id IS NOT NULL;
CREATE INDEX parts_output ON parts (output_id) WHERE output_id IS NOT NULL;

-- What has arrived of a growing message: appended, never rewritten, folded into parts at its end.
CREATE TABLE chunks (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  kind       TEXT    NOT NULL DEFAULT 'text' CHECK (kind IN ('text', 'reasoning')),
  delta      TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX chunks_of_message ON chunks (message_id);

-- What a deletion changed, so that it can be undone.
CREATE TABLE deletions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id  INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  undo       TEXT    NOT NULL DEFAULT '{}', -- JSON: what pointed at the message
  deleted_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX deletions_of_thread ON deletions (thread_id);
CREATE INDEX deletions_of_message ON deletions (message_id);

-- Appended, never rewritten but for `boundary_id`, which re-anchors. An undone point leaves for
-- `undone_points`, from where it can come back.
CREATE TABLE points (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id      INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  summary_id     INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  boundary_id    INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  before         INTEGER NOT NULL DEFAULT 0, -- tokens
  after          INTEGER NOT NULL DEFAULT 0, -- tokens
  covered        INTEGER NOT NULL DEFAULT 0, -- messages
  fingerprint    TEXT    NOT NULL DEFAULT '', -- of what it covers
  anchors        TEXT    NOT NULL DEFAULT '', -- facts of what it covers, as they are sent
  trigger        TEXT    NOT NULL DEFAULT 'manual',
  model_provider TEXT, -- NULL: summarised without a model
  model          TEXT,
  created_at     INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX points_of_thread ON points (thread_id);
CREATE INDEX points_summary ON points (summary_id);
CREATE INDEX points_boundary ON points (boundary_id);

CREATE TABLE undone_points (
  id             INTEGER PRIMARY KEY, -- the id it had
  thread_id      INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  summary_id     INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  boundary_id    INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  before         INTEGER NOT NULL DEFAULT 0, -- tokens
  after          INTEGER NOT NULL DEFAULT 0, -- tokens
  covered        INTEGER NOT NULL DEFAULT 0, -- messages
  fingerprint    TEXT    NOT NULL DEFAULT '', -- of what it covers
  anchors        TEXT    NOT NULL DEFAULT '', -- facts of what it covers, as they are sent
  trigger        TEXT    NOT NULL DEFAULT 'manual',
  model_provider TEXT, -- NULL: summarised without a model
  model          TEXT,
  created_at     INTEGER NOT NULL DEFAULT 0,
  undone_at      INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX undone_points_of_thread ON undone_points (thread_id);
CREATE INDEX undone_points_summary ON undone_points (summary_id);
CREATE INDEX undone_points_boundary ON undone_points (boundary_id);

-- One row per successful model call. Usage is the provider's word: NULL where it said nothing.
CREATE TABLE generations (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id      INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  message_id     INTEGER REFERENCES messages (id) ON DELETE SET NULL,
  point_id       INTEGER, -- the compaction point that applied; also one that was undone since
  purpose        TEXT    NOT NULL DEFAULT 'reply',
  model_provider TEXT    NOT NULL DEFAULT '',
  model          TEXT    NOT NULL DEFAULT '',
  prompt         INTEGER,
  completion     INTEGER,
  total          INTEGER,
  cached         INTEGER,
  cache_written  INTEGER,
  reasoning      INTEGER,
  health         TEXT, -- JSON: HealthSnapshot
  finish         TEXT,
  started_at     INTEGER NOT NULL DEFAULT 0,
  duration_ms    INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX generations_of_thread ON generations (thread_id);
CREATE INDEX generations_of_message ON generations (message_id);

-- Tokens of each part of a message as one family of tokenisers counts them.
CREATE TABLE token_counts (
  message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  family     TEXT    NOT NULL,
  revision   INTEGER NOT NULL DEFAULT 0, -- of the message that was counted
  tokens     TEXT    NOT NULL DEFAULT '{}', -- JSON: MessageTokens
  PRIMARY KEY (message_id, family)
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  session_id  INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  text        TEXT    NOT NULL DEFAULT '',
  attachments TEXT    NOT NULL DEFAULT '[]', -- JSON: [ContentPart]
  updated_at  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE blobs (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  sha256     BLOB    NOT NULL UNIQUE,
  bytes      BLOB    NOT NULL,
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE outputs (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  text       TEXT    NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX outputs_of_session ON outputs (session_id);

CREATE TABLE reminders (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id   INTEGER REFERENCES sessions (id) ON DELETE CASCADE, -- NULL: everywhere
  content      TEXT    NOT NULL DEFAULT '',
  origin       TEXT    NOT NULL DEFAULT 'person',
  continuation INTEGER NOT NULL DEFAULT 0 CHECK (continuation IN (0, 1)),
  position     INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL DEFAULT 0,
  updated_at   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX reminders_of_session ON reminders (session_id);

CREATE TABLE grants (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE, -- NULL: always
  tool       TEXT    NOT NULL DEFAULT '',
  granted_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX grants_once ON grants (coalesce(session_id, 0), tool);
CREATE INDEX grants_of_session ON grants (session_id);

-- Everything that happened by itself in a thread.
CREATE TABLE automatic (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  event     TEXT    NOT NULL DEFAULT '{}', -- JSON: AutomaticEvent
  at        INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX automatic_of_thread ON automatic (thread_id);

-- What was learned of a model by using it.
CREATE TABLE learned (
  model_provider TEXT    NOT NULL,
  model          TEXT    NOT NULL,
  window         INTEGER, -- tokens, from an overflow error
  calibration    TEXT,    -- JSON: Calibration
  updated_at     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (model_provider, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE hosts (
  host     TEXT    NOT NULL PRIMARY KEY,
  purpose  TEXT    NOT NULL DEFAULT '',
  calls    INTEGER NOT NULL DEFAULT 0,
  first_at INTEGER NOT NULL DEFAULT 0,
  last_at  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
