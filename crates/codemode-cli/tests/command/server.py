"""A small MCP server for the tests: newline-delimited JSON-RPC over standard streams.

Arguments: NAME, then any of
  --gate PATH     wait for a byte from this named pipe before anything is answered
  --started PATH  write a byte into this named pipe first, and hold it
  --die WORDS     write these to standard error and end with 3 at once
  --stubborn      stay when standard input ends and when asked to terminate
"""

import json
import os
import signal
import sys

name, options = sys.argv[1], sys.argv[2:]


def option(flag):
    return options[options.index(flag) + 1] if flag in options else None


def tool(short, description, properties, read_only=True, output=None):
    found = {
        "name": short,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties, "required": sorted(properties)},
        "annotations": {"readOnlyHint": read_only},
    }
    if output:
        found["outputSchema"] = output
    return found


TEXT = {"type": "string"}
TOOLS = [
    tool("echo", f"Give the text back from {name}.", {"text": TEXT}),
    tool(
        "people",
        f"List the people that {name} knows.",
        {},
        output={"type": "object", "properties": {"people": {"type": "array", "items": {"type": "object"}}}, "required": ["people"]},
    ),
    tool("variable", "Read a variable of the server's environment.", {"name": TEXT}),
    tool("wait", "Write a byte into one named pipe and wait for one from another.", {"inside": TEXT, "go": TEXT}, read_only=False),
    tool("die", "End the server in the middle of the call.", {}, read_only=False),
]
PEOPLE = {"staff": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}], "rooms": [{"id": 1, "room": "A1"}, {"id": 2, "room": "B2"}]}


def text(words, failed=False):
    return {"content": [{"type": "text", "text": words}], "isError": failed}


def call(short, arguments):
    if short == "echo":
        return text(arguments["text"])
    if short == "people":
        people = {"people": PEOPLE.get(name, [])}
        return {"content": [{"type": "text", "text": json.dumps(people)}], "structuredContent": people}
    if short == "variable":
        return text(os.environ.get(arguments["name"], "[not set]"))
    if short == "wait":
        with open(arguments["inside"], "wb") as pipe:
            pipe.write(b"x")
        with open(arguments["go"], "rb") as pipe:
            pipe.read(1)
        return text("went on")
    if short == "die":
        print("dying as asked", file=sys.stderr, flush=True)
        os._exit(9)
    return text(f"no tool {short}", failed=True)


def answer(request):
    method, parameters = request["method"], request.get("params", {})
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": f"{name}-server", "version": "1.2.3"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(parameters["name"], parameters.get("arguments") or {})
    if method == "ping":
        return {}
    return None


def serve():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        result = answer(request)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": "method not found"}
        else:
            reply["result"] = result
        print(json.dumps(reply), flush=True)


if option("--started"):
    held = open(option("--started"), "wb", buffering=0)
    held.write(b"x")
if option("--die"):
    print(option("--die"), file=sys.stderr, flush=True)
    sys.exit(3)
if "--stubborn" in options:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if option("--gate"):
    with open(option("--gate"), "rb") as pipe:
        pipe.read(1)
serve()
if "--stubborn" in options:
    while True:
        signal.pause()
