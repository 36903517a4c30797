-- A row of the index now begins with its session, so that a search in one session reads no other's rows:
-- session * 2^33 + 2 * id, plus 1 for a whole output. Two line ends stand behind each text, so that its last
-- two characters begin a trigram, too: what is shorter than one is found as the beginning of some.
DROP TRIGGER search_part_added;
DROP TRIGGER search_part_changed;
DROP TRIGGER search_part_removed;
DROP TRIGGER search_output_added;
DROP TRIGGER search_output_removed;
DROP TABLE search;

ALTER TABLE parts ADD COLUMN session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE;

UPDATE parts SET session_id = threads.session_id
FROM messages JOIN threads ON threads.id = messages.thread_id
WHERE messages.id = parts.message_id;

CREATE INDEX parts_of_session ON parts (session_id);

CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');

INSERT INTO search (rowid, text)
SELECT session_id * 8589934592 + id * 2, text || char(10, 10) FROM parts
WHERE kind <> 'reasoning' AND text <> '' ORDER BY session_id, id;

INSERT INTO search (rowid, text)
SELECT session_id * 8589934592 + id * 2 + 1, text || char(10, 10) FROM outputs ORDER BY session_id, id;

CREATE TRIGGER search_part_added AFTER INSERT ON parts WHEN new.kind <> 'reasoning' AND new.text <> '' BEGIN
  INSERT INTO search (rowid, text)
  VALUES (new.session_id * 8589934592 + new.id * 2, new.text || char(10, 10));
END;

CREATE TRIGGER search_part_changed AFTER UPDATE OF text ON parts WHEN new.kind <> 'reasoning' AND new.text <> old.text BEGIN
  DELETE FROM search WHERE rowid = old.session_id * 8589934592 + old.id * 2;
  INSERT INTO search (rowid, text)
  SELECT new.session_id * 8589934592 + new.id * 2, new.text || char(10, 10) WHERE new.text <> '';
END;

CREATE TRIGGER search_part_removed AFTER DELETE ON parts WHEN old.kind <> 'reasoning' AND old.text <> '' BEGIN
  DELETE FROM search WHERE rowid = old.session_id * 8589934592 + old.id * 2;
END;

CREATE TRIGGER search_output_added AFTER INSERT ON outputs BEGIN
  INSERT INTO search (rowid, text)
  VALUES (new.session_id * 8589934592 + new.id * 2 + 1, new.text || char(10, 10));
END;

CREATE TRIGGER search_output_removed AFTER DELETE ON outputs BEGIN
  DELETE FROM search WHERE rowid = old.session_id * 8589934592 + old.id * 2 + 1;
END;

-- Every place of every trigram, in the order of the trigrams.
CREATE VIRTUAL TABLE search_places USING fts5vocab (search, instance);
