-- The program's own package that gave way to the one this thread began with, for taking that back.
ALTER TABLE threads ADD COLUMN replaced TEXT; -- JSON: Reminder
