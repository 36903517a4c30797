-- Before every call it is asked how the last compactions ended: without this, everything that ever happened
-- by itself in a thread was read.
CREATE INDEX automatic_compactions ON automatic (thread_id)
WHERE event ->> 'type' IN ('compacted', 'notCompacted');
