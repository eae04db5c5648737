"""What comes from files, checked whole before it is used: schemas by pydantic, faults told as one line.

A schema is a dataclass of plain types, with bounds from `annotated_types`; what a file has beyond it is left alone.
Numbers have to be numbers, and finite, whole ones whole. pydantic is loaded when the first file is read.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import struct
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar

from annotated_types import Ge, Le, MaxLen

from twofold.errors import InvalidFile, OutOfMemory, TwofoldError, quote

T = TypeVar("T")

Text = Annotated[str, MaxLen(200_000)]
Whole = Annotated[int, Ge(0), Le((1 << 63) - 1)]
"""A number that a database keeps, not below 0."""
Finite = Annotated[float, Ge(-1.7e308), Le(1.7e308)]
Positive = Annotated[float, Ge(0), Le(1.7e308)]


_adapters: dict[Any, Any] = {}


def _adapter(schema: Any) -> Any:
    if schema not in _adapters:
        from pydantic import TypeAdapter

        _adapters[schema] = TypeAdapter(schema)
    return _adapters[schema]


def checked_json(text: str | bytes, schema: type[T]) -> T:
    """The JSON `text` as `schema`. Raises InvalidFile with the place of the first fault."""
    from pydantic import ValidationError

    try:
        return _adapter(schema).validate_json(text, strict=True)  # type: ignore[no-any-return]
    except ValidationError as error:
        raise InvalidFile(_first(error)) from None


def checked(value: object, schema: type[T]) -> T:
    """`value`, of dictionaries, lists and plain things, as `schema`; bytes count as None. Raises InvalidFile."""
    return checked_json(json.dumps(value, default=lambda _: None), schema)


def _first(error: Any) -> str:
    fault = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    found = "" if isinstance(fault["input"], dict | list) else f", not {quote(fault['input'])}"
    return f"{quote(place)}: {' '.join(fault['msg'].split())}{found}" if place else f"{fault['msg']}"


@contextlib.contextmanager
def told_as_file(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Turns every fault of a file's content within the block into one InvalidFile that names path and `what`."""
    name = quote(os.fspath(path))
    try:
        yield
    except InvalidFile as error:
        told = str(error)
        raise error if name in told else InvalidFile(f"{name} is not a usable {what}: {told}") from error
    except OutOfMemory:
        raise
    except MemoryError as error:
        raise OutOfMemory(f"there is not enough memory to read {name}") from error
    except OSError as error:
        raise InvalidFile(f"can't read {name}: {error.strerror or error}") from error
    except TwofoldError as error:
        raise InvalidFile(f"{name} is not a usable {what}: {error}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, EOFError, struct.error,
        sqlite3.Error,
    ) as error:  # fmt: skip
        raise InvalidFile(f"{name} is not a usable {what}: it is damaged or of another format") from error
