-- The tool calls that showed pictures, for knowing which bytes are still named.
CREATE INDEX parts_pictured ON parts (id)
  WHERE kind = 'tool' AND json_type(rest, '$.call.state.output.pictures') IS NOT NULL;
