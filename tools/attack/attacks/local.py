"""What a user with a shell can do beside the agent."""

import os
import pathlib
import signal
import socket
import subprocess
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


@attack("N12", "an ordinary user cannot clear, maintain or release", seconds=60)
def operator(world):
    """A user runs `lapwing clear`, `maintenance`, `release` and `test-finding`, and writes request files himself. Held if each fails
    and the agent's state does not change, nor its history."""
    node = world.own_node()
    agent = world.agent()
    node.xid_79(5)
    until = time.monotonic() + 25
    while time.monotonic() < until and agent.health()["verdict"] != "failing":
        time.sleep(0.5)
    before = agent.health()
    done(before["verdict"] == "failing", f"the real XID 79 gives {before['verdict']}")
    finding = before["findings"][0]
    codes = []
    state = world.folder / "state"
    for words in (["clear", "--gpu", "5", "--xid", "79"], ["clear", finding["rule"]], ["maintenance", "--for", "10m", "--reason", "x"],
                  ["release", "--gpus", "--for", "10m"], ["test-finding", "--action", "replace_node"]):
        ran = subprocess.run([*world.programs.agent, *words, f"--path.state={state}"], capture_output=True, text=True, timeout=60, check=False,
                             user=NOBODY, group=NOBODY, extra_groups=[], cwd="/")
        codes.append(ran.returncode)
    acts = [lambda: list(state.iterdir()), lambda: os.open(state / "requests", os.O_CREAT | os.O_WRONLY), lambda: os.open(state / "events.jsonl", os.O_RDWR),
            lambda: os.rename(state, world.tmp / "state"), lambda: (state / "commands").mkdir(), lambda: os.symlink("/etc", state / "clear")]
    attempt, tried, succeeded = attempts(acts)
    done(run_as(NOBODY, attempt) == 0 and tried.value == len(acts), f"only {tried.value} acts were tried")
    held(all(codes), f"a command of an ordinary user ended with 0: {codes}")
    held(not succeeded.value, f"{succeeded.value} of {tried.value} acts on the state directory succeeded")
    time.sleep(6)
    after = agent.health()
    held(after["verdict"] == "failing" and not after["maintenance"] and not after["gpus_released"], f"{after['verdict']}: {after['maintenance']}")
    held(any(one["rule"] == finding["rule"] for one in after["findings"]), f"the finding {finding['rule']} is gone")
    agent.check_same()
    return f"exit codes {codes}, {tried.value} acts refused"


@attack("N13", "sockets and links that a user leaves about are not asked", seconds=45)
def planted(world):
    """A user places Unix sockets, links to sockets and a forged `agent.sock` wherever he may write (steps, /tmp, /dev/shm), answers on
    them with a forged verdict, and tries to rename and link his way into /run/lapwing. Held if `lapwing check`, of root and of
    another user, with the agent up and down, is never answered by him."""
    from attacks.port import FORGED, forged_health

    agent, answers = world.agent(), Counter()
    forged = forged_health(agent.health())
    shared = pathlib.Path("/dev/shm") / f"lapwing-attack-{os.getpid()}"
    shared.mkdir()
    shared.chmod(0o1777)
    placed, moved = Counter(), Counter()

    def serve():
        listeners = []
        for folder in (world.steps, world.tmp, shared):
            for name in ("agent.sock", "lapwing.sock", f".java_pid{agent.pid}"):
                try:
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(str(folder / name))
                    listener.listen(8)
                    listener.setblocking(False)
                    listeners.append(listener)
                    placed.add()
                except OSError:
                    pass
        for target in (world.lapwing / "agent" / "agent.sock", world.lapwing / "agent.sock", world.run / "agent.sock", world.lapwing / "agent"):
            for act in (os.rename, os.symlink, os.link):
                try:
                    act(world.tmp / "agent.sock", target)
                    moved.add()
                except OSError:
                    pass
        while True:
            for listener in listeners:
                try:
                    connection, _ = listener.accept()
                    with connection:
                        connection.sendall(forged)
                    answers.add()
                except OSError:
                    pass
            time.sleep(0.005)

    user = world.attacker(serve, NOBODY)
    time.sleep(1)
    done(user.alive() and placed.value >= 6, f"only {placed.value} sockets were placed")
    try:
        for uid in (None, 1001):
            for up in (True, False):
                if not up:
                    agent.kill()
                code, text = agent.check("--brief", uid=uid)
                held(FORGED not in text, f"lapwing check: {code}: {text[:200]}")
        held(not moved.value, f"{moved.value} names below /run were made or replaced")
        held(not answers.value, f"{answers.value} requests went to sockets of the user")
    finally:
        user.stop()
        subprocess.run(["rm", "-rf", str(shared)], check=True)
    agent.await_ready()
    agent.check_all()
    return f"{placed.value} sockets, none asked"


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
