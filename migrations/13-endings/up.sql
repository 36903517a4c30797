-- Where a thread ended, kept while another of its branches is looked at afterwards.
ALTER TABLE threads ADD COLUMN ended_leaf_id INTEGER REFERENCES messages (id) ON DELETE SET NULL;
CREATE INDEX thread_ended_leaf ON threads (ended_leaf_id);
