"""Step files: too many, too many names, and those of others."""

import os
import time

from rig import client
from rig.attack import attack
from rig.outcome import NotHeld, done, held
from rig.process import NOBODY, STRANGERS, Counter
from rig.ranks import Honest, place, release, step_file


@attack("A1", "ranks that come and go leave nothing in the heap", seconds=110)
def churn(world):
    """Users run one short job after the other: 64 ranks, each under a new job name every 3 s, about 1,500 in all. Held if
    the heap after the last does not exceed the heap after the first hundreds by what 1,000 ranks would pin."""
    agent, made = world.agent(), Counter()

    def jobs():
        names = []
        for generation in range(24):
            for number in range(16):
                place(world.steps, f"j{os.getpid()}-{generation}-{number}", step_file(f"job-{os.getpid()}-{generation}", number))
                made.add()
            for name in names:
                os.unlink(world.steps / f"{name}.steps")
                release(name)
            names = [f"j{os.getpid()}-{generation}-{number}" for number in range(16)]
            time.sleep(3)

    users = [world.attacker(jobs, uid) for uid in STRANGERS]
    heaps, jobs_seen = [], set()
    while any(user.alive() for user in users):
        page = client.patiently(agent.page)
        heaps.append(page.value("jvm_memory_used_bytes", area="heap"))
        jobs_seen |= {labels["job_id"] for labels, _ in page.series.get("lapwing_training_info", [])}
        agent.check_same()
        time.sleep(0.5)
    third = len(heaps) // 3
    early, late = min(heaps[third // 2:third]), min(heaps[-third:])
    done(made.value >= 1000 and len(jobs_seen) >= 40, f"{made.value} step files were made, {len(jobs_seen)} jobs were on the page")
    agent.check_all()
    held(late - early < 6e6, f"the heap grew from {early / 1e6:.1f} to {late / 1e6:.1f} MB with {made.value} ranks, {len(jobs_seen)} jobs on the page")
    return f"{made.value} ranks, {len(jobs_seen)} jobs seen, heap {early / 1e6:.1f} -> {late / 1e6:.1f} MB"


@attack("A2", "256 step files with the longest labels do not end the agent", seconds=60)
def longest(world):
    """Four users place 256 valid step files whose labels are as long as the format permits and double in size when
    escaped, refresh them, and fetch both formats without a pause. Held if the same process serves the hardware and an honest
    rank, and the page stays below the shipped sample limit."""
    agent = world.agent()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")
    pages, files = Counter(), Counter()

    def flood(uid):
        def forge(number):
            text = f"{uid}-{number}-".encode().ljust(128, b'"')
            place(world.steps, f"f{uid}-{number}", step_file(text, number, run=text[::-1], uuid=b"GPU-" + b'\\' * 92, framework=b'"' * 32, gpu=number % 8))
            files.add()

        def loop():
            while True:
                for number in range(64):
                    forge(number)
                    if number % 16 == 0:
                        for openmetrics in (False, True):
                            try:
                                client.page(world.port, openmetrics)
                                pages.add()
                            except NotHeld:
                                raise
                            except Exception:  # refused: the agent may limit us
                                time.sleep(0.1)

        return loop

    for uid in STRANGERS:
        world.attacker(flood(uid), uid)
    until, most, shown = time.monotonic() + 45, 0, 0
    while time.monotonic() < until:
        for openmetrics in (False, True):
            page = client.patiently(lambda: agent.page(openmetrics))
            most = max(most, page.count())
            shown = max(shown, len(page.series.get("lapwing_training_info", [])))
        agent.check_same()
        time.sleep(1)
    done(files.value >= 256 and pages.value > 10 and shown > 10, f"{files.value} files were placed, {pages.value} pages fetched, {shown} ranks shown")
    agent.check_all()
    honest.check(agent)
    held(most < 20_000, f"the page had {most} series")
    return f"{files.value} files, {pages.value} pages fetched, at most {shown} ranks and {most} series"


@attack("A5", "12,001 empty files do not take a running rank off the page", seconds=30)
def crowd(world):
    """A user creates empty files until 12,001 or the folder's limit. Held if the honest rank stays on the page."""
    agent = world.agent()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")
    made = Counter()

    def fill():
        for number in range(12_001):
            try:
                os.close(os.open(world.steps / f"k{number}", os.O_CREAT | os.O_WRONLY, 0o644))
            except OSError:
                break
            made.add()
        time.sleep(600)

    world.attacker(fill, NOBODY)
    time.sleep(14)
    done(made.value > 400, f"only {made.value} files were made")
    held(honest.shown(agent.page()) is not None, f"after {made.value} files the honest rank is not on the page")
    honest.check(agent)
    agent.check_all()
    return f"{made.value} files"
