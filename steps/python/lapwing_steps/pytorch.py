"""For custom PyTorch loops.

    from lapwing_steps.pytorch import Loop

    loop = Loop(loader, tokens=lambda batch: batch["input_ids"].numel(), precision="bf16")
    for batch in loop:
        loss = train(batch)
        loop.loss(loss)

Nothing here synchronises with the GPU: values are copied asynchronously and read in a later step.
"""

from __future__ import annotations

import importlib
import math
from collections import deque
from typing import Any, Callable, Deque, Generic, Iterable, Iterator, Optional, Tuple, TypeVar, Union

from . import default, layers
from .blocks import Part, Pause, Saving, Step
from .hooks import quiet, writer_for
from .waits import process
from .writer import Steps

T = TypeVar("T")
Count = Union[int, Callable[[T], int]]
MOST_UNDER_WAY = 16  # pending copies from the GPU; older ones are dropped


class Loop(Generic[T]):
    """The batches of a loader, one step each. Waiting for a batch is data wait; the rest is the body of the loop.

    A loop that is left by ``break`` or ``return`` records the step of its last batch; so does one that is left by an exception,
    since Python does not tell a generator which it was. Loops with the same identity use the same writer, so one may be made
    for each epoch.

    Args:
      tokens, samples: per batch for this rank's GPU: a number, or a function of the batch.
      model: what is trained, after it was wrapped by DistributedDataParallel or FSDP, or a list of such: compute and
        communication are then measured separately (see ``watch``).
      cuda_timing: measure compute by CUDA events around the body (see ``CudaTimer``); not used with ``model``, which does better.
      accumulate: batches of a step, with gradient accumulation. The last step of a loader may have fewer.
      steps: a writer; otherwise one is created with the other arguments, as for ``Steps``.
    """

    def __init__(
        self,
        loader: Iterable[T],
        *,
        tokens: Count[T] = 0,
        samples: Count[T] = 0,
        model: Any = None,
        cuda_timing: bool = False,
        accumulate: int = 1,
        steps: Optional[Steps] = None,
        **identity: Any,
    ) -> None:
        self.steps = writer_for("pytorch", steps, identity)
        self._loader = loader
        self._tokens = tokens
        self._samples = samples
        self._timer = CudaTimer(self.steps) if cuda_timing and model is None else None
        if model is not None:
            layers.watch(self.steps, model)
        self._accumulate = accumulate if isinstance(accumulate, int) else 1
        self._losses = Arriving()
        self._step: Optional[Step] = None

    def __iter__(self) -> Iterator[T]:
        batches = self.steps.batches(process.without(self._loader) if self.steps._own_work else self._loader)
        self.steps._loops += 1  # ends after its last step, which may have no batch of its own left
        try:
            for batch in batches:
                with self.steps.step(tokens=_count(self._tokens, batch), samples=_count(self._samples, batch)) as step:
                    self._step = step
                    yield from self._timed(batch)
                    for _, further in zip(range(self._accumulate - 1), batches):
                        step.tokens = _sum(step.tokens, _count(self._tokens, further))
                        step.samples = _sum(step.samples, _count(self._samples, further))
                        yield from self._timed(further)
        finally:
            self.steps._loop_over()

    def _timed(self, batch: T) -> Iterator[T]:
        if self._timer is None:
            yield batch
        else:
            with self._timer:
                yield batch

    def __len__(self) -> int:
        """The batches of the loader; raises TypeError if it does not know them."""
        return len(self._loader)  # type: ignore[arg-type]

    @quiet
    def loss(self, loss: Any) -> None:
        """Sets the loss of this step. For a loss on the GPU the latest value that has arrived is recorded, a step or two old."""
        self._losses.ask(loss)
        if self._step is not None:
            self._step.loss = self._losses.newest

    def communication(self) -> Part:
        return self.steps.communication()

    def checkpoint(self, durable: bool = False) -> Saving:
        return self.steps.checkpoint(durable)

    def evaluation(self) -> Pause:
        return self.steps.evaluation()


def watch(*models: Any, steps: Optional[Steps] = None, **identity: Any) -> Steps:
    """Separates the rank's own work from its waits for other ranks, for loops that do not use ``Loop``; returns the writer.

    Each record then has the exposed wait as communication and the rest, unless the loop measures it, as compute: duration minus
    data wait, checkpoint and communication. Call it once, before the first step, with the model as the loop calls it; without
    a model where the loop calls the collectives of torch.distributed itself. What cannot be separated is left out.

    Args:
      steps: a writer; otherwise that of the module functions, or one that is made with the other arguments, as for ``Steps``.
    """
    if steps is None:
        steps = writer_for("pytorch", None, identity) if identity else default()
    layers.watch(steps, *models)
    steps.open()
    return steps


class CudaTimer:
    """Times a block on the current stream with CUDA events, and adds the time to compute when the GPU has finished it.

    That is a step or two later, which does not matter over minutes. The time includes waits of the stream, for kernels that
    are launched late and for communication on other streams: put the block around forward and backward, not around
    collectives. Without CUDA it measures nothing.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._under_way: Deque[Tuple[Any, Any]] = deque(maxlen=MOST_UNDER_WAY)
        self._began: Any = None

    def __reduce__(self) -> Any:
        return CudaTimer, (self._steps,)  # events cannot be copied

    @quiet
    def __enter__(self) -> None:
        self._began = None
        torch: Any = importlib.import_module("torch")
        if torch.cuda.is_available():
            self._began = torch.cuda.Event(enable_timing=True)
            self._began.record()

    @quiet
    def __exit__(self, *_: object) -> None:
        if self._began is None:
            return
        torch: Any = importlib.import_module("torch")
        ended = torch.cuda.Event(enable_timing=True)
        ended.record()
        self._under_way.append((self._began, ended))
        while self._under_way and self._under_way[0][1].query():
            first, last = self._under_way.popleft()
            self._steps.add("compute", first.elapsed_time(last) / 1000.0)  # milliseconds


class Arriving:
    """Asynchronous copies of numbers from the GPU."""

    def __init__(self) -> None:
        self.newest = math.nan
        self._under_way: Deque[Tuple[Any, Any]] = deque(maxlen=MOST_UNDER_WAY)

    def __reduce__(self) -> Any:
        return Arriving, ()

    def ask(self, value: Any) -> None:
        if not getattr(value, "is_cuda", False):
            self.newest = float(value)
            return
        torch: Any = importlib.import_module("torch")
        there = torch.cuda.Event()
        copy = torch.empty((), dtype=torch.float32, pin_memory=True)
        copy.copy_(value.detach(), non_blocking=True)
        there.record()
        self._under_way.append((there, copy))
        while self._under_way and self._under_way[0][0].query():
            self.newest = float(self._under_way.popleft()[1])


@quiet
def _counted(count: Any, batch: Any) -> Any:
    return count(batch) if callable(count) else count


def _count(count: Any, batch: Any) -> int:
    return _counted(count, batch) or 0


def _sum(counted: Any, more: Any) -> int:
    return _summed(counted, more) or 0


@quiet
def _summed(counted: Any, more: Any) -> Any:
    return counted + more
