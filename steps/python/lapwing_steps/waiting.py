"""Separates a rank's own work from its waits for other ranks, step by step.

`layers` reports each wait of the process. An `OwnWork` collects those of one writer's steps, and gives each record its
exposed wait (communication) and, unless the loop measures it, the rest of the step (compute).
"""

from __future__ import annotations

import math
import time
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, List, Tuple

from . import layout
from .waits import complain, process

if TYPE_CHECKING:
    from .writer import Steps

NAN = math.nan
STEPS_UNDER_WAY = 16  # steps whose marks the GPU has not reached; older ones are dropped
STEPS_WITHOUT_BACKWARD = 8  # of the model, from the first on: the loop uses another model
WAITS_OF_A_STEP = 4096  # the parts of a step with more are unknown
SLACK = 0.001  # seconds between the start of a step and the first line of its record
COUNTED = (layout.PHASES["training"], layout.PHASES["starting"])

_clock = time.perf_counter


def own_work(steps: "Steps") -> OwnWork:
    """What separates the own work of the writer's steps from their waits, from now on."""
    own = steps._own_work
    if own is None:
        own = steps._own_work = OwnWork(steps)
    process.add(own)
    return own


class OwnWork:
    """The waits of one writer's steps, and what is left of them."""

    def __init__(self, steps: "Steps") -> None:
        self._steps = weakref.ref(steps)
        self._waits: List[Tuple[float, Any, Any]] = []
        self._under_way: Deque[Tuple[float, List[Tuple[float, Any, Any]]]] = deque(maxlen=STEPS_UNDER_WAY)
        self.has_model = False
        self._backward = -math.inf  # end of the last complete backward
        self._steps_without = 0  # before the first backward
        self._known = False  # a collective was seen
        self._unknown = -math.inf  # when something was last not understood
        self._gives = False

    def gone(self) -> bool:
        steps = self._steps()
        return steps is None or steps.closed

    def waits(self, now: bool) -> None:
        steps = self._steps()
        if steps is not None:
            steps.waiting_for_others(now)

    def waited(self, began: float, first: Any, last: Any) -> None:
        if not self._counts():
            return
        self._known = True
        if len(self._waits) < WAITS_OF_A_STEP:
            self._waits.append((began, first, last))
        else:
            self._unknown = _clock()

    def _counts(self) -> bool:
        steps = self._steps()
        return steps is not None and not steps.closed and steps._phase in COUNTED

    def first_step(self) -> None:
        """A rank that hangs before its first wait is the one that does not wait."""
        if not process.clock.on_gpu:
            self.waits(False)

    def forget(self) -> None:
        """The clock is another one."""
        self._waits.clear()
        self._under_way.clear()
        self._unknown = _clock()
        steps = self._steps()
        if steps is not None and process.clock.on_gpu:
            steps._waiting_unknown()

    def backward_done(self) -> None:
        self._backward = _clock()

    def not_understood(self) -> None:
        if self._counts():
            self._unknown = _clock()

    def of_step(
        self, began: float, duration: float, data: float, compute: float, communication: float
    ) -> Tuple[float, float]:
        """Compute and communication of a step. On a GPU they are those of earlier steps that it has finished since.

        What the loop measures itself counts too: its communication is among the waits, and its compute can include them.
        """
        try:
            own, waited = self._told(began - SLACK, duration - data if data == data else duration)
        except Exception as problem:
            complain(problem)
            return compute, communication
        self._gives = self._gives or own == own
        if compute != compute or own < compute or (self._gives and process.clock.on_gpu):
            compute = own
        if communication != communication or waited > communication:
            communication = waited
        return compute, communication

    def _told(self, began: float, work: float) -> Tuple[float, float]:
        process.step_done()
        waits, self._waits = self._waits, []
        seen = self._backward >= began if self.has_model else self._known
        if self.has_model and self._backward == -math.inf:
            self._steps_without += 1
            if self._steps_without == STEPS_WITHOUT_BACKWARD:
                complain("no backward of the given model in %d steps; give the one that the loop calls" % self._steps_without)
        if seen and self._unknown < began:
            self._under_way.append((work, [wait for wait in waits if wait[0] >= began]))
        return self._finished()

    def _finished(self) -> Tuple[float, float]:
        own = waited = NAN
        clock = process.clock
        while self._under_way:
            work, waits = self._under_way[0]
            if waits and not clock.reached(waits[-1][2]):
                break  # a stream reaches its marks in their order
            self._under_way.popleft()
            wait = math.fsum([clock.seconds(first, last) for _, first, last in waits])
            if 0.0 <= wait <= work:  # otherwise a mark is wrong
                own = work - wait if own != own else own + work - wait
                waited = wait if waited != waited else waited + wait
        return own, waited
