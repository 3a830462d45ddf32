"""Tells a rank's own work from its waits for other ranks, step by step.

`layers` reports each wait of the process. An `OwnWork` collects those of one writer's steps, and gives each record its
exposed wait (communication) and, unless the loop measures it, the rest of the step (compute).
"""

from __future__ import annotations

import math
import sys
import time
import weakref
from collections import deque
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable, Deque, Iterable, Iterator, List, Set, Tuple, TypeVar

from . import layout
from .clocks import HostClock

if TYPE_CHECKING:
    from .writer import Steps

T = TypeVar("T")
NAN = math.nan
STEPS_UNDER_WAY = 16  # steps whose marks the GPU has not reached; older ones are dropped
WAITS_OF_A_STEP = 4096  # a step with more has unknown parts
SLACK = 0.001  # seconds between the start of a step and the first line of its record
COUNTED = (layout.PHASES["training"], layout.PHASES["starting"])

_clock = time.perf_counter
_said = False


def complain(problem: object) -> None:
    """One line on stderr, once per process: from here on parts of steps may be unknown."""
    global _said
    if not _said:
        _said = True
        try:
            text = str(problem).replace("\n", " ")[:300]
            sys.stderr.write("lapwing_steps: waiting for other ranks is not measured: %s\n" % text)
        except Exception:
            pass


class OwnWork:
    """The waits of one writer's steps, and what is left of them."""

    def __init__(self, steps: "Steps") -> None:
        self._steps = weakref.ref(steps)
        self._waits: List[Tuple[float, Any, Any]] = []
        self._under_way: Deque[Tuple[float, List[Tuple[float, Any, Any]]]] = deque(maxlen=STEPS_UNDER_WAY)
        self.has_model = False
        self._backward = -math.inf  # end of the last complete backward
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

    def forget(self) -> None:
        self._waits.clear()
        self._under_way.clear()
        self._unknown = _clock()

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


class Process:
    """The waits of this process: the outermost one counts, in the threads of the loop and of its backward."""

    def __init__(self) -> None:
        self.clock: Any = HostClock()
        self.streams_covered = False  # a layer measures what the loop's stream waits for other streams
        self.in_backward = False
        self.at_step: Callable[[], None] = bool
        self._writers: List[OwnWork] = []
        self._threads: Set[int] = set()
        self._inside = 0  # the thread that waits
        self._began = 0.0
        self._first: Any = None

    def use(self, clock: Any) -> None:
        """From now on marks are this clock's; earlier ones are dropped."""
        self._inside = 0
        self.clock = clock
        clock.here()
        for each in self._writers:
            each.forget()

    def add(self, own: OwnWork) -> None:
        self._writers = [each for each in self._writers if not each.gone() and each is not own] + [own]
        self.here()

    def here(self) -> None:
        """This is a thread, and its stream the stream, of the loop."""
        self._threads.add(get_ident())
        if self.clock.on_gpu:
            self.clock.here()

    def backward_here(self) -> None:
        self._threads.add(get_ident())

    def enter(self) -> bool:
        """A wait begins; False if it is within another one, or no wait of the loop."""
        thread = get_ident()
        if self._inside or thread not in self._threads:
            return False
        try:
            first = self.clock.mark()
        except Exception as problem:
            complain(problem)
            first = None
        if first is None:
            if not self.streams_covered:
                self.not_understood()
            return False
        self._inside, self._began, self._first = thread, _clock(), first
        if not self.clock.on_gpu:  # where a stream waits the host does not
            for each in self._writers:
                each.waits(True)
        return True

    def leave(self) -> None:
        """The wait ends."""
        self._inside = 0
        try:
            last = self.clock.mark()
        except Exception as problem:
            complain(problem)
            last = None
        for each in self._writers:
            if last is None:
                each.not_understood()
            else:
                each.waited(self._began, self._first, last)
            if not self.clock.on_gpu:
                each.waits(False)

    def backward_done(self) -> None:
        for each in self._writers:
            each.backward_done()

    def not_understood(self) -> None:
        for each in self._writers:
            each.not_understood()

    def step_done(self) -> None:
        """Nothing is open between steps: what an exception left open is dropped."""
        self.in_backward = False
        if self._inside == get_ident():
            self._inside = 0
            for each in self._writers:
                each.waits(False)
                each.not_understood()
        self.at_step()
        self.here()

    def without(self, loader: Iterable[T]) -> Iterator[T]:
        """The loader's batches; waits within the loader are data wait and not communication."""
        iterator = iter(loader)
        while True:
            held, self._inside = self._inside, self._inside or get_ident()
            try:
                batch = next(iterator)
            except StopIteration:
                return
            finally:
                self._inside = held
            yield batch


process = Process()
