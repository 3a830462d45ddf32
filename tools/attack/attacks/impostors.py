"""Users who act as the operator, or as the agent."""

import os
import pathlib
import socket
import subprocess
import time

from attacks.local import attempts
from attacks.port import FORGED, forged_health
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter, run_as


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
    refusals, state = [], world.folder / "state"
    for words in (["clear", "--gpu=5"], ["clear", "--all", "--note=x"], ["maintenance", "--for=10m"], ["release", "--gpus", "--for=10m"],
                  ["test-finding", "--rule=xid_79", "--for=5m", "--gpu=3"]):
        ran = subprocess.run([*world.programs.agent, *words, f"--path.state={state}"], capture_output=True, text=True, timeout=60, check=False,
                             user=NOBODY, group=NOBODY, extra_groups=[], cwd="/")
        held(ran.returncode, f"{words[0]} of an ordinary user ended with 0: {ran.stdout[:200]}")
        done("AccessDenied" in ran.stderr or "no permission to write" in ran.stderr or "not permitted" in ran.stderr, f"{words}: {ran.stderr[:200]}")
        refusals.append(words[0])
    acts = [lambda: list(state.iterdir()), lambda: os.open(state / "operator" / "x.json", os.O_CREAT | os.O_WRONLY), lambda: os.open(state / "events.jsonl", os.O_RDWR),
            lambda: os.rename(state, world.tmp / "state"), lambda: (state / "operator").mkdir(), lambda: os.symlink("/etc", state / "clear")]
    attempt, tried, succeeded = attempts(acts)
    done(run_as(NOBODY, attempt) == 0 and tried.value == len(acts), f"only {tried.value} acts were tried")
    held(not succeeded.value, f"{succeeded.value} of {tried.value} acts on the state directory succeeded")
    time.sleep(6)
    after = agent.health()
    held(after["verdict"] == "failing" and not after["maintenance"] and not after["gpus_released"], f"{after['verdict']}: {after['maintenance']}")
    held(any(one["rule"] == finding["rule"] for one in after["findings"]), f"the finding {finding['rule']} is gone")
    agent.check_same()
    return f"{len(refusals)} commands and {tried.value} acts refused"


@attack("N13", "sockets and links that a user leaves about are not asked", seconds=45)
def planted(world):
    """A user places Unix sockets, links to sockets and a forged `agent.sock` wherever he may write (steps, /tmp, /dev/shm), answers on
    them with a forged verdict, and tries to rename and link his way into /run/lapwing. Held if `lapwing check`, of root and of
    another user, with the agent up and down, is never answered by him."""
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
