-- Trigrams, so that words are found in languages that do not part them. A part has its own id here, a
-- whole output the negative of its id. Reasoning is not searched.
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');

INSERT INTO search (rowid, text) SELECT id, text FROM parts WHERE kind <> 'reasoning' AND text <> '';
INSERT INTO search (rowid, text) SELECT -id, text FROM outputs;

CREATE TRIGGER search_part_added AFTER INSERT ON parts WHEN new.kind <> 'reasoning' AND new.text <> '' BEGIN
  INSERT INTO search (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER search_part_changed AFTER UPDATE OF text ON parts WHEN new.kind <> 'reasoning' AND new.text <> old.text BEGIN
  DELETE FROM search WHERE rowid = old.id;
  INSERT INTO search (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER search_part_removed AFTER DELETE ON parts WHEN old.kind <> 'reasoning' AND old.text <> '' BEGIN
  DELETE FROM search WHERE rowid = old.id;
END;

CREATE TRIGGER search_output_added AFTER INSERT ON outputs BEGIN
  INSERT INTO search (rowid, text) VALUES (-new.id, new.text);
END;

CREATE TRIGGER search_output_removed AFTER DELETE ON outputs BEGIN
  DELETE FROM search WHERE rowid = -old.id;
END;
