"""Processes of users: children made by fork, each with a uid of its own, which end with the attack."""

import ctypes
import encodings.ascii  # noqa: F401 (Python loads these when they are first needed, which a user may not be able to)
import encodings.idna  # noqa: F401
import mmap
import os
import signal
import struct
import sys
import time
import traceback

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15

AGENT = 64100
HONEST = 1001
NOBODY = 65534
STRANGERS = (60001, 60002, 60003, 60004)


class Counter:
    """A number that children count and their parent reads. Each process has a place of its own, or they lose counts."""

    _PLACES = struct.Struct("<1024Q")
    _ONE = struct.Struct("<Q")

    def __init__(self):
        self._memory = mmap.mmap(-1, self._PLACES.size)

    def add(self, number=1):
        place = os.getpid() % 1024 * self._ONE.size
        self._ONE.pack_into(self._memory, place, self._ONE.unpack_from(self._memory, place)[0] + number)

    @property
    def value(self):
        return sum(self._PLACES.unpack_from(self._memory))


def become(uid):
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def named(comm):
    """Gives this process a name, of at most 15 bytes."""
    _libc.prctl(_PR_SET_NAME, comm[:15], 0, 0, 0)


def end_with_parent():
    """A change of the uid clears this."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Child:
    """A process that runs a function; as the user, if a uid is given."""

    def __init__(self, function, uid=None):
        sys.stdout.flush()
        sys.stderr.flush()
        self.code = None
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                for number in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, signal.SIG_DFL)
                if uid is not None:
                    become(uid)
                end_with_parent()
                function()
                code = 0
            except Exception:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)

    def alive(self):
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is None

    def wait(self, seconds):
        """Its exit code; negative for a signal, None if it still runs."""
        until = time.monotonic() + seconds
        while self.alive() and time.monotonic() < until:
            time.sleep(0.02)
        return self.code

    def stop(self, number=signal.SIGKILL):
        if self.alive():
            os.kill(self.pid, number)
            if self.wait(5) is None and self.alive():
                os.kill(self.pid, signal.SIGKILL)
                self.wait(5)


def run_as(uid, function, seconds=60):
    """Runs a function as the user, in a process of its own, to its end."""
    child = Child(function, uid)
    code = child.wait(seconds)
    child.stop()
    return code
