-- Not sent to the model, however the conversation goes on. What is pinned always is: a message is one of both
-- at most.
ALTER TABLE messages ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0
  CHECK (left_out IN (0, 1) AND left_out + pinned < 2);
CREATE INDEX messages_left_out ON messages (thread_id) WHERE left_out = 1;
