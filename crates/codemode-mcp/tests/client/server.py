"""A server for tests: an ordinary one, or a hostile one, as the JSON object of its one argument says.

Members of the object, all optional: `tools` (the list as it is sent), `pages` (a list of such lists), `start` (what goes wrong
before a call), `log` (a file to which each message that comes is written), `alive` (a file that a start appends a line to).
What a call does is decided by the tool's name.
"""

import base64
import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SETUP = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
LOCK = threading.Lock()
CANCELLED = {}
WAITING = {}
LISTENING = []
TOOLS = SETUP.get("tools", [])


def log(line):
    if "log" in SETUP:
        with open(SETUP["log"], "a") as file:
            file.write(line + "\n")


def raw(text):
    with LOCK:
        sys.stdout.write(text)
        sys.stdout.flush()


def send(message):
    raw(json.dumps(message) + "\n")


def result(id, value):
    send({"jsonrpc": "2.0", "id": id, "result": value})


def text(value, **more):
    return {"content": [{"type": "text", "text": value}], **more}


def die(status=7, line="the disk is on fire"):
    sys.stderr.write("starting\n" + line + "\n")
    sys.stderr.flush()
    os._exit(status)


def ask(method, params):
    id = "ask-" + method
    WAITING[id] = threading.Event(), []
    send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    WAITING[id][0].wait(20)
    answer = WAITING[id][1][0]
    return answer.get("error", {}).get("code", answer.get("result"))


def initialized(id, params):
    start = SETUP.get("start")
    if start == "die_in_handshake":
        die()
    if start == "newest":
        return send({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown method initialize"}})
    if start in ("refuse", "refuse_then_silent", "refuse_then_die"):
        return send({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "not today"}})
    if start == "wrong_id":
        id = 4711
    version = SETUP.get("protocol", params["protocolVersion"])
    result(id, {"protocolVersion": version, "capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "testing", "version": "1.2"}})


def listed(id, params):
    start = SETUP.get("start")
    if start == "die_in_list":
        die()
    if start == "no_list":
        return result(id, {"tools": 5})
    cursor = params.get("cursor")
    if start == "endless_list":
        number = int(cursor or 0)
        return result(id, {"tools": [{"name": "tool%d" % number, "inputSchema": {"type": "object"}}], "nextCursor": str(number + 1)})
    if start == "circle":
        return result(id, {"tools": [{"name": "page%s" % (cursor or ""), "inputSchema": {"type": "object"}}], "nextCursor": "again"})
    if start == "slow_list":
        wait_for(SETUP["gate"])
    if "pages" in SETUP:
        number = int(cursor or 0)
        page = {"tools": SETUP["pages"][number]}
        if number + 1 < len(SETUP["pages"]):
            page["nextCursor"] = str(number + 1)
        return result(id, page)
    result(id, {"tools": TOOLS})


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(0.01)


def called(id, params):
    name, arguments = params["name"], params.get("arguments", {})
    token = params.get("_meta", {}).get("progressToken")
    if name == "echo":
        result(id, text(json.dumps(arguments)))
    elif name == "answer":
        # Whatever the test wants the result to be.
        result(id, arguments["result"])
    elif name == "error":
        send({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "no such page", "data": {"page": 9}}})
    elif name == "hang":
        log("hanging")
        threading.Event().wait()
    elif name == "late":
        log("hanging")
        CANCELLED.setdefault(id, threading.Event()).wait()
        result(id, text("too late"))
        log("answered late")
    elif name == "progress":
        for number in range(arguments["times"]):
            time.sleep(arguments["every"])
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": number + 1, "total": arguments["times"], "message": "step\u001b[31m"}})
        time.sleep(arguments["every"])
        result(id, text("done"))
    elif name == "huge":
        result(id, text("x" * arguments["bytes"]))
    elif name == "huge_id_last":
        send({"jsonrpc": "2.0", "result": text("x" * arguments["bytes"]), "id": id})
    elif name == "invalid":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text" "text":"a"}]}}\n' % id)
    elif name == "nan":
        result(id, text("a", structuredContent={"ratio": float("nan")}))
    elif name == "empty":
        send({"jsonrpc": "2.0", "id": id})
    elif name == "deep":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%s}}\n' % (id, '{"a":' * 200 + "1" + "}" * 200))
    elif name == "wrong_id":
        result(id + 1000, text("somebody else's"))
        result(str(id) + "x", text("somebody else's"))
        result(id, text("mine"))
    elif name == "twice":
        result(id, text("first"))
        result(id, text("second"))
    elif name == "string_id":
        result(str(id), text("as a string"))
    elif name == "batch":
        raw(json.dumps([{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}, {"jsonrpc": "2.0", "id": id, "result": text("in an array")}]) + "\n")
    elif name == "noise":
        raw("Server listening on \u001b[1mport 80\u001b[0m\n[1, 2\nnull\n\n")
        result(id, text("after the noise"))
    elif name == "die":
        die()
    elif name == "die_quietly":
        os._exit(0)
    elif name == "close_output":
        os.close(1)
        threading.Event().wait()
    elif name == "half":
        raw('{"jsonrpc":"2.0","id":%d,"result":{"content":[' % id)
        os._exit(0)
    elif name == "child":
        child = subprocess.Popen(["sleep", "600"])
        result(id, text(str(child.pid)))
    elif name == "pid":
        result(id, text(str(os.getpid())))
    elif name == "change":
        TOOLS.append({"name": "new", "inputSchema": {"type": "object"}})
        params = {"params": {"_meta": LISTENING[-1]}} if LISTENING else {}
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", **params})
        result(id, text("changed"))
    elif name == "ask":
        answers = [
            ask("elicitation/create", {"message": "Name?", "requestedSchema": {"type": "object", "properties": {}}}),
            ask("sampling/createMessage", {"messages": [], "maxTokens": 5}),
            ask("roots/list", {}),
            ask("no/such", {}),
            ask("ping", {}),
        ]
        result(id, text(json.dumps(answers)))
    elif name == "environment":
        result(id, text(json.dumps({"VALUE": os.environ.get("VALUE"), "DEPTH": os.environ.get("CODEMODE_DEPTH"), "cwd": os.getcwd()})))
    else:
        send({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown tool " + name}})


def handle(message):
    log(json.dumps(message))
    method, id, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "initialize":
        initialized(id, params)
    elif method == "server/discover" and SETUP.get("start") == "newest":
        meta = {"io.modelcontextprotocol/serverInfo": {"name": "testing", "version": "3"}}
        capabilities = {"tools": {"listChanged": True}}
        result(id, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities, "ttlMs": 0, "cacheScope": "private", "_meta": meta})
    elif method == "server/discover" and SETUP.get("start") == "refuse_then_silent":
        pass
    elif method == "server/discover" and SETUP.get("start") == "refuse_then_die":
        die()
    elif method == "subscriptions/listen":
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        LISTENING.append(meta)
        send({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta, "notifications": {"toolsListChanged": True}}})
        if SETUP.get("streams", 0) >= len(LISTENING):
            result(id, {"resultType": "complete", "_meta": meta})
    elif method == "tools/list":
        listed(id, params)
    elif method == "tools/call":
        threading.Thread(target=called, args=(id, params), daemon=True).start()
    elif method == "notifications/cancelled":
        CANCELLED.setdefault(params["requestId"], threading.Event()).set()
    elif method == "ping":
        result(id, {})
    elif method is None and id in WAITING:
        WAITING[id][1].append(message)
        WAITING[id][0].set()
    elif id is not None:
        send({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown method " + str(method)}})


class Http(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def give(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.give(405, b"")

    def do_DELETE(self):
        self.give(200, b"")

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        log(json.dumps(message))
        if self.headers.get("x-key") != SETUP.get("key"):
            self.send_response(401)
            self.send_header("www-authenticate", "Bearer")
            self.send_header("content-length", "0")
            return self.end_headers()
        method, params = message.get("method"), message.get("params", {})
        answer = {"jsonrpc": "2.0", "id": message.get("id")}
        if message.get("id") is None:
            return self.give(202, b"")
        if method == "initialize":
            answer["result"] = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "http", "version": "1"}}
        elif method == "tools/list":
            answer["result"] = {"tools": TOOLS}
        elif params["name"] == "echo":
            answer["result"] = text(json.dumps(params["arguments"]))
        elif params["name"] == "answer":
            answer["result"] = params["arguments"]["result"]
        elif params["name"] == "huge":
            answer["result"] = text("x" * params["arguments"]["bytes"])
        elif params["name"] == "hang":
            log("hanging")
            return threading.Event().wait()
        elif params["name"] == "die":
            os._exit(0)
        self.give(200, json.dumps(answer).encode())


def main():
    if "alive" in SETUP:
        with open(SETUP["alive"], "a") as file:
            file.write("%d\n" % os.getpid())
        with open(SETUP["alive"]) as file:
            starts = len(file.readlines())
        if starts <= SETUP.get("failing_starts", 0):
            die()
    if SETUP.get("http"):
        server = ThreadingHTTPServer(("127.0.0.1", SETUP.get("port", 0)), Http)
        raw("%d\n" % server.server_port)
        return server.serve_forever()
    start = SETUP.get("start")
    if start == "die":
        die()
    if start == "noise":
        raw("Welcome!\n")
    if start == "silent":
        sys.stderr.write("loading the model\n")
        sys.stderr.flush()
        for _ in sys.stdin:
            pass
    if start == "deaf":
        # It neither reads nor ends when it is told to.
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        handle(json.loads(line))
        if start == "deaf" and '"tools/list"' in line:
            threading.Event().wait()


main()
