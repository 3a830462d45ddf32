"""Where a loop that finishes no step is: the frame of its thread, in the header. Off unless LAPWING_STEPS_STACK is 1."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

from . import layout

if TYPE_CHECKING:
    from .writer import Steps

SWITCH = "LAPWING_STEPS_STACK"
EVERY = 10.0  # seconds
STILL = 30.0  # seconds without a step

_OF_PYTHON = tuple(
    {path + os.sep for name, path in sysconfig.get_paths().items() if name in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_INSTALLED = ("site-packages", "dist-packages")


def watch(steps: "Steps") -> None:
    """From the thread of the loop."""
    if os.environ.get(SWITCH) == "1":
        Frames(steps, threading.get_ident()).start()


class Frames(threading.Thread):
    """Looks every few seconds where the loop is, once it has finished no step for a while.

    A loop within C code that keeps the interpreter's lock stops this thread too; the frame is then that of the last look. It ends
    with the writer's file, and with the process, which does not wait for it.
    """

    def __init__(self, steps: "Steps", thread: int) -> None:
        super().__init__(name="lapwing-frames", daemon=True)
        self._steps = weakref.ref(steps)
        self._thread = thread
        self._map = steps._map
        self._number = -1
        self._since = 0.0
        self._written = ""

    def run(self) -> None:
        while self._looked():
            time.sleep(EVERY)

    def _looked(self) -> bool:
        steps = self._steps()
        if steps is None or steps._map is not self._map:
            return False
        if steps._number != self._number:
            self._number, self._since = steps._number, time.monotonic()
        still = time.monotonic() - self._since >= STILL
        text = innermost(sys._current_frames().get(self._thread)) if still else ""
        try:
            if text != self._written:
                at, size = layout.FRAME
                self._map[at : at + size] = text.encode("utf-8", "replace")[:size].ljust(size, b"\0")
                self._written = text
        except Exception:
            return False  # the writer closes at this moment
        return True


def innermost(frame: Any) -> str:
    """``train.py:88 forward``: the innermost frame of the user's own code, otherwise of any."""
    last = frame
    while frame is not None and _is_installed(frame.f_code.co_filename):
        frame = frame.f_back
    frame = frame or last
    if frame is None:
        return ""
    code = frame.f_code
    return "%s:%d %s" % (os.path.basename(code.co_filename), frame.f_lineno, code.co_name)


def _is_installed(path: str) -> bool:
    return path.startswith("<") or path.startswith(_OF_PYTHON) or any(name in path for name in _INSTALLED)
