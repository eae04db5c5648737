"""Two decorators for compiled code, and templates cloned with other parts.

Numba's on-disk cache watches the file of the function it stores, not the files of the functions it calls. So the
name under which a kernel is stored carries a fingerprint of this whole folder: any edit here compiles anew, and an
unchanged folder never does (tests/kernels/test_cache.py starts a second process and counts compilations).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import inspect
import logging
import os
import pickle
import sys
import time
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

from twofold.kernels.compile_time import WATCH

if sys.platform != "win32":  # where each process compiles for itself
    import fcntl

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""Without numba's runtime no references to arrays are counted, which took up to three quarters of the time, and no
array can be made: a kernel that allocates doesn't compile."""

_ALLOCATES = _OPTIONS | {"_nrt": True}

_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""No code for calls from Python and C, which takes a quarter of the time of compiling."""

LONGEST_COMPILATION = 120.0
"""Seconds after which a process no longer waits for another one that compiles the same kernel."""


def _spare_scipy() -> None:
    """Load numba's array functions without scipy, which takes a sixth of a start and which no kernel here uses.

    Numba imports scipy.linalg only to know whether there is a BLAS; a function that needs one imports it when it is
    compiled. So tell numba whether it is installed.
    """
    name = "scipy.linalg.cython_blas"
    if name in sys.modules:
        return
    sys.modules[name] = None  # an import of it fails
    try:
        from numba.np import arraymath

        arraymath._HAVE_BLAS = importlib.util.find_spec("scipy") is not None
    except ImportError:
        pass  # another version of numba: it loads what it likes
    finally:
        del sys.modules[name]


_spare_scipy()


class _Listener(event.Listener):
    """Passes on when numba takes the lock under which it compiles."""

    def on_start(self, event: Any) -> None:
        WATCH.__enter__()

    def on_end(self, event: Any) -> None:
        WATCH.__exit__()


class _Ends(event.Listener):
    """Ends a kernel's turn where its compilation failed, since nothing is stored then."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        store = getattr(dispatcher, "_cache", None)
        if isinstance(store, _Store) and tuple(event.data["args"]) not in dispatcher.overloads:
            store._end_turn()


event.register("numba:compiler_lock", _Listener())
event.register("numba:compile", _Ends())


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


FINGERPRINT = _fingerprint()


def helper(function: Callable[..., Any], *, allocates: bool = False) -> Any:
    """Compile a small function that kernels call, and Python can't; it is stored inside its callers, never alone.

    allocates: it makes arrays. To be avoided where it is called often.
    """
    compiled = njit(**_INNER, **_ALLOCATES if allocates else _OPTIONS)(function)
    compiled.__class__ = _Helper
    return compiled


class _Helper(CPUDispatcher):
    """Has no entry for Python: a call of one that is missing would end the process."""

    def __call__(self, *_: object, **__: object) -> None:
        raise TypeError(f"{self.__name__} is for compiled code only; its .py_func is plain Python")


def guarded(function: Callable[..., Any]) -> Any:
    """Compile a user's function that kernels call: it may make arrays, and an index outside of one is an error."""
    return njit(boundscheck=True, **_ALLOCATES)(getattr(function, "py_func", function))


def kernel(function: Callable[..., Any], *, allocates: bool = False) -> Any:
    """Compile an entry point that Python calls: releases the GIL, stored on disk once per machine.

    allocates: it makes arrays.
    """
    return _cached(function, FINGERPRINT, _ALLOCATES if allocates else _OPTIONS)


def _cached(function: Callable[..., Any], mark: str, options: dict[str, Any]) -> Any:
    function.__qualname__ = f"{function.__name__}_{mark}"
    compiled = njit(**options)(function)
    try:
        compiled._cache = _Store(function)
    except RuntimeError:  # numba found no folder that it may write to
        _warn("no folder for it can be written")
    return compiled


class _Store(FunctionCache):
    """Numba's files of compiled code, with faults that cost time and no answer.

    What can't be read is dropped and compiled anew; what can't be written, on a full disk or in a folder that someone
    has locked since, is not kept. Of processes that need the same kernel at once, one compiles it and the others wait.
    """

    _turn: int | None = None
    """The open file whose lock is held while this process compiles the kernel."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._load(sig, target_context)
        if found is None and self._waited_for_turn():
            found = self._load(sig, target_context)
        if found is not None:
            self._end_turn()
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a part of a file raises nearly anything
            with contextlib.suppress(Exception):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except (OSError, EOFError, pickle.PickleError) as error:
            _warn(getattr(error, "strerror", None) or type(error).__name__)
        finally:
            self._end_turn()

    def _waited_for_turn(self) -> bool:
        """Takes the kernel's lock; True if another process had it, so that the kernel may be there now."""
        if sys.platform == "win32":
            return False
        try:
            self._turn = os.open(f"{self._cache_file._index_path}.lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError:  # a folder that can't be written keeps nothing either
            return False
        end = time.monotonic() + LONGEST_COMPILATION
        waited = False
        while time.monotonic() < end:
            try:
                fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waited = True
                time.sleep(0.02)
            except OSError:  # a file system without locks
                return waited
            else:
                break
        return waited

    def _end_turn(self) -> None:
        if self._turn is not None and sys.platform != "win32":
            with contextlib.suppress(OSError):
                fcntl.flock(self._turn, fcntl.LOCK_UN)  # a forked process may have the file open too
            os.close(self._turn)
            self._turn = None


def _warn(why: str) -> None:
    """Says once, to this process and those that it starts, that code is compiled in every one of them."""
    if _SAID not in os.environ:
        os.environ[_SAID] = "1"
        told = f"compiled code can't be kept ({why}): every start compiles anew, for some seconds"
        logging.getLogger("twofold").warning("warning: %s; NUMBA_CACHE_DIR names another folder", told)


_SAID = "TWOFOLD_SAID_NO_CACHE"


@functools.cache
def _file_text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):  # typed at a prompt
        return ""


def _value_text(value: Any, seen: set[int]) -> str:
    """A captured or global value as text, whole: numba freezes it into the compiled code."""
    plain = getattr(value, "py_func", value)
    if isinstance(value, np.ndarray):
        return (
            f"{value.dtype}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
        )
    if isinstance(plain, types.FunctionType):
        return _function_text(plain, seen)
    if isinstance(value, types.ModuleType):
        file = getattr(value, "__file__", None) or ""
        return "" if _is_installed(file) else _file_text(file)
    return repr(value)


def _is_installed(path: str) -> bool:
    return not path or "site-packages" in path or path.startswith(_PACKAGE)


_PACKAGE = str(Path(__file__).parent)  # these files are in FINGERPRINT


def _function_text(plain: types.FunctionType, seen: set[int]) -> str:
    """A function's file and all it uses by name, once each."""
    if id(plain) in seen:
        return ""
    seen.add(id(plain))
    code = plain.__code__
    text = _file_text(code.co_filename)
    if not text:
        with contextlib.suppress(OSError, TypeError):
            text = inspect.getsource(plain)
    used = [_value_text(cell.cell_contents, seen) for cell in plain.__closure__ or ()]
    if not _is_installed(code.co_filename):
        used += [_value_text(plain.__globals__[n], seen) for n in code.co_names if n in plain.__globals__]
    return f"{plain.__module__}.{plain.__qualname__}{_code_text(code)}{used}{plain.__defaults__}{text}"


def _code_text(code: types.CodeType) -> str:
    """What tells functions of one name apart, two lambdas of a file for example."""
    constants = [_code_text(each) if isinstance(each, types.CodeType) else each for each in code.co_consts]
    return f"{code.co_code.hex()}{code.co_names}{constants}"


def source_of(function: Any) -> str:
    """What a function is made of, as text: the part of its identity that the cache needs.

    The whole file counts, since a function may use others and constants from it; so do captured and global values,
    which numba freezes into the code, and functions and modules imported by name. The module counts too: what numba
    stores imports it by name, and a copy of a user's file is a module of another name.
    """
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, types.FunctionType):  # an intrinsic: its `identity` says what it was built from
        return type(plain).__name__
    return _function_text(plain, set())


def _identity(parts: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(FINGERPRINT.encode())
    for name in sorted(parts):
        part = parts[name]
        text = source_of(part) if callable(part) else repr(part)
        digest.update(f"{name}={getattr(part, 'identity', '')}:{text};".encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class _Part:
    template: Callable[..., Any]

    def __repr__(self) -> str:
        """The same in every process: names of stored code are made from it."""
        return source_of(self.template)


def part(template: Callable[..., Any]) -> Any:
    """Mark a piece of templates, which is a template itself: `clone` compiles it for each of them."""
    return _Part(template)


def clone(template: Callable[..., Any], parts: Mapping[str, Any], *, cached: bool = True) -> Any:
    """Compile `template` with the names in `parts` standing for other functions or constants.

    This is how one search runs on every board type and with every evaluation at full speed: passing the evaluator
    as an argument would cost four times the time or compile in every process. Inside the copy the template's own
    name means the copy, so it may call itself, and the name of a `part` means this with the same names filled in. The
    copy's cached name is made from the source of its parts; the same copy of the same parts is made once per process.
    """
    mark = _identity({**parts, "": template})
    if (made := _CLONES.get((mark, cached))) is not None:
        return made
    scope = {**template.__globals__, **parts}
    for name in template.__code__.co_names:
        if isinstance(piece := scope.get(name), _Part):
            scope[name] = clone(piece.template, parts, cached=False)
    copy = types.FunctionType(template.__code__, scope, template.__name__, template.__defaults__)
    copy.__module__ = template.__module__
    copy.__doc__ = template.__doc__
    # Symbols are named after the qualified name. A kernel from the disk brings the symbols of its parts along, and
    # one of the same name that is loaded already would be called in their place: so every copy has its own name.
    copy.__qualname__ = f"{template.__name__}_{mark}"
    compiled = _cached(copy, mark, _OPTIONS) if cached else helper(copy)
    compiled.identity = mark  # a clone made of clones is told apart by them
    scope[template.__name__] = compiled
    _CLONES[mark, cached] = compiled
    return compiled


_CLONES: dict[tuple[str, bool], Any] = {}
