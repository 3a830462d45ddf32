"""What a user with a shell can do to any process."""

import os
import pathlib
import signal
import time

from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter, named, run_as
from rig.ranks import Honest


def attempts(acts):
    """A function that tries each act and counts, and the two counters."""
    tried, done_ = Counter(), Counter()

    def attempt():
        for act in acts:
            tried.add()
            try:
                act()
                done_.add()
            except (OSError, StopIteration):
                pass

    return attempt, tried, done_


@attack("N11", "signals, tracing and /proc of the agent are closed to users", seconds=25)
def signals(world):
    """A user sends every signal to the agent, traces it, opens its memory and its files, changes its limits and priority, and creates the
    JVM's attach files. Held if each is refused and the agent runs on."""
    agent = world.agent()
    pid, libc = agent.pid, __import__("ctypes").CDLL(None, use_errno=True)

    def traced():
        if libc.ptrace(16, pid, 0, 0):  # PTRACE_ATTACH
            raise OSError

    def opened(name, flags=os.O_RDONLY):
        return lambda: os.open(f"/proc/{pid}/{name}", flags)

    def attach():
        (world.tmp / f".attach_pid{pid}").write_text("")
        os.kill(pid, signal.SIGQUIT)

    acts = [*((lambda number=number: os.kill(pid, number)) for number in (1, 2, 3, 9, 10, 15, 19, 20)), traced, attach,
            opened("mem", os.O_RDWR), opened("environ"), opened("maps"), opened("fd/0"), opened("oom_score_adj", os.O_WRONLY),
            lambda: os.setpriority(os.PRIO_PROCESS, pid, 19), lambda: os.sched_setaffinity(pid, {0}), lambda: next(pathlib.Path(f"/proc/{pid}/fd").iterdir())]
    attempt, tried, succeeded = attempts(acts)
    done(run_as(NOBODY, attempt) == 0 and tried.value == len(acts), f"only {tried.value} acts were tried")
    held(not succeeded.value, f"{succeeded.value} of {tried.value} acts succeeded")
    time.sleep(2)
    agent.check_all()
    return f"{tried.value} acts refused"


@attack("N14", "a full /tmp stops neither the agent nor a check", seconds=40)
def full_tmp(world):
    """A user fills /tmp, by inodes and by bytes. Held if the agent runs on and starts again, and `lapwing check` says the truth."""
    agent, size = world.agent(), Counter()

    def fill():
        with open(world.tmp / "big", "wb", buffering=0) as big:
            try:
                while True:
                    size.add(big.write(b"x" * 65536))
            except OSError:
                pass
        time.sleep(600)

    world.attacker(fill, NOBODY)
    time.sleep(3)
    done(size.value > 1 << 20 and os.statvfs(world.tmp).f_bavail == 0, f"{size.value} bytes, {os.statvfs(world.tmp).f_bavail} blocks left")
    code, text = agent.check("--brief")
    held(code == 0 and "HEALTHY" in text, f"lapwing check: {code}: {text[:200]}")
    agent.kill()
    agent.await_ready()
    agent.check_all()
    return f"{size.value >> 20} MiB, check: {text[:40]}"


@attack("N15", "processes that come and go by the thousand hang and hide nothing", seconds=40)
def churn(world):
    """A user forks short processes with the names of engines, of kernel threads and of Slurm as fast as he can, and one of them always runs
    on a GPU. Held if no source hangs, the honest rank's steps go on, and pages are served."""
    node = world.own_node()
    agent, forks = world.agent(), Counter()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")

    def fork():
        names = (b"vllm", b"slurmstepd", b"kworker/0:1", b"nvidia-smi", b"python3", b") R 1 1 1\n(")
        until = time.monotonic() + 20
        while time.monotonic() < until:
            children = []
            for _ in range(40):
                pid = os.fork()
                if pid == 0:
                    named(names[forks.value % len(names)])
                    os._exit(0)
                children.append(pid)
                forks.add()
            for pid in children:
                os.waitpid(pid, 0)

    users = [world.attacker(fork, uid) for uid in (NOBODY, 60001)]
    while any(user.alive() for user in users):
        node.set(**{f"gpu__{gpu}__processes": f"{users[0].pid + 1 + gpu}:500" for gpu in range(8)})
        agent.page().check_hardware()
        time.sleep(1)
    done(forks.value > 2000 and all(user.code == 0 for user in users), f"{forks.value} forks")
    honest.check(agent)
    agent.check_all()
    return f"{forks.value} processes"
