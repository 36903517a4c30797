-- What providers are sent for a picture that they would refuse: too large, or of another format. It can be
-- made again of the picture, and goes with it.
CREATE TABLE copies (
  blob_id INTEGER PRIMARY KEY REFERENCES blobs (id) ON DELETE CASCADE,
  bytes   BLOB    NOT NULL
) STRICT;
