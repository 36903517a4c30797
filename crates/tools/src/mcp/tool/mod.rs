//! Tools of MCP servers: their names, schemas and results.

pub(crate) mod mcp_tool;
pub(crate) mod schema_normalizer;
pub(crate) mod tool_names;
pub(crate) mod tool_result;
