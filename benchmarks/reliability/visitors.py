"""Visitors of the page, beside slow searches."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter
from typing import Any

from benchmarks.reliability.common import Found, told_of

SLOW = 5
SOON = 1.0
"""Seconds within which searches end after their visitors have left."""


def visitors(count: int, seed: int) -> Found:
    """Visitors who play two moves a second, beside five whose searches take long: how soon moves are answered.

    And how long the searches go on when their visitors leave. seed: not used.
    """
    from benchmarks.web import cpu_seconds, load, server

    async def both(url: str, process: int) -> tuple[dict[str, float], float, float]:
        slow = [asyncio.create_task(search(url)) for _ in range(SLOW)]
        leave = [await task for task in slow]
        began = cpu_seconds(process)
        await asyncio.sleep(2.0)
        searching = (cpu_seconds(process) - began) / 2.0
        found = await load(url, process, count, 15.0)
        for each in leave:
            await each.close()
        left = time.monotonic()
        while True:
            before, begin = cpu_seconds(process), time.monotonic()
            await asyncio.sleep(0.1)
            if (cpu_seconds(process) - before) / (time.monotonic() - begin) < 0.2:
                return found, begin - left, searching

    with server() as (url, process):
        found, took, searching = asyncio.run(both(url, process))
    faults = Counter[str]()
    if found["faults"]:
        faults[f"{found['faults']:.0f} refusals or unanswered moves"] += 1
    if not found["median_ms"] < 20:
        faults["a median above 20 ms"] += 1
    if took > SOON:
        faults[f"searches went on for {took:.1f} s"] += 1
    if searching < 0.2:
        faults["the searches did not run"] += 1
    return told_of(
        f"{count} visitors beside {SLOW} searches ({searching:.1f} cores): {found['moves']:,.0f} moves, answered "
        f"within {found['median_ms']:.1f} ms (median), {found['p95_ms']:.1f} ms (95 %); searches ended "
        f"within {max(0.1, took):.1f} s; load average {os.getloadavg()[0]:.1f}",
        faults,
    )


async def search(url: str) -> Any:
    """A visitor of Analyse whose search has begun, by the page's own protocol; gives its connection."""
    import json

    from benchmarks.web import connect

    client, elements, ws = await connect(f"{url}/analyse")

    async def say(number: int, event: str, *args: object) -> None:
        listener = next(e["listener_id"] for e in elements[number]["events"] if e["type"] == event)
        message = {
            "id": number,
            "client_id": client,
            "listener_id": listener,
            "args": [json.dumps(a) for a in args],
        }
        await ws.send("42" + json.dumps(["event", message]))

    await ws.send("40")
    await asyncio.sleep(0.5)
    players = next(
        i for i, e in elements.items() if e.get("props", {}).get("label") == "Players, one per line"
    )
    compare = next(i for i, e in elements.items() if e.get("text") == "Compare moves")
    await say(players, "text", "expectimax:depth=14")
    await say(compare, "click")
    asyncio.create_task(_answer(ws))  # noqa: RUF006 (ends with the connection)
    return ws


async def _answer(ws: Any) -> None:
    """Keeps a connection: pings are answered."""
    with contextlib.suppress(Exception):
        async for text in ws:
            if text == "2":
                await ws.send("3")
