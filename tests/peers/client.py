"""The official Python client: it plays a list of steps and prints what came of each, as one line of JSON.

python client.py '{"generation": "legacy" | "auto", "server": {"command", "args"} | {"url", "token"?}, "steps": [STEP…]}'

client.mjs says what a step is, and plays the same ones.
"""

import json
import os
import sys
import traceback
from contextlib import AsyncExitStack

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation, ServerNotification

# Generous, since a loaded machine is slow and a test that hangs is ended from outside.
LIMIT = 240

request = json.loads(sys.argv[1])
notified: list[str] = []
resources: list = []


async def main() -> None:
    async with AsyncExitStack() as stack:
        server = await transport(stack, **request["server"])
        info = Implementation(name="codemode-tests", version="1.0.0")
        mode = request["generation"]
        # No cache: each step of a test asks the server.
        client = Client(server, mode=mode, client_info=info, read_timeout_seconds=LIMIT, message_handler=notice, cache=None)
        await stack.enter_async_context(client)
        results = [await play(client, step) for step in request["steps"]]
        named = client.server_info
        print_json(
            {
                "protocol": client.protocol_version,
                "server": {"name": named.name, "version": named.version},
                "results": results,
                "notified": notified,
            }
        )


async def transport(stack: AsyncExitStack, url=None, token=None, command=None, args=None):
    if url is None:
        return StdioServerParameters(command=command, args=args, env=dict(os.environ))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=LIMIT))
    return streamable_http_client(url, http_client=http)


async def notice(message) -> None:
    """What the server said of its own accord, by method."""
    method = getattr(message, "method", None) or getattr(getattr(message, "root", None), "method", None)
    if method is not None and method != "notifications/progress":
        notified.append(method)


async def play(client: Client, step: dict) -> dict:
    global resources
    try:
        match step["do"]:
            case "list":
                return {"tools": [plain(tool) for tool in (await client.list_tools()).tools]}
            case "call":
                return await call(client, step)
            case "resources":
                resources = [plain(resource) for resource in (await client.list_resources()).resources]
                return {"resources": resources}
            case "read":
                uri = step["uri"] if "uri" in step else resources[step["listed"]]["uri"]
                return {"contents": [plain(part) for part in (await client.read_resource(uri)).contents]}
            case "together":
                together: list = [None] * len(step["steps"])

                async def one(at: int, inner: dict) -> None:
                    together[at] = await play(client, inner)

                async with anyio.create_task_group() as group:
                    for at, inner in enumerate(step["steps"]):
                        group.start_soon(one, at, inner)
                return {"together": together}
            case other:
                raise ValueError(f"there is no step {other}")
    except MCPError as error:
        return {"error": {"code": error.error.code, "message": error.error.message}}
    except Exception as error:  # What a test compares: the SDK refused what it was sent.
        return {"error": {"code": None, "message": str(error)}}


async def call(client: Client, step: dict) -> dict:
    progress: list = []
    with anyio.CancelScope() as scope:

        async def moved(done: float, total: float | None, message: str | None) -> None:
            update = {"progress": done, "total": total, "message": message}
            progress.append({key: value for key, value in update.items() if value is not None})
            if len(progress) == step.get("cancel_at"):
                scope.cancel()

        result = await client.call_tool(step["name"], step.get("arguments"), progress_callback=moved)
        return {"result": plain(result), "progress": progress}
    return {"given_up": True, "progress": progress}


def plain(model) -> dict:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def print_json(value: dict) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


try:
    anyio.run(main)
except BaseException:
    print_json({"broken": traceback.format_exc()})
