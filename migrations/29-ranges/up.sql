-- The last message before those that a point covers; NULL: it covers the path from its first message on. Like
-- `boundary_id` it moves when its message is deleted.
ALTER TABLE points ADD COLUMN after_id INTEGER REFERENCES messages (id) ON DELETE CASCADE;
ALTER TABLE undone_points ADD COLUMN after_id INTEGER REFERENCES messages (id) ON DELETE CASCADE;

CREATE INDEX points_after ON points (after_id);
CREATE INDEX undone_points_after ON undone_points (after_id);
