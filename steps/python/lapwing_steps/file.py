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
from typing import Set, Tuple

from . import layout
from .complaints import FOLDER, complain
from .identity import Identity

DEFAULT_DIRECTORY = "/run/lapwing/steps"
NAMES_TRIED = 100
ABANDONED = 60.0  # seconds after which a file with a hidden name counts as abandoned


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
        self._directory = directory
        self._name = name_of(identity, process.pid)
        self._fd, hidden = _create(directory, self._name)
        try:
            locked = _lock(self._fd)
            size = layout.file_size(capacity)
            # Allocate all blocks: on a full tmpfs a store into the mapping would cause SIGBUS.
            os.posix_fallocate(self._fd, 0, size)
            self.map = mmap.mmap(self._fd, size)
            flags = (layout.SIMULATED if simulated else 0) | (layout.LOCKED if locked else 0)
            self._fill(identity, capacity, flags, process, created_ns)
            os.fchmod(self._fd, 0o644)  # despite the umask: the agent runs as another user
            self.path = self._publish(hidden)
        except BaseException:
            os.close(self._fd)
            _unlink(hidden)
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

    def _publish(self, hidden: str) -> str:
        """Renames the file to an unpredictable name, so that no other user can have taken it."""
        for left in reversed(range(NAMES_TRIED)):
            path = _random_name(self._directory, self._name, ".steps")
            if os.path.lexists(path) and left:
                continue
            try:
                os.rename(hidden, path)
                return path
            except OSError:
                if not left or not os.path.lexists(path):
                    raise
        raise FileExistsError(self._directory)

    def is_there(self) -> bool:
        """Whether the path still refers to this file."""
        try:
            status = os.stat(self.path, follow_symlinks=False)
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._id

    def end(self) -> None:
        """Sets the phase to ended, unlinks and releases the file; does nothing in a forked process."""
        if self.pid != os.getpid():
            return
        struct.pack_into("<Q", self.map, layout.PHASE + 8, wall_ns())
        struct.pack_into("<Q", self.map, layout.PHASE, layout.PHASES["ended"])
        if self.is_there():  # it may have been replaced
            _unlink(self.path)
        os.close(self._fd)
        try:
            self.map.close()
        except BufferError:
            pass  # garbage collection of the writer and its mapping


def name_of(identity: Identity, pid: int) -> str:
    job = re.sub(r"[^A-Za-z0-9_-]", "_", identity.job[:64]) or "local"
    return "%s.%d.%d" % (job, identity.rank, pid)


def _random_name(directory: str, name: str, suffix: str) -> str:
    """In a folder of all users a name that can be guessed can be taken by another user."""
    return os.path.join(directory, "%s.%s%s" % (name, os.urandom(4).hex(), suffix))


def sweep(directory: str) -> None:
    """Removes files of dead processes of this user, so that crashing jobs do not fill the memory. Reads a thousand names
    at most."""
    held = _held()
    namespace = _namespace()
    with os.scandir(directory) as entries:
        for entry, _ in zip(entries, range(1000)):
            try:
                if entry.name in held:
                    continue  # closing any descriptor of the file would drop this process's lock
                status = entry.stat(follow_symlinks=False)
                if status.st_uid != os.geteuid():
                    continue
                if entry.name.endswith(".steps"):
                    if _is_dead(entry.path, namespace):
                        os.unlink(entry.path)
                elif entry.name.startswith(".") and entry.name.endswith(".tmp"):
                    if time.time() - status.st_ctime > ABANDONED:
                        os.unlink(entry.path)
            except (OSError, ValueError):
                continue


def _held() -> Set[str]:
    """The names of the files that this process has open, through whatever library. Raises OSError without procfs."""
    names = set()
    for fd in os.listdir("/proc/self/fd"):
        try:
            names.add(os.path.basename(os.readlink("/proc/self/fd/" + fd)))
        except OSError:
            continue  # the descriptor of the listing
    return names


def _is_dead(path: str, namespace: int) -> bool:
    """Whether the process that wrote the file is known to be gone: by its lock, which works across containers, or by its pid."""
    # Non-blocking: it may be a FIFO.
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        head = os.pread(fd, 48, 0)
        if len(head) < 48 or head[:8] != layout.MAGIC:
            return False
        pid, flags, start, owner = struct.unpack_from("<2I2Q", head, 24)
        if flags & layout.LOCKED and not _is_free(fd):
            return False
    finally:
        os.close(fd)
    if not owner or not namespace or owner != namespace:
        return bool(flags & layout.LOCKED)
    seen = _start_ticks(str(pid))
    if not seen:
        return not os.path.exists("/proc/%d" % pid)
    return pid == os.getpid() or bool(start and start != seen)  # this process does not have it open


def _is_free(fd: int) -> bool:
    try:
        fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 0, os.SEEK_SET)
        return True
    except OSError:
        return False


def _create(directory: str, name: str) -> Tuple[int, str]:
    """A new file under a hidden name."""
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR | os.O_CLOEXEC
    for left in reversed(range(NAMES_TRIED)):
        hidden = _random_name(directory, "." + name, ".tmp")
        try:
            # Nobody else may open it before it is locked: even a read lock would prevent that.
            fd = os.open(hidden, flags, 0o600)
        except FileExistsError:
            if left:
                continue
            raise
        return fd, hidden
    raise FileExistsError(directory)


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
        complain("made %s, which the agent reads only if it is the host's" % directory, FOLDER)
    except FileExistsError:
        pass


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _start_ticks(process: str = "self") -> int:
    """When the process started; 0 without one."""
    try:
        with open("/proc/%s/stat" % process, "rb") as stat:
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
