"""A server of the official Python SDK, as upstream of the end-to-end tests: the data of a small team, and tools that are slow, that fail and that die."""

import base64
import os

import anyio
from mcp.server.mcpserver import Audio, Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

READS = ToolAnnotations(read_only_hint=True)

server = MCPServer("team", version="1.2.3", log_level="WARNING")

# What became of calls to `wait`, so that a test can see that a cancellation arrived, and how many have come to `meet`.
waits = {"started": 0, "finished": 0, "cancelled": 0}
met = {"here": 0}
changed = anyio.Condition()


class Person(BaseModel):
    """Somebody who owns files."""

    name: str
    team: str = Field(description="The team, in lower case")
    level: int


PEOPLE = [
    Person(name="ada", team="engines", level=3),
    Person(name="grace", team="compilers", level=5),
    Person(name="tim", team="engines", level=1),
]


@server.tool(annotations=READS)
def find_person(name: str) -> Person:
    """The record of one person, by name."""
    for person in PEOPLE:
        if person.name == name:
            return person
    raise ToolError(f"nobody is called {name}")


@server.tool(annotations=READS)
def list_people(team: str | None = None) -> list[Person]:
    """Everybody, or everybody in one team."""
    return [person for person in PEOPLE if team is None or person.team == team]


@server.tool(annotations=READS)
def add(a: int, b: int) -> int:
    """The sum of two whole numbers."""
    return a + b


@server.tool(annotations=READS, structured_output=False)
def say(text: str) -> str:
    """The same text again, as text alone."""
    return text


@server.tool(annotations=READS)
def portrait() -> Image:
    """A picture of one pixel."""
    return Image(data=base64.b64decode(PIXEL), format="png")


@server.tool(annotations=READS)
def jingle() -> Audio:
    """A sound without a single sample."""
    return Audio(data=SILENCE, format="wav")


@server.tool(annotations=READS)
async def wait(seconds: float, steps: int, context: Context) -> str:
    """Waits, and reports its progress after each step."""
    async with changed:
        waits["started"] += 1
        changed.notify_all()
    try:
        for step in range(steps):
            await anyio.sleep(seconds / steps)
            await context.report_progress(step + 1, steps, f"step {step + 1}")
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True):
            async with changed:
                waits["cancelled"] += 1
                changed.notify_all()
        raise
    waits["finished"] += 1
    return f"waited in {steps} steps"


@server.tool(annotations=READS)
async def await_started(count: int) -> str:
    """Answers when so many calls to `wait` have begun."""
    async with changed:
        while waits["started"] < count:
            await changed.wait()
    return "started"


@server.tool(annotations=READS)
async def await_cancelled(count: int) -> str:
    """Answers when so many calls to `wait` were cancelled."""
    async with changed:
        while waits["cancelled"] < count:
            await changed.wait()
    return "cancelled"


@server.tool(annotations=READS)
async def meet() -> str:
    """Answers when somebody else has called it as well."""
    async with changed:
        met["here"] += 1
        changed.notify_all()
        while met["here"] < 2:
            await changed.wait()
    return "met"


@server.tool(annotations=READS)
def count_waits() -> dict[str, int]:
    """How many calls to `wait` were started, were finished, and were cancelled."""
    return dict(waits)


class Colour(BaseModel):
    """What a person is asked for."""

    name: str


@server.tool(annotations=READS)
async def ask(context: Context) -> str:
    """Asks the person at the client for a colour."""
    answer = await context.elicit("Which colour?", Colour)
    return answer.action


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def die(status: int) -> str:
    """Ends the whole process, at once and without an answer."""
    os._exit(status)


@server.tool()
async def hire(name: str, context: Context) -> str:
    """Gives the server one tool more, and says that the list has changed."""

    def greet() -> str:
        return f"hello from {name}"

    server.add_tool(greet, name=f"greet_{name}", description=f"A greeting from {name}", annotations=READS)
    await context.session.send_tool_list_changed()
    return f"{name} is hired"


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SILENCE = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00"

if __name__ == "__main__":
    server.run()
