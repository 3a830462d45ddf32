"""What the header says of checkpoints: which is durable, since when, and since when work would be lost by a stop."""

from __future__ import annotations

import struct
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Optional, Tuple

from . import layout
from .file import wall_ns

if TYPE_CHECKING:
    from .writer import Steps

_WORDS = layout.CHECKPOINT // 8
_WRITTEN = layout.WRITTEN // 8
_STEP = struct.Struct("<3Qd")  # sequence, step, start, duration
_MARKS = 4096

Mark = Tuple[int, int]  # a step, and when it ended, ns since the epoch
Report = Tuple[int, int, int, int]  # step, durable since, unsaved since, source


class Checkpoints:
    """The last durable checkpoint of a writer.

    Thread-safe: asynchronous savers report from their own threads. The loop's thread takes the lock twice a checkpoint; a signal
    handler that saves may interrupt it there, hence re-entrant.
    """

    __slots__ = ("_lock", "_report", "_begun", "_marks", "_started")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._report: Optional[Report] = None
        self._begun: Optional[Mark] = None  # the last step before the newest save began
        self._marks: Deque[Mark] = deque(maxlen=_MARKS)
        self._started = wall_ns()

    def begin(self, steps: "Steps") -> None:
        """A save begins: it has the state after the last step."""
        last = _last_step(steps)
        if last is not None:
            with self._lock:
                self._begun = last
                self._marks.append(last)

    def mark(self, steps: "Steps") -> None:
        """Remembers when the last step ended, for checkpoints that become durable after the ring has wrapped around."""
        last = _last_step(steps)
        with self._lock:
            if last is not None and (not self._marks or self._marks[-1] != last):
                self._marks.append(last)

    def step(self, steps: "Steps") -> Optional[int]:
        """The step that a save of this moment has: that before the last save began, otherwise the last one."""
        mark = self._begun or _last_step(steps)
        return None if mark is None else mark[0]

    def none_yet(self, steps: "Steps") -> None:
        """Says that checkpoints are reported from now on, although none is durable yet."""
        with self._lock:
            if self._report is None:
                self._report = (layout.UNKNOWN_STEP, 0, self._started, 0)
                self._store(steps)

    def durable(self, steps: "Steps", step: Any, source: str, at_ns: Optional[int] = None) -> None:
        """Says that the checkpoint with the state after this step, None if unknown, is durable: now, or since then."""
        number = step if isinstance(step, int) and 0 <= step < layout.LARGEST_COUNT else layout.UNKNOWN_STEP
        with self._lock:
            now = wall_ns()
            at = min(now, max(1, at_ns)) if at_ns is not None else max(1, now)
            if self._report is not None and at < self._report[1]:
                return  # an older one
            unsaved = min(max(self._ended(steps, number, at), self._started), max(at, self._started))
            self._report = (number, at, unsaved, layout.CHECKPOINT_SOURCES[source])
            self._store(steps)

    def _ended(self, steps: "Steps", number: int, at: int) -> int:
        """When the step of a checkpoint of that time ended, or a time before; 0 if unknown."""
        if number == layout.UNKNOWN_STEP:
            return self._begun[1] if self._begun is not None and self._begun[1] <= at else 0
        for mark in _steps_of(steps):
            if mark[0] == number:
                return mark[1]
        before = [mark for mark in self._marks if mark[0] <= number]
        return before[-1][1] if before else 0

    def reopened(self, steps: "Steps") -> None:
        """Repeats the report in the new file of the same loop."""
        with self._lock:
            self._store(steps)

    def _store(self, steps: "Steps") -> None:
        if self._report is None or not steps._live:
            return
        words = steps._words
        sequence = words[_WORDS] | 1
        words[_WORDS] = sequence
        for place, word in enumerate(self._report, _WORDS + 1):
            words[place] = word
        words[_WORDS] = sequence + 1


def _last_step(steps: "Steps") -> Optional[Mark]:
    return next(_steps_of(steps), None)


def _steps_of(steps: "Steps") -> Any:
    """The steps in the ring, newest first."""
    if not steps._live:
        return
    written, capacity = steps._words[_WRITTEN], steps._capacity
    for number in range(written - 1, max(-1, written - 1 - capacity), -1):
        at = layout.HEADER_SIZE + number % capacity * layout.RECORD_SIZE
        sequence, step, start, duration = _STEP.unpack_from(steps._map, at)
        if sequence == 2 * number + 2:
            yield step, start + int(duration * 1e9)
