"""A stdio server that does, on request, what servers have been seen to do. Needs only Python.

It never answers a call that was cancelled and goes on telling its progress; it announces a changed
list several times between a request and its answer; it writes what is not JSON; it leaves a child
behind; with --stubborn it does not end when its input does; and with --fussy it fails at lists: always at
that of its resources, at that of its prompts but once, and at that of its tools when it was told to sulk;
with --chatty it repeats what it was started with wherever it can, and with --rude also instead of a hello.
"""

import base64
import json
import os
import struct
import subprocess
import sys
import threading
import time
import zlib

stubborn = "--stubborn" in sys.argv
fussy = "--fussy" in sys.argv
chatty = "--chatty" in sys.argv
rude = "--rude" in sys.argv
started_with = json.dumps({"argv": sys.argv[1:], "environ": dict(os.environ)})
told = {"prompts": 0, "sulks": False}
tools = {
    "echo": {}, "big": {}, "twice": {}, "crash": {}, "hang": {}, "grow": {}, "flood": {},
    "noise": {}, "refuse": {}, "environment": {}, "child": {}, "picture": {}, "snapshot": {}, "empty": {}, "sulk": {},
    "half": {}, "garbled": {}, "anonymous": {},
}
lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def answer(request, result):
    send({"id": request["id"], "result": result})


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def png(width, height):
    """A picture of one colour."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + b"\x30\x80\xc0" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def changed(times):
    for _ in range(times):
        send({"method": "notifications/tools/list_changed"})


def declared():
    schema = {"type": "object", "properties": {}}
    wide = {"type": "object", "properties": {f"p{n}": {"type": "string", "description": "d" * 90} for n in range(800)}}
    listed = [{"name": name, "description": f"does {name}", "inputSchema": schema} for name in tools]
    return listed + [{"name": "wide", "inputSchema": wide}]


def call(request):
    name = request["params"]["name"]
    arguments = request["params"].get("arguments") or {}
    token = request["params"].get("_meta", {}).get("progressToken")
    if name == "echo":
        changed(3)
        answer(request, text("echo: " + str(arguments.get("text"))))
    elif name == "big":
        answer(request, text("x" * arguments["characters"]))
    elif name == "twice":
        words = "line\n" * arguments["lines"]
        answer(request, {**text(words), "structuredContent": {"content": words}})
    elif name == "crash":
        os._exit(7)
    elif name == "hang":
        def progress():
            for step in range(10_000):
                send({"method": "notifications/progress",
                      "params": {"progressToken": token, "progress": step, "message": "hanging"}})
                time.sleep(0.01)
        threading.Thread(target=progress, daemon=True).start()
    elif name == "grow":
        tools["grown"] = {}
        changed(5)
        answer(request, text("grew"))
    elif name == "sulk":
        told["sulks"] = True
        changed(1)
        answer(request, text("sulks"))
    elif name == "flood":
        for n in range(20_000):
            sys.stderr.write(f"noise {n} " + "y" * 200 + "\n")
        sys.stderr.write("z" * 1_000_000)
        sys.stderr.flush()
        answer(request, text("flooded"))
    elif name == "noise":
        with lock:
            sys.stdout.write("this is not JSON\n\n{\"jsonrpc\": \"2.0\", \"id\": 99999, \"result\": {}}\n[1]\n")
        send({"id": "never asked", "result": {}})
        send({"method": "notifications/unknown", "params": {"a": 1}})
        answer(request, text("after the noise"))
    elif name == "half":
        answer(request, text("cut here: \ud83d"))
    elif name in ("garbled", "anonymous"):
        begin = f'"id": {request["id"]}, ' if name == "garbled" else ""
        with lock:
            sys.stdout.write("{" + begin + '"result": {"content": [{"type": "text", "text": "cut\n')
            sys.stdout.flush()
    elif name == "refuse":
        words = "refused by the server" + (started_with if chatty else "")
        send({"id": request["id"], "error": {"code": -32602, "message": words}})
    elif name == "environment":
        # Backwards nothing in it reads as the key that it is.
        words = json.dumps(dict(os.environ))
        answer(request, text(words[::-1] if arguments.get("backwards") else words))
    elif name == "child":
        subprocess.Popen(["sleep", arguments["seconds"]], stdin=subprocess.DEVNULL)
        answer(request, text("left a child behind"))
    elif name == "picture":
        answer(request, {"content": [{"type": "image", "data": "QUJD" * 1000, "mimeType": "image/png"}]})
    elif name == "snapshot":
        answer(request, {"content": [
            {"type": "text", "text": "the page:"},
            {"type": "image", "data": base64.b64encode(png(640, 480)).decode(), "mimeType": "image/png"},
        ]})
    elif name == "empty":
        answer(request, {"content": [], "isError": True})
    else:
        answer(request, {**text("unknown tool"), "isError": True})


sys.stderr.write("the odd server begins\n" + (started_with + "\n" if chatty else ""))
sys.stderr.flush()
for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "initialize" and rude:
        send({"id": request["id"], "error": {"code": -32602, "message": "never with " + started_with}})
    elif method == "initialize":
        answer(request, {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}, **({"prompts": {}, "resources": {}} if fussy else {})},
            "serverInfo": {"name": "odd", "version": "1"},
            "instructions": "Call echo before anything else. " + "x" * 5_000,
        })
        changed(4)
    elif method == "prompts/list" and told["prompts"] == 0:
        told["prompts"] += 1
        answer(request, {"prompts": [{"name": "greet"}]})
    elif method in ("prompts/list", "resources/list") or method == "tools/list" and told["sulks"]:
        send({"id": request["id"], "error": {"code": -32603, "message": f"no {method} today"}})
    elif method == "tools/list":
        answer(request, {"tools": declared()})
    elif method == "tools/call":
        call(request)
    elif method == "notifications/cancelled":
        sys.stderr.write("was told to cancel\n")
        sys.stderr.flush()
    elif method == "ping":
        answer(request, {})
while stubborn:
    time.sleep(1)
