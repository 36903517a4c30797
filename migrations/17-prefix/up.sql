-- What was sent always when a generation was asked for, the system prompt and the declarations of tools, as a
-- fingerprint: a report beside another one no longer tells of the context. NULL: nobody noted it.
ALTER TABLE generations ADD COLUMN prefix TEXT;
