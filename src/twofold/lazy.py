"""The names that a package offers, each imported when it is first used."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from typing import Any


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a package whose imports from twofold all stand below `if TYPE_CHECKING`.

    So type checkers and people read plain imports, and nothing is loaded before it is needed.
    """
    module = sys.modules[package]
    homes = dict(_imports(package))

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, original = homes[name]
        if home == package:  # a package within
            return importlib.import_module(f"{package}.{original}")
        value = getattr(importlib.import_module(home), original)
        setattr(module, name, value)
        return value

    return get, lambda: sorted(module.__all__)


def _imports(package: str) -> list[tuple[str, tuple[str, str]]]:
    """(name here, (module, name there)) for each import in the package's own source."""
    loader: Any = sys.modules[package].__spec__.loader  # type: ignore[union-attr]
    found = [
        node for node in ast.walk(ast.parse(loader.get_source(package))) if isinstance(node, ast.ImportFrom)
    ]
    return [
        (each.asname or each.name, (node.module, each.name))
        for node in found
        for each in node.names
        if node.module is not None and node.module.partition(".")[0] == "twofold"
    ]
