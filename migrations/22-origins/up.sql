-- A yes to the pages of a host was to any scheme and port of it. From now on it names them: of what was
-- allowed before, the encrypted pages at the usual port stay allowed, and nothing else.
UPDATE OR REPLACE grants SET tool = 'fetch_page https://' || substr(tool, length('fetch_page ') + 1)
WHERE tool LIKE 'fetch_page _%' AND tool NOT LIKE '%://%';
