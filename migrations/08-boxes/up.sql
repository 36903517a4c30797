-- Whether a message waits for its session's box, and is sent by the person alone: one that could not be
-- answered, the words of a link, or what waited in an imported file. A draft is the box's own; nothing
-- else writes there.
ALTER TABLE waiting ADD COLUMN for_box INTEGER NOT NULL DEFAULT 0 CHECK (for_box IN (0, 1));
