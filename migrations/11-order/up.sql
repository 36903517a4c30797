-- What came after what is told by the order in which it was stored: the clock may be set back.

-- The latest compaction of the thread when this happened, also one that was undone since; 0: none.
ALTER TABLE automatic ADD COLUMN point_id INTEGER NOT NULL DEFAULT 0;

UPDATE automatic SET point_id = coalesce(
  (SELECT max(id) FROM (SELECT id, thread_id, created_at FROM points
                        UNION ALL SELECT id, thread_id, created_at FROM undone_points) AS made
   WHERE made.thread_id = automatic.thread_id AND made.created_at < automatic.at), 0)
WHERE event ->> 'type' IN ('compacted', 'notCompacted', 'stuck', 'stopped');

-- Which was used last: as a rule the time of its last message, and always above that of every session that
-- was used before.
ALTER TABLE sessions ADD COLUMN used INTEGER NOT NULL DEFAULT 0;

UPDATE sessions SET used = updated_at;

CREATE INDEX sessions_by_use ON sessions (used);

-- In which thread its words were last written; NULL: not known.
ALTER TABLE reminders ADD COLUMN thread_id INTEGER REFERENCES threads (id) ON DELETE SET NULL;

UPDATE reminders SET thread_id =
  (SELECT id FROM threads
   WHERE threads.session_id = reminders.session_id AND ended_at IS NULL AND deleted_at IS NULL
     AND threads.created_at <= reminders.updated_at);

CREATE INDEX reminders_of_thread ON reminders (thread_id);

-- That a server had not read all of the prompt, and did not say so. JSON: Unmentioned; NULL: nothing of the kind.
ALTER TABLE generations ADD COLUMN unmentioned TEXT;
