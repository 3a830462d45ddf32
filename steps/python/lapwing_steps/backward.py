"""Two callbacks of autograd's engine around the one in which DistributedDataParallel waits for its last bucket.

The engine runs callbacks in the order in which they were queued, and one may queue another. DDP queues its own when the last
gradient is there: what is queued when backward starts runs before it, and what that callback queues runs after it.
"""

from __future__ import annotations

import dataclasses
import functools
import weakref
from typing import Any, Callable, List

from . import functions
from .clocks import StreamClock
from .waits import complain, process

MOST_OUTPUTS = 8  # of a model: backward starts at one of them
DEEPEST = 4  # nesting of a model's outputs

_hooked: "weakref.WeakSet[Any]" = weakref.WeakSet()
_engine: Any = None


def install(torch: Any) -> None:
    """Once. Raises AttributeError if this version has another engine."""
    global _engine
    _engine = torch.autograd.Variable._execution_engine
    torch.autograd.backward = _with_inner(torch.autograd.backward)


def hook(model: Any) -> None:
    if model not in _hooked:
        model.register_forward_hook(_Forward())
        _hooked.add(model)


class _Forward:
    """The hook of a model's forward. It has no state, so copies and pickles of the model keep it."""

    def __call__(self, module: Any, arguments: Any, output: Any) -> None:
        if process.compiling():
            return
        try:
            if process.in_backward:  # the last one ended in an exception
                process.in_backward = False
                process.not_understood()
            process.here()
            for tensor in _tensors(output, DEEPEST)[:MOST_OUTPUTS]:
                if not process.clock.on_gpu and tensor.device.type != "cpu":
                    process.use(StreamClock(tensor.device))
                    process.streams_covered = functions.cover_streams(module)
                tensor.register_hook(_begin)
        except Exception as problem:
            process.not_understood()
            complain(problem)


def _tensors(output: Any, depth: int) -> List[Any]:
    """Those that backward can start at."""
    if hasattr(output, "register_hook"):
        return [output] if output.requires_grad else []
    if isinstance(output, dict):
        output = tuple(output.values())
    elif dataclasses.is_dataclass(output):
        output = tuple(vars(output).values())
    if depth == 0 or not isinstance(output, (tuple, list)):
        return []
    return [tensor for each in output[:MOST_OUTPUTS] for tensor in _tensors(each, depth - 1)]


def _begin(gradient: Any) -> None:
    """Backward starts. No gradient of a parameter is there, so this callback is queued before DDP's."""
    if not process.in_backward and not process.compiling():
        process.in_backward = True
        process.backward_here()
        _queue(_own_done)


_begin.__torch_unserializable__ = True  # type: ignore[attr-defined]  # no warning where the output is pickled


def _own_done() -> None:
    """All gradients of this rank are there. DDP's callback is next; the one after the next is behind all that it queues."""
    process.backward_here()  # with several devices the last gradient may come in another thread than the first
    entered = process.enter()
    if not entered:
        process.not_understood()
    _queue(lambda: _queue(_all_done if entered else _over))


def _all_done() -> None:
    process.leave()
    process.backward_done()
    _over()


def _over() -> None:
    process.in_backward = False


def _with_inner(backward: Callable[..., Any]) -> Callable[..., Any]:
    """A backward within backward, as activation checkpoints may run, has callbacks of its own: DDP's can be among them."""

    @functools.wraps(backward)
    def outer_or_inner(tensors: Any, *arguments: Any, **named: Any) -> Any:
        if process.in_backward and not process.compiling():
            try:
                first = next(iter(tensors)) if isinstance(tensors, (tuple, list)) else tensors
                first.register_hook(_begin_inner)
            except Exception as problem:
                process.not_understood()
                complain(problem)
        return backward(tensors, *arguments, **named)

    return outer_or_inner


def _begin_inner(gradient: Any) -> None:
    _queue(_inner_done)


def _inner_done() -> None:
    process.backward_here()
    if process.enter():
        _queue(lambda: _queue(process.leave))


def _queue(callback: Callable[[], None]) -> None:
    try:
        _engine.queue_callback(callback)
    except Exception as problem:
        process.in_backward = False
        process.not_understood()
        complain(problem)
