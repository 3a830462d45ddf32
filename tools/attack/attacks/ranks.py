"""Step files: too many, too many names, and those of others."""

import os
import time

from rig import client
from rig.attack import attack
from rig.outcome import NotHeld, done, held
from rig.process import NOBODY, STRANGERS, Counter
from rig.ranks import Honest, place, release, step_file


@attack("A1", "5,000 jobs that come and go leave nothing in the heap", seconds=300)
def churn(world):
    """Users run short jobs one after the other: 64 at a time, all new every 3 s, 5,120 in all, each with a name of its own. Held
    if the heap after the last job does not exceed the heap after the first hundreds by more than a sixth of what the others would pin."""
    agent, made = world.agent(), Counter()

    def jobs():
        names = []
        for generation in range(80):
            own = [f"j{os.getpid()}-{generation}-{number}" for number in range(16)]
            for name in own:
                place(world.steps, name, step_file(f"job-{name}", 0))
                made.add()
            for name in names:
                os.unlink(world.steps / f"{name}.steps")
                release(name)
            names = own
            time.sleep(3)

    users = [world.attacker(jobs, uid) for uid in STRANGERS]
    heaps, seen = [], set()
    while any(user.alive() for user in users):
        page = client.patiently(agent.page)
        seen |= {labels["job_id"] for labels, _ in page.series.get("lapwing_training_info", [])}
        heaps.append((len(seen), page.value("jvm_memory_used_bytes", area="heap")))
        agent.check_same()
        time.sleep(0.5)
    early = min(heap for jobs, heap in heaps if 50 <= jobs <= 800)
    late = min(heap for _, heap in heaps[-len(heaps) // 6:])
    done(made.value >= 5000 and len(seen) >= 4000, f"{made.value} step files were made, {len(seen)} jobs were on the page")
    agent.check_all()
    held(late - early < 8e6, f"the heap grew from {early / 1e6:.1f} to {late / 1e6:.1f} MB with {len(seen)} jobs on the page")
    return f"{len(seen)} jobs on the page, heap {early / 1e6:.1f} MB after 50 to 800 of them, {late / 1e6:.1f} MB at the end"


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
