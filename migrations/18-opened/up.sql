-- Which was opened last: above that of every session that was opened before; NULL: never. Until one is, by
-- when it was used.
ALTER TABLE sessions ADD COLUMN opened INTEGER;
UPDATE sessions SET opened = used;

-- A turn has ended in it since it was last open.
ALTER TABLE sessions ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));
