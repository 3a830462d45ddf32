"""Context managers for a step, its parts and phases."""

from __future__ import annotations

import math
import operator
import time
import weakref
from typing import TYPE_CHECKING, Any, Optional

from . import layout

if TYPE_CHECKING:
    from .writer import Steps

NAN = math.nan
_BEFORE_STEPS = (layout.PHASES["starting"], layout.PHASES["after_loop"])
_clock = time.perf_counter


class Part:
    """Measures a part of a step, ``with steps.data(): ...``, for the next record. Of nested ones the outermost counts.

    It does not keep its writer, which keeps some of them: a cycle would end its file late.
    """

    __slots__ = ("_of", "_name", "_began", "_depth")

    def __init__(self, steps: "Steps", name: str) -> None:
        self._of = weakref.ref(steps)
        self._name = name
        self._began = NAN
        self._depth = 0

    def __reduce__(self) -> Any:
        """A copy is the writer's part, unpickled that of the writer's copy."""
        return operator.methodcaller(self._name), (self._of(),)

    def _away(self) -> float:
        steps = self._of()
        return 0.0 if steps is None else steps._away

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._began = _clock() - self._away()

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._measured(_clock() - self._away() - self._began)

    def _measured(self, seconds: float) -> None:
        steps = self._of()
        if steps is not None:
            steps.add(self._name, seconds)


class Computing(Part):
    """A part without the communication that is measured inside it, so that compute is a rank's own work."""

    __slots__ = ("_before",)

    def __init__(self, steps: "Steps", name: str) -> None:
        super().__init__(steps, name)
        self._before = 0.0

    def __enter__(self) -> None:
        if self._depth == 0:
            self._before = self._communication()
        super().__enter__()

    def _measured(self, seconds: float) -> None:
        super()._measured(max(0.0, seconds - max(0.0, self._communication() - self._before)))

    def _communication(self) -> float:
        steps = self._of()
        return 0.0 if steps is None or steps._communication != steps._communication else steps._communication


class Waiting(Part):
    """A part in which the rank waits for other ranks, which the header says too."""

    __slots__ = ("_outer",)

    def __init__(self, steps: "Steps", name: str) -> None:
        super().__init__(steps, name)
        self._outer = False

    def __enter__(self) -> None:
        steps = self._of()
        if self._depth == 0 and steps is not None:
            self._outer = steps.is_waiting_for_others()
            if not self._outer:
                steps.waiting_for_others(True)
        super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        steps = self._of()
        if self._depth == 0 and not self._outer and steps is not None:
            steps.waiting_for_others(False)


class Pause:
    """A phase between steps or in one, whose time no step includes, ``with steps.evaluation(): ...``."""

    __slots__ = ("_steps", "_phase", "_return_to")

    def __init__(self, steps: "Steps", phase: str) -> None:
        self._steps = steps
        self._phase = layout.PHASES[phase]
        self._return_to = 0

    def __enter__(self) -> None:
        self._return_to = self._steps._phase
        self._steps._set_phase(self._phase, within_step=True)

    def __exit__(self, kind: object = None, *_: object) -> None:
        self._steps._set_phase(self._return_to, within_step=True)


class Saving(Pause):
    """A checkpoint while the loop waits for it."""

    __slots__ = ("_durable", "_saved")

    def __init__(self, steps: "Steps", durable: bool) -> None:
        super().__init__(steps, "checkpoint")
        self._durable = durable
        self._saved: Optional[int] = None

    def __enter__(self) -> None:
        super().__enter__()
        if self._durable:
            self._saved = self._steps._checkpoints.step(self._steps)

    def __exit__(self, kind: object = None, *_: object) -> None:
        super().__exit__()
        if self._durable and kind is None:
            self._steps.checkpointed(self._saved)


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
        steps = self._steps
        if steps._phase in _BEFORE_STEPS:
            steps._first_step()
        waited = steps._waiting_since
        self._began = waited if waited == waited else _clock() - steps._away
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

    def checkpoint(self, durable: bool = False) -> Saving:
        return self._steps.checkpoint(durable)
