-- What a summary was not made of, because it was pinned and therefore sent beside it: once one of these is
-- neither, the summary is stale. Of those before, nobody noted it: whatever is pinned now counts as unread.
ALTER TABLE points ADD COLUMN unread TEXT NOT NULL DEFAULT '[]'; -- JSON: ids of messages
ALTER TABLE undone_points ADD COLUMN unread TEXT NOT NULL DEFAULT '[]'; -- JSON: ids of messages

UPDATE points SET unread =
  (SELECT json_group_array(id) FROM messages
   WHERE messages.thread_id = points.thread_id AND pinned = 1 AND id <= boundary_id);
UPDATE undone_points SET unread =
  (SELECT json_group_array(id) FROM messages
   WHERE messages.thread_id = undone_points.thread_id AND pinned = 1 AND id <= boundary_id);
