-- The next number of a thread is one above its highest: without this, every message read them all.
CREATE INDEX messages_by_number ON messages (thread_id, number);
