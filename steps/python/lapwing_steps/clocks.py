"""Marks in time: on the host, or on the stream of a GPU, where nothing waits for them."""

from __future__ import annotations

import importlib
import time
from typing import Any, List

MOST_FREE = 256  # events kept for use again: to create one costs as much as to record it


class HostClock:
    """Marks of the host's monotonic clock, for tensors in the host's memory."""

    on_gpu = False

    def here(self) -> None:
        """This thread's stream is the one of the loop."""

    def mark(self) -> Any:
        return time.perf_counter()

    def reached(self, mark: Any) -> bool:
        return True

    def seconds(self, first: Any, last: Any) -> float:
        """The time between two marks that are reached. Each is asked once."""
        return float(last - first)


class StreamClock:
    """CUDA events on the stream of the loop. A mark is the time at which the GPU gets there.

    A collective of NCCL makes that stream wait and not the host: between a mark before it and one after it the stream does
    nothing else. Events are read when ``query()`` is true, and nothing synchronises.
    """

    on_gpu = True

    def __init__(self, device: Any) -> None:
        self._cuda: Any = importlib.import_module("torch").cuda
        self._device = device
        self._stream: Any = None
        self._free: List[Any] = []

    def here(self) -> None:
        self._stream = self._cuda.current_stream(self._device)

    def mark(self) -> Any:
        """None on another stream, whose waits may be hidden behind work, and while a graph is captured."""
        stream = self._cuda.current_stream(self._device)
        if stream != self._stream or self._cuda.is_current_stream_capturing():
            return None
        event = self._free.pop() if self._free else self._cuda.Event(enable_timing=True)
        event.record(stream)
        return event

    def reached(self, mark: Any) -> bool:
        return bool(mark.query())

    def seconds(self, first: Any, last: Any) -> float:
        milliseconds = first.elapsed_time(last)
        if len(self._free) < MOST_FREE:
            self._free += (first, last)
        return float(milliseconds) / 1000.0
