-- Where the message that a generation wrote stood on the path it was made on, from 0: a report of another
-- place no longer tells of the context. NULL: it wrote none, or its report was forgotten since.
ALTER TABLE generations ADD COLUMN place INTEGER;
