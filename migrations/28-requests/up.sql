-- The requests that replies answered, as their models saw them. The user looks at them; the program builds no
-- request of them. A line is kept once for each thread, however many of its requests send it.
CREATE TABLE request_lines (
  id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: requests name ranges of ids
  thread_id  INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  message_id INTEGER REFERENCES messages (id) ON DELETE CASCADE, -- the message that it sends; NULL: none
  quotes     INTEGER NOT NULL, -- 1: it quotes other messages: passages, facts, a summary; 0: not
  digest     BLOB    NOT NULL, -- the first 16 bytes of the SHA-256 of its JSON
  line       BLOB    NOT NULL, -- deflated JSON: StoredLine
  UNIQUE (thread_id, digest)
) STRICT;

CREATE INDEX request_lines_of_message ON request_lines (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX request_lines_quoting ON request_lines (thread_id) WHERE quotes = 1;

CREATE TABLE requests (
  message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE, -- the reply
  request    BLOB    NOT NULL -- deflated JSON: StoredRequest
) STRICT;
