"""Locks and processes of others in a step file."""

import fcntl
import os
import time

from rig.attack import attack
from rig.node import UUID
from rig.outcome import done, held
from rig.process import NOBODY, Counter
from rig.ranks import Honest, place, step_file


@attack("N6", "a lock on the file of a dead loop does not keep it alive", seconds=60)
def lock_of_another(world):
    """An honest loop is killed. Another user holds a read lock on its file and refreshes nothing. Held if the rank leaves the page."""
    agent, locks = world.agent(), Counter()
    honest = Honest(world, job="4720", rank=0, gpu=1)
    done(honest.await_shown(agent), "the honest rank did not appear")
    file = next(world.steps.glob("4720*.steps"))

    def hold():
        opened = os.open(file, os.O_RDONLY)
        while True:
            try:
                fcntl.lockf(opened, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 0)
                locks.add()
                time.sleep(600)
            except OSError:
                time.sleep(0.001)

    world.attacker(hold, NOBODY)
    time.sleep(0.5)
    honest.child.stop()
    until = time.monotonic() + 10
    while time.monotonic() < until and not locks.value:
        time.sleep(0.1)
    done(locks.value == 1, "the other user has no lock")
    until = time.monotonic() + 40
    while honest.shown(agent.page()) is not None:
        held(time.monotonic() < until, "the rank of a dead process is on the page 40 s later, because another user locks its file")
        time.sleep(1)
    agent.check_all()
    return "the rank is gone"


@attack("N7", "a file that names another user's process is not his", seconds=30)
def pid_of_another(world):
    """A user's files name pid 1, the agent and an honest rank's process, with their true start times and the true pid namespace, and he
    holds the files' locks. Held if no rank on the page has one of those processes."""
    agent = world.agent()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")
    made = Counter()

    def forge():
        for number, pid in enumerate((1, agent.pid, honest.child.pid, os.getppid())):
            place(world.steps, f"stolen{number}", step_file("stolen", number, pid=pid, uuid=UUID.format(2)))
            made.add()
        time.sleep(600)

    user = world.attacker(forge, NOBODY)
    until = time.monotonic() + 8
    while time.monotonic() < until:
        shown = [labels for labels, _ in agent.page().find("lapwing_training_info", job_id="stolen") if labels["pid"] != str(user.pid)]
        held(not shown, f"on the page: {shown[:1]}")
        time.sleep(1)
    done(user.alive() and made.value == 4, f"{made.value} files were made")
    honest.check(agent)
    agent.check_all()
    return "4 files, no rank of another's process"
