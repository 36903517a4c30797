"""A stdio server with sixty tools, each with a long description. Needs only Python.

Each tool repeats the words that it is given.
"""

import json
import sys

PATTERN = "It knows every weave of the archive by its number, its colour and its year. " * 20


def tool(number):
    words = {"type": "string", "description": "The words to weave in."}
    times = {"type": "integer", "description": "How often."}
    return {
        "name": f"weave_{number}",
        "description": f"Weaves pattern {number}. {PATTERN}",
        "inputSchema": {
            "type": "object",
            "properties": {"words": words, "times": times},
            "required": ["words"],
        },
    }


def result(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "many", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [tool(number) for number in range(1, 61)]}
    if method == "tools/call":
        words = params["arguments"]["words"]
        return {"content": [{"type": "text", "text": f"{params['name']} wove {words}"}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = result(request["method"], request.get("params") or {})
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer}), flush=True)
