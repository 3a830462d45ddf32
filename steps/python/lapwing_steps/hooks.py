"""Shared by the callbacks: hooks never raise into the loop, and numbers on the GPU are not read."""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, Optional, TypeVar, cast

from .writer import Steps, complain

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


def writer_for(framework: str, steps: Optional[Steps], identity: Any) -> Steps:
    """The given writer, or a new one with the given arguments and the framework's name."""
    return steps if steps is not None else Steps(**{"framework": framework, **identity})
