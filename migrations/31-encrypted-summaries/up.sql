-- The items that a provider keeps of the messages a summary stands for. Only the model at the address that gave
-- them can read them. They are dropped when the user edits the summary: then it says something else.
CREATE TABLE encrypted_summaries (
  message_id     INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE, -- the summary
  origin         TEXT    NOT NULL, -- a hash of the address and the model
  model_provider TEXT    NOT NULL,
  model          TEXT    NOT NULL,
  items          TEXT    NOT NULL, -- JSON: an array, as it was received
  tokens         INTEGER NOT NULL  -- of the items in a prompt
) STRICT;
