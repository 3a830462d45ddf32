"""For the Trainer of Hugging Face: ``trainer.add_callback(lapwing_steps.huggingface.callback(precision="bf16"))``.

Tokens are those that the Trainer counts (``include_num_input_tokens_seen=True``), or the ``tokens`` per step given here. Loss,
gradient norm and learning rate are of the Trainer's last log: they stand in the record after it.
"""

from __future__ import annotations

import importlib
import math
import time
from typing import Any, Optional

from .hooks import plain, quiet, writer_for
from .writer import Steps


def callback(tokens: int = 0, steps: Optional[Steps] = None, **identity: Any) -> Any:
    """A TrainerCallback.

    Args:
      tokens: of one step and one GPU, where the Trainer does not count them.
      steps: a writer, which is closed at the end of training; otherwise one is made with the other arguments, which are
        those of ``Steps``.
    """
    base: Any = importlib.import_module("transformers").TrainerCallback

    class StepsCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self._steps: Steps
            self._idle_since = time.perf_counter()  # since when the loop does nothing that another hook has told of
            self._began = math.nan
            self._waited = 0.0
            self._seen = 0.0
            self._logged = (math.nan, math.nan, math.nan)

        @quiet
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._steps = writer_for("transformers", steps, identity)
            self._steps.phase("starting")
            self._idle_since = time.perf_counter()
            self._seen = plain(getattr(state, "num_input_tokens_seen", 0))

        @quiet
        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            # The Trainer has the step's batches by now.
            self._waited = time.perf_counter() - self._idle_since
            self._began = self._idle_since

        @quiet
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            now = time.perf_counter()
            loss, norm, rate = self._logged
            samples = int(args.per_device_train_batch_size) * int(args.gradient_accumulation_steps)
            self._steps.record(
                state.global_step, now - self._began, self._tokens(args, state), samples, loss, norm, rate, self._waited
            )
            self._logged = (math.nan, math.nan, math.nan)
            self._idle_since = now

        def _tokens(self, args: Any, state: Any) -> int:
            seen = plain(getattr(state, "num_input_tokens_seen", 0))
            new, self._seen = seen - self._seen, seen
            # The Trainer's count is of all ranks.
            return int(new / max(1, int(getattr(args, "world_size", 1)))) if new > 0 else tokens

        @quiet
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            logs = logs or {}
            if "loss" in logs:
                self._logged = (plain(logs["loss"]), plain(logs.get("grad_norm")), plain(logs.get("learning_rate")))
            self._idle_since = time.perf_counter()

        @quiet
        def on_prediction_step(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._steps.phase("evaluation")

        @quiet
        def on_evaluate(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._steps.phase("training")
            self._idle_since = time.perf_counter()

        @quiet
        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            # Nobody tells when saving begins: it is what comes after the step, its log and its evaluation.
            now = time.perf_counter()
            self._steps.add("checkpoint", now - self._idle_since)
            self._idle_since = now

        @quiet
        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._steps.close()

    return StepsCallback()
