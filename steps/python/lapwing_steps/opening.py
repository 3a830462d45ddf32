"""The file of a writer: made when the loop begins, made again where it is gone, ended with the writer."""

from __future__ import annotations

import math
import os
import threading
import warnings
import weakref
from typing import Any, Dict, Optional, Type, TypeVar

from . import layout
from .complaints import complain
from .file import DEFAULT_DIRECTORY, Process, StepFile, supported, sweep, wall_ns
from .identity import identify

W = TypeVar("W", bound="Opening")
RETRY = 60.0  # seconds

_open_writers: "weakref.WeakSet[Opening]" = weakref.WeakSet()
_one_at_a_time = threading.RLock()  # else a sweep could remove a file that another thread has just created


class Opening:
    """The part of ``Steps`` that has the file."""

    __slots__ = (
        "__weakref__",
        "_given",
        "_directory",
        "_capacity",
        "_simulated",
        "_process",
        "_live",
        "_closed",
        "_check_at",
        "_file",
        "_end",
        "_words",
        "_map",
    )

    def __init__(
        self, given: Dict[str, Any], directory: Optional[str], capacity: int, simulated: bool, process: Optional[Process]
    ) -> None:
        self._given = given
        self._directory = directory
        self._capacity = _capacity(capacity)
        self._simulated = simulated
        self._process = process
        self._live = False  # the file is open and belongs to this process
        self._closed = False
        self._check_at = -math.inf  # when to check whether the file can be created, or still exists
        self._file: Optional[StepFile] = None
        self._end: Any = None  # ends the file when nothing refers to this writer any more
        self._words: Any = None
        self._map: Any = None

    def _new_file(self, now: float) -> None:
        """The file is open, and has nothing in it yet."""
        raise NotImplementedError

    def close(self) -> None:
        """Sets the phase to ended and removes the file. Does nothing if repeated or in a forked process."""
        try:
            self._closed = True
            self._release()
        except Exception as problem:
            complain(problem)

    def __enter__(self: W) -> W:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether this process records nothing more with it: after `close`, and in a process forked while it was open."""
        return self._closed

    @property
    def path(self) -> Optional[str]:
        """The path of the open file."""
        return None if self._file is None else self._file.path

    def _opened(self, now: float) -> bool:
        if self._closed or now < self._check_at:
            return False
        self._check_at = now + RETRY
        directory = self._directory
        if directory is None:
            directory = os.environ.get("LAPWING_STEPS_DIR", DEFAULT_DIRECTORY)
        if not directory or not supported():
            self._closed = True
            return False
        with _one_at_a_time:
            return self._open(directory, now)

    def _open(self, directory: str, now: float) -> bool:
        try:
            directory = os.path.abspath(directory)  # the working directory may change
            process = self._process or Process.current()
            who = identify(**self._given)
            self._file = StepFile(directory, who, self._capacity, self._simulated, process, wall_ns())
        except Exception as problem:
            complain(problem)
            return False
        self._map = self._file.map
        self._words = memoryview(self._map).cast("Q")
        self._live = True
        self._new_file(now)
        self._end = weakref.finalize(self, _end, self._file)
        _open_writers.add(self)
        try:
            sweep(directory)
        except Exception:
            pass  # best effort
        return True

    def _still_there(self, now: float) -> bool:
        """Whether the file is where it was, looked up once a minute. If it was removed, starts another."""
        self._check_at = now + RETRY
        if self._file is not None and self._file.is_there():
            return True
        self._release()
        self._file = None
        self._check_at = -math.inf
        return self._opened(now)

    def _release(self) -> None:
        if self._live:
            self._live = False
            self._words.release()
            self._map = self._words = None
            self._end()

    def __copy__(self: W) -> W:
        return self

    def __deepcopy__(self: W, _: object) -> W:
        return self

    def __reduce__(self) -> Any:
        """A process that unpickles it opens a file of its own."""
        arguments = {"directory": self._directory, "capacity": self._capacity, "simulated": self._simulated}
        return _with, (type(self), {**self._given, **arguments})


def _with(kind: Type[W], arguments: Dict[str, Any]) -> W:
    return kind(**arguments)


def _capacity(wanted: int) -> int:
    try:
        capacity = min(max(int(wanted), layout.SMALLEST_CAPACITY), layout.LARGEST_CAPACITY)
    except Exception:
        capacity = layout.DEFAULT_CAPACITY
    if capacity != wanted:
        try:
            warnings.warn("lapwing_steps: capacity %r is not 2 to 16384; it is %d" % (wanted, capacity), stacklevel=3)
        except Warning:
            pass  # also if warnings are errors
    return capacity


def _end(file: StepFile) -> None:
    try:
        file.end()
    except Exception as problem:
        complain(problem)


def _forked() -> None:
    global _one_at_a_time
    _one_at_a_time = threading.RLock()  # a thread that the child does not have may hold it
    for writer in list(_open_writers):
        writer._live = False
        writer._closed = True


os.register_at_fork(after_in_child=_forked)  # avoids the system call os.getpid() at each record

