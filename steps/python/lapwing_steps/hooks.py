"""Shared by the callbacks: hooks never raise into the loop, and numbers on the GPU are not read."""

from __future__ import annotations

import functools
import importlib
import math
from typing import Any, Callable, Optional, Tuple, TypeVar, cast

from .complaints import complain
from .writer import Steps

F = TypeVar("F", bound=Callable[..., Any])


def quiet(hook: F) -> F:
    """Runs the hook and ignores its exceptions."""

    @functools.wraps(hook)
    def quietly(*arguments: Any, **named: Any) -> Any:
        try:
            return hook(*arguments, **named)
        except Exception as problem:
            complain("%s: %s" % (hook.__name__, problem))
            return None

    return cast(F, quietly)


def plain(value: object) -> float:
    """A number; NaN for a tensor, because reading it would wait for the GPU."""
    return float(value) if isinstance(value, (int, float)) else math.nan


_latest: Optional[Tuple[str, Steps]] = None


def writer_for(framework: str, steps: Optional[Steps], identity: Any) -> Steps:
    """The given writer, or one with the given arguments and the framework's name.

    That is the latest one with the same arguments while it is open, since a rank has one file: a loop for each epoch would
    otherwise start its counters again. Without arguments it is the writer of the module functions, if that is open.
    """
    global _latest
    if steps is not None:
        return steps
    default = importlib.import_module(__package__)._default
    if not identity and default is not None and not default.closed:
        return cast(Steps, default)
    wanted = repr((framework, sorted(identity.items())))
    if _latest is None or _latest[0] != wanted or _latest[1].closed:
        _latest = (wanted, Steps(**{"framework": framework, **identity}))
    return _latest[1]
