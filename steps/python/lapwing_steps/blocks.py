"""Context managers for a step, its parts and phases."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Optional

from . import layout

if TYPE_CHECKING:
    from .writer import Steps

NAN = math.nan
_clock = time.perf_counter


class Part:
    """Measures a part of a step, ``with steps.data(): ...``, for the next record. Of nested ones the outermost counts."""

    __slots__ = ("_steps", "_name", "_began", "_return_to", "_depth")

    def __init__(self, steps: "Steps", name: str) -> None:
        self._steps = steps
        self._name = name
        self._began = NAN
        self._return_to = 0
        self._depth = 0

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._began = _clock() - self._steps._away

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._steps.add(self._name, _clock() - self._steps._away - self._began)


class Computing(Part):
    """A part without the communication that is measured inside it, so that compute is a rank's own work."""

    __slots__ = ("_before",)

    def __init__(self, steps: "Steps", name: str) -> None:
        super().__init__(steps, name)
        self._before = 0.0

    def __enter__(self) -> None:
        if self._depth == 0:
            communication = self._steps._communication
            self._before = communication if communication == communication else 0.0
        super().__enter__()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            seconds = _clock() - self._steps._away - self._began
            if self._steps._communication > self._before:  # false for NaN
                seconds = max(0.0, seconds - (self._steps._communication - self._before))
            self._steps.add(self._name, seconds)


class Waiting(Part):
    """A part in which the rank waits for other ranks, which the header says too."""

    __slots__ = ("_outer",)

    def __init__(self, steps: "Steps", name: str) -> None:
        super().__init__(steps, name)
        self._outer = False

    def __enter__(self) -> None:
        if self._depth == 0:
            self._outer = self._steps.is_waiting_for_others()
            if not self._outer:
                self._steps.waiting_for_others(True)
        super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        if self._depth == 0 and not self._outer:
            self._steps.waiting_for_others(False)


class Saving(Part):
    """A part that also sets the phase to checkpoint while the loop waits for it. A step does not include it."""

    __slots__ = ("_durable", "_saved")

    def __init__(self, steps: "Steps", name: str, durable: bool) -> None:
        super().__init__(steps, name)
        self._durable = durable
        self._saved: Optional[int] = None

    def __enter__(self) -> None:
        self._return_to = self._steps._phase
        self._steps._set_phase(layout.PHASES["checkpoint"], within_step=True)
        if self._durable:
            self._saved = self._steps._checkpoints.step(self._steps)

    def __exit__(self, kind: object = None, *_: object) -> None:
        self._steps._set_phase(self._return_to, within_step=True)
        if self._durable and kind is None:
            self._steps.checkpointed(self._saved)


class Evaluating(Part):
    """Sets the phase to evaluation, so that a loop without steps is not a stall. A step does not include it."""

    __slots__ = ()

    def __enter__(self) -> None:
        self._return_to = self._steps._phase
        self._steps._set_phase(layout.PHASES["evaluation"], within_step=True)

    def __exit__(self, *_: object) -> None:
        self._steps._set_phase(self._return_to, within_step=True)


class Step:
    """One step of the loop; set ``loss``, ``gradient_norm``, ``learning_rate``, ``tokens`` or ``samples`` inside it.

    A step that raises an exception is not recorded. A generator that is closed inside its step ends the step.
    """

    __slots__ = ("_steps", "_began", "step", "tokens", "samples", "loss", "gradient_norm", "learning_rate")

    def __init__(self, steps: "Steps", step: Optional[int], tokens: int, samples: int) -> None:
        self._steps = steps
        self._began = NAN
        self.step = step
        self.tokens = tokens
        self.samples = samples
        self.loss: float = NAN
        self.gradient_norm: float = NAN
        self.learning_rate: float = NAN

    def __enter__(self) -> "Step":
        waited = self._steps._waiting_since
        self._began = waited if waited == waited else _clock() - self._steps._away
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        steps = self._steps
        if kind is not None and kind is not GeneratorExit:
            steps._forget_parts()
            return
        steps.record(
            self.step,
            _clock() - steps._away - self._began,
            self.tokens,
            self.samples,
            self.loss,
            self.gradient_norm,
            self.learning_rate,
        )

    def data(self) -> Part:
        return self._steps.data()

    def compute(self) -> Part:
        return self._steps.compute()

    def communication(self) -> Part:
        return self._steps.communication()

    def checkpoint(self, durable: bool = False) -> Part:
        return self._steps.checkpoint(durable)
