"""``twofold cache``: what twofold keeps on the disk to be faster next time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, flag
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.cache import Part


def cache(
    action: Annotated[
        str | None, argument("[clear]", "clear removes what is kept; without it, the cache is shown.")
    ] = None,
    part: Annotated[str | None, argument("[PART]", "Only networks, lines, exact or formations.")] = None,
    yes: Annotated[bool, flag("--yes -y", "Remove without asking.")] = False,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Show or clear the cache: where it is, and how much disk space each part takes.

    Whatever you remove is made again when it is next used. Compiled code is kept
    elsewhere: beside twofold's own files, or in the folder that the variable
    NUMBA_CACHE_DIR names.
    """
    from twofold.cache import cache_folder, cache_parts, clear_cache
    from twofold.errors import InvalidParameter, quote

    if action not in (None, "clear"):
        raise InvalidParameter(f"no action {quote(action)}: the only one is clear")
    parts = cache_parts(part)
    if action and (yes or _agrees(parts, json=json)):
        clear_cache(part)
        parts = cache_parts(part)
    if json:
        found = {each.name: {"files": len(each.files), "bytes": each.nbytes} for each in parts}
        print_json({"folder": str(cache_folder()), "parts": found})
        return
    print_text(str(cache_folder()))
    for each in parts:
        print_text(f"  {each.name:<11} {_size(each.nbytes):>10}  {each.about}")


def _agrees(parts: tuple[Part, ...], *, json: bool) -> bool:
    """Whether whoever sits at the terminal wants them removed. Raises InvalidParameter if nobody does."""
    from twofold.errors import InvalidParameter

    if json or not sys.stdin.isatty():
        raise InvalidParameter(
            "'twofold cache clear' asks before it removes anything, and can't ask here: add --yes"
        )
    size = _size(sum(each.nbytes for each in parts))
    sys.stderr.write(f"Remove {', '.join(each.name for each in parts)}, {size}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _size(nbytes: int) -> str:
    return f"{nbytes / 1e9:,.2f} GB" if nbytes >= 1e9 else f"{nbytes / 1e6:,.1f} MB"
