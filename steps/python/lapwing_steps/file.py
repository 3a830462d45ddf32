"""One step file: created under a hidden name, mapped, locked, and renamed to its final name."""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import struct
import sys
import time
from dataclasses import dataclass
from typing import Optional, Set, Tuple

from . import layout
from .identity import Identity

DEFAULT_DIRECTORY = "/run/lapwing/steps"
MOST_NAMES = 16  # with the same job, rank and pid: runs of one process, or processes in several containers


@dataclass(frozen=True)
class Process:
    """The writing process: pid, start time in ticks since boot, and inode of the pid namespace."""

    pid: int
    start_ticks: int
    namespace: int

    @staticmethod
    def current() -> "Process":
        return Process(os.getpid(), _start_ticks(), _namespace())


class StepFile:
    """A mapped step file. Raises OSError and ValueError."""

    def __init__(
        self, directory: str, identity: Identity, capacity: int, simulated: bool, process: Process, created_ns: int
    ) -> None:
        _make_directory(directory)
        self.pid = os.getpid()
        self.path = _free_path(directory, identity, process)
        hidden = os.path.join(directory, "." + os.path.basename(self.path) + ".tmp")
        self._fd = _create(hidden)
        _own_paths.add((self.pid, self.path))
        try:
            size = layout.file_size(capacity)
            # Allocate all blocks: on a full tmpfs a store into the mapping would cause SIGBUS.
            os.posix_fallocate(self._fd, 0, size)
            self.map = mmap.mmap(self._fd, size)
            flags = (layout.SIMULATED if simulated else 0) | (layout.LOCKED if _lock(self._fd) else 0)
            self._fill(identity, capacity, flags, process, created_ns)
            os.rename(hidden, self.path)
        except BaseException:
            os.close(self._fd)
            _unlink(hidden)
            _own_paths.discard((self.pid, self.path))
            raise
        status = os.fstat(self._fd)
        self._id = (status.st_dev, status.st_ino)

    def _fill(self, who: Identity, capacity: int, flags: int, process: Process, created_ns: int) -> None:
        pairs = [who.parallel.get(name, (-1, 0)) for name in layout.DIMENSIONS]
        layout.HEADER.pack_into(
            self.map,
            0,
            layout.MAGIC,
            layout.VERSION,
            layout.HEADER_SIZE,
            layout.RECORD_SIZE,
            capacity,
            process.pid,
            flags,
            process.start_ticks,
            process.namespace,
            who.rank,
            who.local_rank,
            who.world_size,
            who.gpu_index,
            *(rank for rank, _ in pairs),
            *(size for _, size in pairs),
            who.model_flops_per_token,
            created_ns,
        )
        struct.pack_into("<2Q", self.map, layout.PHASE, layout.PHASES["starting"], created_ns)
        for name, (offset, size) in layout.TEXTS.items():
            self.map[offset : offset + size] = layout.text(getattr(who, name), size)

    def end(self) -> None:
        """Sets the phase to ended, unlinks and releases the file; does nothing in a forked process."""
        if self.pid != os.getpid():
            return
        struct.pack_into("<Q", self.map, layout.PHASE + 8, wall_ns())
        struct.pack_into("<Q", self.map, layout.PHASE, layout.PHASES["ended"])
        try:
            status = os.stat(self.path, follow_symlinks=False)
            if (status.st_dev, status.st_ino) == self._id:  # it may have been replaced
                os.unlink(self.path)
        except OSError:
            pass
        os.close(self._fd)
        try:
            self.map.close()
        except BufferError:
            pass  # its writer is being collected, and the mapping with it
        _own_paths.discard((self.pid, self.path))


def name_of(identity: Identity, pid: int, number: int) -> str:
    job = re.sub(r"[^A-Za-z0-9_-]", "_", identity.job[:64]) or "local"
    suffix = "" if number == 1 else ".%d" % number
    return "%s.%d.%d%s.steps" % (job, identity.rank, pid, suffix)


def sweep(directory: str) -> None:
    """Removes files of dead processes of this user and pid namespace, so that crashing jobs do not fill the memory.
    Reads a thousand names at most."""
    namespace = _namespace()
    with os.scandir(directory) as entries:
        for entry, _ in zip(entries, range(1000)):
            try:
                if (os.getpid(), entry.path) in _own_paths:
                    continue  # closing any descriptor of the file would drop this process's lock
                if entry.name.endswith(".steps") and entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                    _remove_if_dead(entry.path, namespace)
            except (OSError, ValueError):
                continue


def _remove_if_dead(path: str, namespace: int) -> None:
    owner = _owner(path)
    if owner is None or not namespace or owner.namespace != namespace or owner.pid == os.getpid():
        return
    if not os.path.exists("/proc/%d" % owner.pid) and os.path.exists("/proc/self"):
        os.unlink(path)


def _owner(path: str) -> Optional[Process]:
    """The process that wrote the file; None if it is not a step file."""
    # Non-blocking: it may be a FIFO.
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        head = os.pread(fd, 48, 0)
    finally:
        os.close(fd)
    if len(head) < 48 or head[:8] != layout.MAGIC:
        return None
    pid, _, start, namespace = struct.unpack_from("<2I2Q", head, 24)
    return Process(pid, start, namespace)


# By pid: a child inherits the entries but does not own the files.
_own_paths: Set[Tuple[int, str]] = set()


def _free_path(directory: str, identity: Identity, process: Process) -> str:
    """The first name not in use by this process or by a process with the same pid in another container."""
    path = ""
    for number in range(1, MOST_NAMES + 1):
        path = os.path.join(directory, name_of(identity, process.pid, number))
        if (os.getpid(), path) in _own_paths:
            continue
        try:
            owner = _owner(path)
        except OSError:
            owner = None
        if owner is None or not owner.namespace or owner.namespace == process.namespace:
            break
    return path


def _create(hidden: str) -> int:
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR | os.O_CLOEXEC
    try:
        fd = os.open(hidden, flags, 0o644)
    except FileExistsError:
        os.unlink(hidden)  # left by a dead process with this pid
        fd = os.open(hidden, flags, 0o644)
    os.fchmod(fd, 0o644)  # despite the umask: the agent runs as another user
    return fd


def _lock(fd: int) -> bool:
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0, os.SEEK_SET)
        return True
    except OSError:
        return False


def _make_directory(directory: str) -> None:
    if os.path.isdir(directory):
        return
    os.makedirs(os.path.dirname(directory.rstrip("/")) or "/", exist_ok=True)
    try:
        os.mkdir(directory)
        os.chmod(directory, 0o1777)
    except FileExistsError:
        pass


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _start_ticks() -> int:
    try:
        with open("/proc/self/stat", "rb") as stat:
            return int(stat.read(4096).rpartition(b")")[2].split()[19])  # field 22; the name before may contain any character
    except (OSError, ValueError, IndexError):
        return 0


def _namespace() -> int:
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def wall_ns() -> int:
    return max(0, time.time_ns())


def supported() -> bool:
    """The format is little-endian, and sequence numbers are stored in host order."""
    return sys.byteorder == "little"
