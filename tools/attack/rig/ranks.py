"""Honest training loops, and forged step files."""

import fcntl
import os
import struct
import sys
import time

from . import client
from .outcome import held
from .process import HONEST, Counter
from .unit import ROOT

sys.path.insert(0, str(ROOT / "steps" / "python"))
import lapwing_steps  # noqa: E402 (before a user who cannot read the folder needs it)
import lapwing_steps.writer  # noqa: E402, F401
from lapwing_steps import layout  # noqa: E402


class Honest:
    """A training loop of an ordinary user that uses the shipped writer."""

    def __init__(self, world, job="4711", rank=3, gpu=3, uid=HONEST, prepare=None):
        self.job, self.rank = job, str(rank)
        self.steps = Counter()
        self.world = world

        def loop():
            if prepare:
                prepare()
            with lapwing_steps.Steps(job=job, rank=rank, local_rank=rank, world_size=64, gpu=gpu, directory=str(world.steps)) as steps:
                while True:
                    with steps.step(tokens=1000), steps.compute():
                        time.sleep(0.2)
                    self.steps.add()

        self.child = world.attacker(loop, uid)

    def shown(self, page):
        """Its steps as the page has them; None if they are not there."""
        return page.value("lapwing_training_steps_total", job_id=self.job, rank=self.rank)

    def await_shown(self, agent, seconds=20):
        """Until the page has it."""
        until = time.monotonic() + seconds
        while self.shown(client.patiently(agent.page)) is None:
            if time.monotonic() > until:
                return False
            time.sleep(0.3)
        return True

    def check(self, agent):
        """It is on the page, and its steps go on there."""
        held(self.child.alive(), "the honest loop has ended")
        held(self.await_shown(agent), f"the honest rank {self.rank} of job {self.job} is not on the page")
        before, until = self.shown(client.patiently(agent.page)), time.monotonic() + 20
        while (self.shown(client.patiently(agent.page)) or 0) <= (before or 0):
            held(time.monotonic() < until, f"the steps of the honest rank {self.rank} of job {self.job} stand still at {before}")
            time.sleep(0.5)


def started(pid):
    """When a process started, in ticks since the boot."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[19])


def step_file(job="evil", rank=0, pid=None, namespace=None, start=None, run="", gpu=0, uuid=b"", phase="training",
              capacity=2, locked=True, step=1.0, records=2, world_size=0, framework=b"", compute=0.5):
    """The bytes of a step file that is made by hand; by default of this process."""
    now = time.time_ns()
    pid = pid or os.getpid()
    flags = layout.LOCKED if locked else 0
    namespace = namespace or os.stat("/proc/self/ns/pid").st_ino
    start = started(pid) if start is None else start
    head = bytearray(layout.HEADER_SIZE)
    layout.HEADER.pack_into(head, 0, layout.MAGIC, 1, layout.HEADER_SIZE, layout.RECORD_SIZE, capacity, pid, flags,
                            start, namespace, rank, rank, world_size, gpu, *[-1] * 5, *[0] * 5, float("nan"), now)
    struct.pack_into("<QQQ", head, layout.WRITTEN, records, layout.PHASES[phase], now)
    for name, value in {"job": job, "run": run, "gpu_uuid": uuid, "framework": framework}.items():
        offset, size = layout.TEXTS[name]
        data = value if isinstance(value, bytes) else value.encode()
        head[offset:offset + size] = data[:size].ljust(size, b"\0")
    body = b"".join(record(number, now, step, compute) for number in range(records)) if records <= capacity else b""
    return bytes(head) + body.ljust(capacity * layout.RECORD_SIZE, b"\0")


def record(number, now, step=1.0, compute=0.5):
    """Step record `number`, complete."""
    done = 2 * number + 2
    count = number + 1
    nan = float("nan")
    return struct.pack("<Q", done) + layout.BODY.pack(
        number, now, step, 10, 1, 1.0, nan, nan, 0.1, compute, 0.1, nan, count, 10 * count, count, step * count,
        0.1 * count, compute * count, 0.1 * count, nan, done).ljust(layout.RECORD_SIZE - 8, b"\0")


_locked = {}


def place(folder, name, data, lock=True):
    """Puts a step file in place with one rename, and keeps its lock, as a writer does."""
    new = folder / f".{name}.tmp"
    file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(file, data)
    if lock:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
    os.rename(new, folder / f"{name}.steps")
    release(name)
    _locked[name] = file


def release(name):
    """Closes a step file of this process, which ends its lock."""
    if name in _locked:
        os.close(_locked.pop(name))
