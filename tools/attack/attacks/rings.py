"""Ring files of NCCL's collectives, of users who are no part of the job."""

import fcntl
import os
import time

from rig import client, rings
from rig.attack import attack
from rig.outcome import done, held
from rig.process import HONEST, NOBODY, STRANGERS, Counter

_HASH = 0xfeedbeef00000001


def _wait():
    while True:
        time.sleep(60)


def _hang(world):
    """Two ranks of an honest user; the second one does not enter a collective that the first one has been in for 50 s."""
    since = time.time_ns() - 50 * 10**9

    def rank(number, operations):
        def loop():
            rings.place(world.steps, f"train.{number}.{os.getpid()}.ab12cd", [rings.communicator(_HASH, number, {0: operations})], number, b"mine")
            _wait()

        return world.attacker(loop, HONEST)

    return [rank(0, rings.totals(1000, 1000, 999, since)), rank(1, rings.totals(999, 999, 999, since))]


def _named(agent):
    return any(one["rule"] == "nccl_rank_behind" for one in client.patiently(agent.findings))


def _await_named(agent):
    until = time.monotonic() + 45
    while time.monotonic() < until and not _named(agent):
        time.sleep(1)
    done(_named(agent), "the real hang has no finding")


@attack("N28", "a forged rank and 30,000 locks do not end the finding about another user's job", seconds=170)
def hide(world):
    """A job hangs: one of its ranks does not enter a collective, and has its finding. A user takes 30,000 file locks, and one whose process is older than
    the job writes ring files with the job's communicator, as the rank that hangs and as another. Held if the finding stays, and none of his ranks is on the page."""
    write, taken = Counter(), Counter()

    def forge():
        while not write.value:
            time.sleep(0.2)
        for number in (1, 2):
            rings.place(world.steps, f"!{number}", [rings.communicator(_HASH, number, {0: rings.totals(2000, 2000, 2000)}, b"forged")], number)
        _wait()

    def locks():
        files = [os.open(world.tmp / f"locks{number}", os.O_RDWR | os.O_CREAT, 0o600) for number in range(120)]
        for file in files:
            for number in range(250):
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * (250 - number))
                taken.add()
        _wait()

    world.attacker(forge, STRANGERS[0])
    time.sleep(0.5)
    agent = world.agent()
    _hang(world)
    _await_named(agent)
    world.attacker(locks, NOBODY)
    until = time.monotonic() + 60
    while time.monotonic() < until and taken.value < 30_000:
        time.sleep(1)
    done(taken.value == 30_000, f"{taken.value} locks")
    for step in range(20):
        time.sleep(3)
        if step == 10:
            write.add()
        held(_named(agent), f"the finding is gone {'with the forged ranks' if write.value else 'with the locks'}")
        held("forged" not in client.patiently(agent.page).text, "a forged rank is on the page")
    page = agent.page()
    done(page.value("lapwing_nccl_profiler_files_rejected_total", reason="duplicate") >= 1, "the agent has not read the forged files")
    agent.check_all()
    return f"{taken.value} locks, 2 forged ranks"


@attack("N29", "ring files of two users do not hide another's", seconds=70)
def fill(world):
    """Two users place 32 ring files each, of 16 communicators with 9 operations and the longest names, which are 28,000 series; another's job hangs. Held if his finding
    and his series stay."""
    made = Counter()

    def filler(uid):
        def loop():
            for number in range(32):
                rings.place(world.steps, f"!{uid}.{number}", [
                    rings.communicator(uid << 32 | number << 16 | place | 1 << 56, number, {one: rings.totals(9, 9, 9) for one in range(9)}, b"\xf0\x9f\x98\x80" * 16)
                    for place in range(16)], number % 8)
                made.add()
            _wait()

        return loop

    agent = world.agent()
    _hang(world)
    _await_named(agent)
    for number, uid in enumerate(STRANGERS[:2]):
        world.attacker(filler(uid), uid)
        until = time.monotonic() + 20
        while time.monotonic() < until and made.value < 32 * (number + 1):
            time.sleep(0.5)
    done(made.value == 64, f"{made.value} files")
    own, total = [], []
    for _ in range(8):
        time.sleep(3)
        page = client.patiently(agent.page)
        own.append(page.text.count(f'comm="{_HASH:016x}"'))
        total.append(sum(len(series) for name, series in page.series.items() if name.startswith("lapwing_nccl_profiler")))
        held(own[-1] >= 10 and _named(agent), f"{own[-1]} series of the honest job, {total[-1]} of all ring files; the finding {'stays' if _named(agent) else 'is gone'}")
    done(max(total) > 2000, f"only {max(total)} series of ring files")
    agent.check_all()
    return f"{made.value} files, {max(total)} series of ring files, {min(own)} of the honest job"
