"""For Lightning: ``Trainer(callbacks=[lapwing_steps.lightning.callback(tokens=lambda batch: batch.numel())])``.

The loss is read whenever Lightning logs (``log_every_n_steps``), which waits for the GPU anyway. Compute and communication are
measured as by ``pytorch.watch``.
"""

from __future__ import annotations

import importlib
import math
import time
from typing import Any, Callable, Optional, Union

from . import layers
from .hooks import quiet, writer_for
from .writer import Steps

Count = Union[int, Callable[[Any], int]]


def callback(tokens: Count = 0, samples: Count = 0, steps: Optional[Steps] = None, **identity: Any) -> Any:
    """A Callback.

    Args:
      tokens, samples: per batch for this rank's GPU: a number, or a function of the batch.
      steps: a writer, which is closed at the end of training; otherwise one is created with the other arguments, as for
        ``Steps``.
    """

    class StepsCallback(_base()):  # type: ignore[misc]
        def __init__(self) -> None:
            self._steps: Steps
            self._idle_since = time.perf_counter()
            self._saving_since = math.nan
            self._began = math.nan
            self._step = -1
            self._saved = -1
            self._tokens = 0
            self._samples = 0

        @quiet
        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            self._steps = writer_for("lightning", steps, identity)
            # The strategy has the model that DistributedDataParallel or FSDP wraps.
            model = getattr(getattr(trainer, "strategy", None), "model", None) or pl_module
            if hasattr(model, "register_forward_hook"):
                layers.watch(self._steps, model)
            self._steps.phase("starting")
            self._step = int(trainer.global_step)
            self._idle_since = time.perf_counter()

        @quiet
        def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
            now = time.perf_counter()
            self._steps._first_step()
            if self._saving_since == self._saving_since:
                # No hook for the end of saving: the next batch is the first later event.
                self._steps.add("checkpoint", now - self._saving_since)
                self._idle_since += now - self._saving_since
                self._saving_since = math.nan
                if not _saves_later(trainer):
                    self._steps._durable(self._saved, "framework")
            self._steps.add("data", now - self._idle_since)
            if self._began != self._began:
                self._began = self._idle_since
            self._tokens += int(tokens(batch) if callable(tokens) else tokens)
            self._samples += int(samples(batch) if callable(samples) else samples)

        @quiet
        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self._idle_since = time.perf_counter()
            step = int(trainer.global_step)
            if step == self._step:  # still accumulating gradients
                return
            every = int(getattr(trainer, "log_every_n_steps", 0) or 0)
            loss = _loss(outputs) if every and step % every == 0 else math.nan
            self._steps.record(step, self._idle_since - self._began, self._tokens, self._samples, loss)
            self._step, self._tokens, self._samples, self._began = step, 0, 0, math.nan

        @quiet
        def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
            self._steps.phase("evaluation")

        @quiet
        def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
            self._steps.phase("training")
            self._idle_since = time.perf_counter()

        @quiet
        def on_save_checkpoint(self, trainer: Any, pl_module: Any, checkpoint: Any) -> None:
            self._saving_since = time.perf_counter()
            self._saved = int(trainer.global_step)

        @quiet
        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            self._steps.close()

        @quiet
        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            self._steps.close()

    return StepsCallback()


def _base() -> Any:
    """The Callback class of the installed package: the new name, else the old one."""
    try:
        return importlib.import_module("lightning.pytorch").Callback
    except ImportError:
        return importlib.import_module("pytorch_lightning").Callback


def _saves_later(trainer: Any) -> bool:
    """Whether checkpoints are written by a thread of their own (AsyncCheckpointIO), so that the next batch does not show their end."""
    io = getattr(getattr(trainer, "strategy", None), "checkpoint_io", None)
    return any("Async" in kind.__name__ for kind in type(io).__mro__)


def _loss(outputs: Any) -> float:
    value = outputs.get("loss") if isinstance(outputs, dict) else outputs
    return math.nan if value is None else float(value)
