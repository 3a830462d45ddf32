"""For veRL: ``lapwing_steps.verl.attach(tracking)``, where ``tracking`` is the trainer's ``Tracking``.

veRL logs on its driver, which has no GPU, so there is one file for the whole run: rank 0, with the average tokens per GPU
(``perf/throughput`` times ``perf/time_per_step``). Times are veRL's: compute is generation, the passes of reference, critic
and old policy, and the updates; checkpoint is ``save_checkpoint``.
"""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional

from .hooks import quiet, writer_for
from .writer import Steps

COMPUTE = ("gen", "old_log_prob", "ref", "values", "adv", "update_critic", "update_actor")
LOSSES = ("actor/pg_loss", "train/loss")
NORMS = ("actor/grad_norm", "train/grad_norm")
RATES = ("actor/lr", "train/lr")


class Backend:
    """A backend of veRL's ``Tracking``: ``log(data, step)``."""

    def __init__(self, steps: Optional[Steps] = None, **identity: Any) -> None:
        self._steps = writer_for("verl", steps, {"rank": 0, **identity})

    @quiet
    def log(self, data: Mapping[str, Any], step: int) -> None:
        duration = _first(data, ("perf/time_per_step", "timing_s/step"))
        if duration != duration:  # during validation, or before the first step
            return
        tokens = _first(data, ("perf/throughput",)) * duration
        parts = [_first(data, ("timing_s/" + name,)) for name in COMPUTE]
        known = [part for part in parts if part == part]
        self._steps.record(
            step,
            duration,
            round(tokens) if math.isfinite(tokens) else 0,
            loss=_first(data, LOSSES),
            gradient_norm=_first(data, NORMS),
            learning_rate=_first(data, RATES),
            compute=math.fsum(known) if known else math.nan,
            checkpoint=_first(data, ("timing_s/save_checkpoint",)),
        )

    @quiet
    def finish(self) -> None:
        self._steps.close()


@quiet
def attach(tracking: Any, **identity: Any) -> None:
    """Adds the backend to a ``Tracking``. Arguments as for ``Steps``."""
    tracking.logger["lapwing"] = Backend(**identity)


def _first(data: Mapping[str, Any], names: Any) -> float:
    for name in names:
        if name in data:
            return float(data[name])  # already reduced to a number by veRL
    return math.nan
