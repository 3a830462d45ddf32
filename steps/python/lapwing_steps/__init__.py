"""Records the steps of a training loop for the Lapwing agent of this node.

    import lapwing_steps

    steps = lapwing_steps.Steps(model_flops_per_token=4.2e9, precision="bf16")
    for batch in steps.batches(loader):
        with steps.step(tokens=batch.tokens) as step:
            step.loss = train(batch)

Each step is a record in a shared-memory file that the agent reads. No function raises into the loop, blocks, or needs the
agent. See docs/training.md for use and docs/steps-format.md for the layout.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, TypeVar

from .blocks import Part, Step
from .complaints import complain
from .flops import flops_per_token
from .trackers import EVERY
from .writer import NAN, Steps

__all__ = [
    "Part",
    "Step",
    "Steps",
    "batches",
    "checkpointed",
    "checkpointed_when",
    "close",
    "default",
    "flops_per_token",
    "open",
    "phase",
    "record",
    "step",
    "watch_checkpoints",
]

T = TypeVar("T")
_default: Optional[Steps] = None


def open(**arguments: Any) -> Steps:  # as in gzip and tarfile
    """Opens the writer of the module functions, with the arguments of `Steps`, and closes an earlier one."""
    global _default
    if _default is not None:
        _default.close()
    try:
        _default = Steps(**arguments)
    except TypeError as problem:
        complain(problem)
        _default = Steps()
    _default.open()
    return _default


def default() -> Steps:
    """The writer of the module functions; created from the environment if `open` was not called."""
    global _default
    if _default is None:
        _default = Steps()
    return _default


def step(number: Optional[int] = None, *, tokens: int = 0, samples: int = 0) -> Step:
    return default().step(number, tokens=tokens, samples=samples)


def batches(loader: Iterable[T]) -> Iterator[T]:
    return default().batches(loader)


def record(
    step: Optional[int] = None,
    duration: Optional[float] = None,
    tokens: int = 0,
    samples: int = 0,
    loss: float = NAN,
    gradient_norm: float = NAN,
    learning_rate: float = NAN,
    data: float = NAN,
    compute: float = NAN,
    communication: float = NAN,
    checkpoint: float = NAN,
) -> None:
    """See `Steps.record`."""
    (_default or default()).record(
        step, duration, tokens, samples, loss, gradient_norm, learning_rate, data, compute, communication, checkpoint
    )


def phase(name: str) -> None:
    """See `Steps.phase`."""
    default().phase(name)


def checkpointed(step: Optional[int] = None) -> None:
    """See `Steps.checkpointed`."""
    default().checkpointed(step)


def checkpointed_when(saving: Any, step: Optional[int] = None) -> None:
    """See `Steps.checkpointed_when`."""
    default().checkpointed_when(saving, step)


def watch_checkpoints(folder: Any, every: float = EVERY) -> None:
    """See `Steps.watch_checkpoints`."""
    default().watch_checkpoints(folder, every)


def close() -> None:
    """Sets the phase to ended and removes the file. The next record creates a new one."""
    global _default
    if _default is not None:
        _default.close()
        _default = None
