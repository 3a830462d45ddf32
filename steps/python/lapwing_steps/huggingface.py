"""For the Trainer of Hugging Face: ``trainer.add_callback(lapwing_steps.huggingface.callback(precision="bf16"))``.

Tokens are counted by the Trainer (``include_num_input_tokens_seen=True``) or given as ``tokens`` per step. Loss, gradient
norm and learning rate come from the Trainer's last log and are in the record after it. Compute and communication are
measured as by ``pytorch.watch``.
"""

from __future__ import annotations

import importlib
import math
import time
from typing import Any, Optional

from . import layers
from .hooks import plain, quiet, writer_for
from .writer import Steps


def callback(tokens: int = 0, steps: Optional[Steps] = None, **identity: Any) -> Any:
    """A TrainerCallback.

    Args:
      tokens: per step and GPU, if the Trainer does not count them.
      steps: a writer, which is closed at the end of training; otherwise one is created with the other arguments, as for
        ``Steps``.
    """
    base: Any = importlib.import_module("transformers").TrainerCallback

    class StepsCallback(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self._steps: Steps
            self._idle_since = time.perf_counter()  # end of the last activity that another hook reported
            self._began = math.nan
            self._waited = 0.0
            self._seen = 0.0
            self._logged = (math.nan, math.nan, math.nan)

        @quiet
        def on_train_begin(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
            self._steps = writer_for("transformers", steps, identity)
            if hasattr(model, "register_forward_hook"):
                layers.watch(self._steps, model)
            self._steps.phase("starting")
            self._idle_since = time.perf_counter()
            self._seen = plain(getattr(state, "num_input_tokens_seen", 0))

        @quiet
        def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            # The Trainer has fetched the step's batches.
            self._waited = time.perf_counter() - self._idle_since
            self._began = self._idle_since
            self._steps._first_step()

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
            # The Trainer counts the tokens of all ranks.
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
            # No hook for the start of saving: it follows the step, its log and its evaluation.
            now = time.perf_counter()
            self._steps.add("checkpoint", now - self._idle_since)
            if not getattr(args, "save_only_model", False):  # such a save has no state to resume from
                self._steps._durable(int(state.global_step), "framework")
            self._idle_since = now

        @quiet
        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self._steps.close()

    return StepsCallback()
