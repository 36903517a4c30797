-- What is swept is found by its time: before the time stand the bytes, and walking over them reads all there is.
CREATE INDEX blobs_by_time ON blobs (created_at);
CREATE INDEX outputs_by_time ON outputs (created_at);
CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL;
