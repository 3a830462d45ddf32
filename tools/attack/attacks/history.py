"""What others' events do to the history and to trends."""

import os
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import STRANGERS, Counter
from rig.ranks import lapwing_steps, place, release, step_file

LATE = """summary: EFA device 3 appears late and retransmits
set: {efa.3.missing: 1}
steps:
  - at: 85s
    clear: [efa.3.missing]
  - at: 86s
    set: {efa.3.retransmits: 0.02}
"""


@attack("A11", "findings of training do not push a fault out of the history", seconds=130)
def flush(world):
    """A GPU has a real XID 79. Then users' loops, 64 of them, stall for a minute and a half. Held if the XID, its
    finding and the verdict are in the history, and the event log on disk has grown by less than 1 MiB."""
    node = world.own_node()
    agent, loops = world.agent(), Counter()
    node.xid_79(5)
    until = time.monotonic() + 25
    while time.monotonic() < until and agent.health()["verdict"] != "failing":
        time.sleep(0.5)
    done(agent.health()["verdict"] == "failing", "the XID 79 is no finding")
    log = world.folder / "state" / "events.jsonl"
    size = log.stat().st_size

    def stall():
        writers = []
        for number in range(16):
            steps = lapwing_steps.Steps(job=f"s{os.getpid()}-{number}", run="r" * 60, rank=number, gpu=number % 8, directory=str(world.steps))
            for _ in range(12):
                steps.record(duration=0.01, tokens=1)
            writers.append(steps)
            loops.add()
        time.sleep(95)
        for steps in writers:
            steps.close()

    users = [world.attacker(stall, uid) for uid in STRANGERS]
    while any(user.alive() for user in users):
        time.sleep(1)
    done(loops.value == 64 and all(user.code == 0 for user in users), f"{loops.value} loops")
    events = client.document(agent.port, "/api/v1/events?limit=10000")["events"]
    stalls = sum("training" in str(event.get("rule", "")) for event in events)
    found = sum("training" in one["rule"] for one in agent.findings())
    done(stalls + found > 0, "no loop was ever a finding")
    held(any("79" in str(event.get("rule", "")) and event["kind"] == "finding_opened" for event in events), "finding_opened of XID 79 is gone")
    held(any(event["kind"] == "xid" and event.get("number") == 79 for event in events), "the XID 79 is gone")
    grown = log.stat().st_size - size
    held(grown < 1 << 20, f"the event log grew by {grown >> 10} KiB")
    held(agent.health()["verdict"] == "failing", "the verdict is no longer failing")
    agent.check_same()
    return f"{loops.value} loops, {stalls} events of them, log +{grown >> 10} KiB"


@attack("N22", "10,000 killed processes do not push a fault out of a short answer", root=False, seconds=60)
def kills(world):
    """A GPU has a real XID 79. Then the kernel kills 10,000 processes of a user for memory, and logs each. Held if the XID and its finding are in
    the newest 180 events, which is what the web UI asks for, and the verdict is still failing."""
    node = world.own_node()
    agent = world.agent()
    node.xid_79(5)
    until = time.monotonic() + 25
    while time.monotonic() < until and agent.health()["verdict"] != "failing":
        time.sleep(0.5)
    done(agent.health()["verdict"] == "failing", "the XID 79 is no finding")
    for number in range(10_000):
        node.kernel.write(f"Memory cgroup out of memory: Killed process {20000 + number} (p{number}) total-vm:1641384kB, anon-rss:524092kB, file-rss:0kB")
        if number % 100 == 0:
            time.sleep(0.05)
    until, kills = time.monotonic() + 30, []
    while time.monotonic() < until and len(kills) < 40:
        short = client.document(agent.port, "/api/v1/events?limit=180")["events"]
        kills = [event for event in short if event.get("fault") == "oom_kill"]
        time.sleep(0.5)
    done(len(kills) >= 40, f"only {len(kills)} kills are in the answer")
    held(any(event["kind"] == "xid" and event.get("number") == 79 for event in short), "the XID 79 is not in the short answer")
    held(any(event["kind"] == "finding_opened" and event["rule"] == "xid_79" for event in short), "its finding is not in the short answer")
    held(agent.health()["verdict"] == "failing", "the verdict is no longer failing")
    agent.check_same()
    return f"{len(kills)} kills and the XID in {len(short)} events"


@attack("A13", "ranks that come and go do not keep a device's trend out", seconds=300)
def trends(world):
    """Users' ranks with new names fill what can be filled for a minute and a half, about 2,000 of them, and more after
    it. Then an EFA device appears and retransmits. Held if its finding opens, which takes three minutes of its counters."""
    scenario = world.folder / "late.yaml"
    scenario.write_text(LATE)
    world.own_node(scenario)
    agent, made = world.agent(), Counter()

    def jobs():
        until, names = time.monotonic() + 300, []
        while time.monotonic() < until:
            fresh = [f"t{os.getpid()}-{made.value}-{number}" for number in range(16)]
            for number, name in enumerate(fresh):
                place(world.steps, name, step_file(name, number))
                made.add()
            for name in names:
                os.unlink(world.steps / f"{name}.steps")
                release(name)
            names = fresh
            time.sleep(2.5)

    for uid in STRANGERS:
        world.attacker(jobs, uid)
    until, found, shown = time.monotonic() + 310, [], set()
    while time.monotonic() < until and not found:
        shown |= {labels["job_id"] for labels, _ in client.patiently(agent.page).series.get("lapwing_training_info", [])}
        found = [one for one in agent.findings() if one["rule"] == "efa_retransmits"]
        agent.check_same()
        time.sleep(1)
    done(made.value >= 2000 and len(shown) > 300, f"only {made.value} ranks, {len(shown)} of them on the page")
    done(len(agent.page().find("lapwing_efa_up")) == 32 or found, "the device did not appear")
    held(found, f"no finding of the device that retransmits, after {made.value} ranks, {len(shown)} of them on the page: {[one['rule'] for one in agent.findings()]}")
    return f"{made.value} ranks, {len(shown)} of them on the page; {found[0]['rule']}"
