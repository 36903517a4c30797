-- By which rules the facts of a point were found; 0: by those before anybody counted, which could say
-- something false. They are found anew when the conversation is next opened.
ALTER TABLE points ADD COLUMN facts_rules INTEGER NOT NULL DEFAULT 0;
ALTER TABLE undone_points ADD COLUMN facts_rules INTEGER NOT NULL DEFAULT 0;
