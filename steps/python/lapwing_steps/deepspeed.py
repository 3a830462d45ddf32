"""For DeepSpeed: ``lapwing_steps.deepspeed.watch(engine, tokens_per_sample=4096)`` after ``deepspeed.initialize(...)``.

It wraps ``step`` of the engine, or ``train_batch`` of a pipeline engine, and ``save_checkpoint``. The first step starts with
its first ``backward``, later ones when the previous step ends. The loss is the one that the engine sends to its monitor: only
on rank 0, and only if a monitor is enabled. Compute and communication are measured as by ``pytorch.watch``.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, Optional

from . import layers
from .hooks import plain, quiet, writer_for
from .writer import Steps

SYNCHRONOUS = ("TorchCheckpointEngine", "FastCheckpointEngine")


@quiet
def watch(engine: Any, tokens_per_sample: int = 0, steps: Optional[Steps] = None, **identity: Any) -> Optional[Steps]:
    """Records the engine's steps; returns the writer, whose ``batches`` can wrap the data loader.

    Args:
      tokens_per_sample: the sequence length; divide it by the sequence-parallel size if there is one.
      steps: a writer; otherwise one is created with the other arguments, as for ``Steps``.
    """
    watcher = _Watcher(engine, tokens_per_sample, writer_for("deepspeed", steps, identity))
    # A pipeline engine calls its layers one by one: only its collectives can be seen.
    pipeline = hasattr(type(engine), "train_batch") or not hasattr(type(engine), "register_forward_hook")
    layers.watch(watcher.steps, *(() if pipeline else (engine,)))
    # On the class: an engine delegates unknown names to the model.
    name = "train_batch" if hasattr(type(engine), "train_batch") else "step"
    setattr(engine, name, watcher.stepped(getattr(engine, name)))
    begin = name if name == "train_batch" else "backward"  # the first observable call of a step
    setattr(engine, begin, watcher.begun(getattr(engine, begin)))
    engine.save_checkpoint = watcher.saved(engine.save_checkpoint)
    monitor: Any = getattr(engine, "monitor", None)
    if hasattr(monitor, "write_events"):
        monitor.write_events = watcher.after(monitor.write_events)
    return watcher.steps


class _Watcher:
    def __init__(self, engine: Any, tokens_per_sample: int, steps: Steps) -> None:
        self.steps = steps
        self._engine = engine
        self._tokens_per_sample = tokens_per_sample
        self._begun = False
        self._last = self._global_steps()
        self._loss = math.nan

    def stepped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def step(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            self._record()
            return result

        return step

    def begun(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def begin(*arguments: Any, **named: Any) -> Any:
            if not self._begun:
                self._begun = True
                self.steps.phase("training")
            return function(*arguments, **named)

        return begin

    def saved(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def save(*arguments: Any, **named: Any) -> Any:
            with self.steps.checkpoint():
                result = function(*arguments, **named)
            self._durable(result)
            return result

        return save

    def after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def write(event_list: Any, *arguments: Any, **named: Any) -> Any:
            self._hear(event_list)
            return function(event_list, *arguments, **named)

        return write

    @quiet
    def _durable(self, saved: Any) -> None:
        """DeepSpeed returns after all ranks have saved, but for engines that save in the background."""
        engine = getattr(self._engine, "checkpoint_engine", None)
        if saved and (engine is None or type(engine).__name__ in SYNCHRONOUS):
            self.steps._durable(self._global_steps(), "framework")

    @quiet
    def _hear(self, events: Any) -> None:
        for name, value, *_ in events:
            if name == "Train/Samples/train_loss":
                self._loss = plain(value)

    @quiet
    def _record(self) -> None:
        now = self._global_steps()
        if now == self._last:  # still accumulating gradients
            return
        self._last = now
        engine = self._engine
        samples = int(engine.train_micro_batch_size_per_gpu()) * int(engine.gradient_accumulation_steps())
        rates = engine.get_lr()
        self.steps.record(
            now,
            tokens=samples * self._tokens_per_sample,
            samples=samples,
            loss=self._loss,
            gradient_norm=plain(engine.get_global_grad_norm()),
            learning_rate=plain(rates[0] if rates else None),
        )
        self._loss = math.nan

    def _global_steps(self) -> int:
        return int(getattr(self._engine, "global_steps", 0))
