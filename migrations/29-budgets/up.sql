-- A budget of a session adds up its calls before each request.
CREATE INDEX ledger_of_session ON ledger (session_id) WHERE session_id IS NOT NULL;
