"""A streamable-HTTP server by the official Python kit, on the loopback interface only.

    http_server.py PORT

Port 0 is any that is free. Which it is, is the one line it writes; without one it could not have it.
"""

import os
import socket
import sys

import anyio
import uvicorn
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
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print(listening.getsockname()[1], flush=True)
config = uvicorn.Config(server.streamable_http_app(), log_level="critical")
uvicorn.Server(config).run(sockets=[listening])
