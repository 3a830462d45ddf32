"""What the callbacks share: a hook that throws costs the loop nothing, and a number that is on the GPU is left there."""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, Optional, TypeVar, cast

from .writer import Steps, complain

F = TypeVar("F", bound=Callable[..., Any])


def quiet(hook: F) -> F:
    """The hook, without its exceptions."""

    @functools.wraps(hook)
    def quietly(*arguments: Any, **named: Any) -> Any:
        try:
            return hook(*arguments, **named)
        except Exception as problem:
            complain("%s: %s" % (hook.__name__, problem))
            return None

    return cast(F, quietly)


def plain(value: object) -> float:
    """A number that costs nothing to look at; NaN for a tensor, which would make the loop wait for the GPU."""
    return float(value) if isinstance(value, (int, float)) else math.nan


def writer_for(framework: str, steps: Optional[Steps], identity: Any) -> Steps:
    """The given writer, or one of the given identity with the framework's name."""
    return steps if steps is not None else Steps(**{"framework": framework, **identity})
