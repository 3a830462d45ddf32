"""Which checkpoint in a folder is complete, by the file that a framework writes last.

Megatron-LM writes the iteration into latest_checkpointed_iteration.txt, as veRL does; DeepSpeed the tag into latest; PyTorch's
distributed checkpoint renames .metadata into the checkpoint's own folder. Each does so after all ranks have saved, but for
old versions of DeepSpeed, which did not wait for the other ranks.
"""

from __future__ import annotations

import heapq
import os
import re
import stat
import threading
import time
import weakref
from typing import TYPE_CHECKING, Iterator, NamedTuple, Optional, Tuple

if TYPE_CHECKING:
    from .writer import Steps

EVERY = 5.0  # seconds
_SHORTEST = 0.1
_LONGEST_TEXT = 256
_MOST_ENTRIES = 10_000
_MOST_FOLDERS = 32  # whose .metadata is read; those that changed last
_NUMBER = re.compile(r"(?:^|[-_=.a-zA-Z])([0-9]{1,15})(?:\.ckpt)?$")


class Found(NamedTuple):
    """A complete checkpoint: its source, its step if known, and since when, ns since the epoch."""

    source: str
    step: Optional[int]
    at_ns: int


def newest(folder: str) -> Optional[Found]:
    """The newest complete checkpoint in the folder. May hang as long as its file system does; raises nothing."""
    trackers = [found for found in (megatron(folder), deepspeed(folder)) if found is not None]
    return max(trackers, key=lambda found: found.at_ns) if trackers else dcp(folder)


def megatron(folder: str) -> Optional[Found]:
    read = _text(os.path.join(folder, "latest_checkpointed_iteration.txt"))
    if read is None:
        return None
    text, at = read
    if text == "release":  # converted weights, not a checkpoint of this run
        return None
    return Found("megatron", int(text), at) if re.fullmatch("[0-9]{1,15}", text) else None


def deepspeed(folder: str) -> Optional[Found]:
    read = _text(os.path.join(folder, "latest"))
    if read is None or not read[0]:
        return None
    return Found("deepspeed", _step(read[0]), read[1])


def dcp(folder: str) -> Optional[Found]:
    """The folder may be the checkpoint, or that of numbered checkpoints such as step-1000.

    After a rollback those of the discarded steps have higher numbers, so that the time counts and the number decides ties.
    """
    at = _modified(os.path.join(folder, ".metadata"))
    if at is not None:
        return Found("dcp", _step(os.path.basename(os.path.normpath(folder))), at)
    best: Optional[Tuple[int, int]] = None
    for _, step, name in heapq.nlargest(_MOST_FOLDERS, _numbered(folder)):
        at = _modified(os.path.join(folder, name, ".metadata"))
        if at is not None and (best is None or (at, step) > best):
            best = (at, step)
    return None if best is None else Found("dcp", best[1], best[0])


def _numbered(folder: str) -> Iterator[Tuple[int, int, str]]:
    """When a folder got or lost a file, which renaming .metadata does, its number and its name."""
    try:
        with os.scandir(folder) as entries:
            for entry, _ in zip(entries, range(_MOST_ENTRIES)):
                step = _step(entry.name)
                at = None if step is None else _changed(entry)
                if step is not None and at is not None:
                    yield at, step, entry.name
    except (OSError, ValueError):
        return


def _changed(entry: "os.DirEntry[str]") -> Optional[int]:
    """Of a folder; files cost no look at their attributes."""
    try:
        return entry.stat().st_mtime_ns if entry.is_dir() else None
    except (OSError, ValueError):
        return None


def _step(name: str) -> Optional[int]:
    number = _NUMBER.search(name)
    return None if number is None else int(number.group(1))


def _modified(path: str) -> Optional[int]:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns if stat.S_ISREG(status.st_mode) else None


def _text(path: str) -> Optional[Tuple[str, int]]:
    """The content of a small file, and when it was written."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # it may be a FIFO
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        return os.read(fd, _LONGEST_TEXT).decode("utf-8", "replace").strip(), status.st_mtime_ns
    except (OSError, ValueError):
        return None
    finally:
        os.close(fd)


class Watcher(threading.Thread):
    """Looks for a new checkpoint every few seconds. A thread of its own: a file system that hangs delays only this.

    It ends with the writer, and with the process, which does not wait for it.
    """

    def __init__(self, steps: "Steps", folder: str, every: float) -> None:
        super().__init__(name="lapwing-checkpoints", daemon=True)
        self._steps = weakref.ref(steps)
        self._folder = os.path.abspath(folder)
        self._every = max(_SHORTEST, every)

    def run(self) -> None:
        seen: Optional[Found] = None
        while self._is_wanted():
            found = newest(self._folder)
            if found is not None and found != seen:
                seen = found
                self._report(found)
            time.sleep(self._every)

    def _is_wanted(self) -> bool:
        steps = self._steps()
        if steps is None or steps.closed:
            return False
        try:
            steps._checkpoints.mark(steps)
        except Exception:
            pass  # the writer closes at this moment
        return True

    def _report(self, found: Found) -> None:
        steps = self._steps()
        if steps is not None:
            try:
                steps._checkpoints.durable(steps, found.step, found.source, found.at_ns)
            except Exception:
                pass  # the writer closes at this moment
