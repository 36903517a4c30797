"""A streamable-HTTP server by the official Python kit, on the loopback interface only.

    http_server.py PORT
"""

import os
import sys

import anyio
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("http-for-tests")


@server.tool()
def echo(text: str) -> str:
    return f"echo: {text}"


@server.tool()
def big(characters: int) -> str:
    return "x" * characters


@server.tool()
def crash() -> str:
    os._exit(3)


@server.tool()
async def slow(ctx: Context) -> str:
    for step in range(600):
        await ctx.report_progress(step, 600, "slowly")
        await anyio.sleep(0.1)
    return "at last"


@server.tool()
async def grow(ctx: Context) -> str:
    server.add_tool(lambda: "grown", name="grown", description="Was not here before.")
    await ctx.session.send_tool_list_changed()
    return "grew"


server.add_tool(lambda: "wide", name="wide", description="w" * 100_000)
server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
