"""The waits of this process for other ranks, as the layers see them."""

from __future__ import annotations

import time
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Set, TypeVar

from . import complaints
from .clocks import HostClock

if TYPE_CHECKING:
    from .waiting import OwnWork

T = TypeVar("T")

_clock = time.perf_counter

def complain(problem: object) -> None:
    """One line on stderr, once per process: from here on parts of steps may be unknown."""
    complaints.complain(problem, complaints.WAITS)


class Waits:
    """The waits of this process: the outermost one counts, in the threads of the loop and of its backward."""

    def __init__(self) -> None:
        self.clock: Any = HostClock()
        self.streams_covered = False  # a layer measures what the loop's stream waits for other streams
        self.in_backward = False
        self.compiling: Callable[[], bool] = bool  # whether a compiler of PyTorch traces this code
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
        if not self.clock.on_gpu:  # if a stream waits, the host does not
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


process = Waits()
