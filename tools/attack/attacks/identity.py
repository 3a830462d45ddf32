"""Who a rank, a job or a pod is."""

import os
import time

from rig import client
from rig.attack import attack
from rig.isolation import unified
from rig.node import UUID
from rig.outcome import Failed, NotTried, done, held
from rig.process import HONEST, NOBODY, Counter
from rig.ranks import Honest, lapwing_steps, place, step_file

POD = "kubepods-burstable-pod0f1e2d3c_aaaa_bbbb_cccc_0123456789ab.slice"


def join(world, path, uid=None):
    """Moves this process into a group below the cgroup root that the agent sees; made if it is missing."""
    group = world.group / path
    group.mkdir(parents=True, exist_ok=True)
    (group / "cgroup.procs").write_text(str(os.getpid()))


def needs_groups(world):
    if world.group is None:
        raise NotTried("no cgroup2 hierarchy can be written here" if unified() else "no cgroup2 hierarchy is mounted here")


def in_job(world, number):
    """The cgroup of a job of Slurm, as slurmstepd makes it."""
    return f"system.slice/slurmstepd.scope/job_{number}/step_0/user/task_0"


def as_user(world, path, uid, function):
    """A process that root puts into a group, as systemd and slurmstepd do, before it becomes the user."""

    def start():
        from rig.process import become, end_with_parent

        join(world, path)
        become(uid)
        end_with_parent()
        function()

    return world.attacker(start)


@attack("A6a", "files without a living writer are no ranks", seconds=41)
def dead(world):
    """A user writes 8 ranks of job 4711, of a made-up pid namespace, and exits at once. Held if none is on the page after the next reading."""
    agent, made = world.agent(), Counter()

    def forge():
        for rank in range(8):
            place(world.steps, f"4711.{rank}.1", step_file("4711", rank, namespace=4026599999, start=0, uuid=UUID.format(rank), gpu=rank, world_size=8))
            made.add()

    user = world.attacker(forge, NOBODY)
    done(user.wait(20) == 0 and made.value == 8, "the files were not made")
    # A file is read as soon as it appears; values from before the end of the user's process stay until the next reading.
    time.sleep(6)
    until = time.monotonic() + 12
    while time.monotonic() < until:
        shown = agent.page().find("lapwing_training_steps_total", job_id="4711")
        held(not shown, f"{len(shown)} ranks of job 4711 are on the page, and no process writes them")
        time.sleep(1)
    agent.check_all()
    return "8 files, no rank"


@attack("A6b", "who claims a rank first does not keep its owner off the page", seconds=45)
def first_come(world):
    """A living process of a user claims rank 3 of job 4711, with a lock and a made-up namespace, before the real one starts, which is in
    the cgroup of job 4711. Held if the real one's steps are on the page, and only his is `verified="1"`."""
    needs_groups(world)
    agent = world.agent()

    def claim():
        with lapwing_steps.Steps(job="4711", rank=3, local_rank=3, world_size=8, gpu=3, directory=str(world.steps)) as steps:
            while True:
                steps.record(duration=0.1, tokens=7)
                time.sleep(0.1)

    liar = as_user(world, "user.slice/user-65534.slice/session-2.scope", NOBODY, claim)
    until = time.monotonic() + 15
    while time.monotonic() < until and not agent.page().find("lapwing_training_info", rank="3"):
        time.sleep(0.5)
    done(liar.alive() and list(world.steps.glob("4711.3.*.steps")), "the forger has no file")
    honest = Honest(world, uid=None, prepare=lambda: _into_job(world, 4711))
    try:
        honest.check(agent)
    except Failed as why:
        held(False, str(why))
    info = agent.page().find("lapwing_training_info", job_id="4711", rank="3", pid=str(honest.child.pid))
    held(info, f"the real rank 3 of job 4711 is not on the page: {agent.page().find('lapwing_training_info', rank='3')}")
    held(info[0][0].get("verified") == "1", f"the real rank is not verified: {info[0][0]}")
    others = [labels for labels, _ in agent.page().find("lapwing_training_info", job_id="4711", verified="1") if labels["pid"] == str(liar.pid)]
    held(not others, f"the forger is verified as job 4711: {others}")
    agent.check_all()
    return "the job's own rank is shown and verified"


def _into_job(world, number):
    from rig.process import become, end_with_parent

    join(world, in_job(world, number))
    become(HONEST)
    end_with_parent()


@attack("A6c", "a user cannot make another's job a straggler", seconds=240)
def straggler(world):
    """A user runs 8 processes which write the steps of job 4711 on all GPUs, rank 3 with 2.7 times the compute time, for 3.5 minutes. Held
    if the verdict stays healthy and no finding names that job or a GPU: its cgroup says that it is not his."""
    needs_groups(world)
    agent = world.agent()
    honest = Honest(world, job="4711", rank=20, gpu=7, uid=None, prepare=lambda: _into_job(world, 4711))

    def rank(number):
        def loop():
            with lapwing_steps.Steps(job="4711", rank=number, local_rank=number, world_size=8, gpu=UUID.format(number), directory=str(world.steps)) as steps:
                while True:
                    steps.record(duration=1.0, compute=0.768 if number == 3 else 0.288, tokens=10)
                    time.sleep(1)

        return loop

    users = [as_user(world, "user.slice/user-65534.slice/session-2.scope", NOBODY, rank(number)) for number in range(8)]
    until = time.monotonic() + 210
    while time.monotonic() < until:
        says = agent.health()
        blamed = [one for one in says["findings"] if "training" in one.get("rule", "") and one.get("rule") != "training_stall"]
        held(not blamed, f"a finding about the job of another: {blamed[0].get('rule')}: {str(blamed[0])[:400]}" if blamed else "")
        held(says["verdict"] == "healthy", f"{says['verdict']}: {says['summary'][:200]}")
        time.sleep(3)
    done(all(user.alive() for user in users), "a process of the user has ended")
    honest.check(agent)
    agent.check_all()
    return "8 forged ranks for 3.5 minutes, no finding"


@attack("N21", "the uids of many users do not take the places of a job's ranks", seconds=90)
def places(world):
    """64 users, or one with as many uids, run two ranks each of job 4712, outside of its cgroup, and fill all places before the real rank of
    job 4711 starts in its cgroup. Held if that one comes to the page, verified, and stays for half a minute, and if of the others at most 16 of
    those that are not verified remain."""
    needs_groups(world)
    agent = world.agent()
    first = Honest(world, job="4709", rank=0, gpu=0, uid=None, prepare=lambda: _into_job(world, 4709))
    done(first.await_shown(agent), "the first rank did not appear")  # so that Slurm is seen
    made = Counter()

    def claim(uid):
        def loop():
            for number in range(2):
                place(world.steps, f"many-{uid}-{number}", step_file("4712" if number else f"own-{uid}", uid - 61000, world_size=64))
                made.add()
            while True:
                time.sleep(2)

        return loop

    users = [as_user(world, f"user.slice/user-{uid}.slice/session-3.scope", uid, claim(uid)) for uid in range(61000, 61064)]
    until = time.monotonic() + 30
    while time.monotonic() < until and agent.page().value("lapwing_training_ranks") != 64:
        time.sleep(1)
    done(made.value == 128 and agent.page().value("lapwing_training_ranks") == 64, f"{made.value} files, {agent.page().value('lapwing_training_ranks')} ranks")
    honest = Honest(world, uid=None, prepare=lambda: _into_job(world, 4711))
    try:
        honest.check(agent)
    except Failed as why:
        held(False, str(why))
    until, most = time.monotonic() + 30, 0
    while time.monotonic() < until:
        page = client.patiently(agent.page)
        for rank in (first, honest):
            held(rank.shown(page) is not None, f"the rank of job {rank.job} has left the page")
        most = max(most, len(page.find("lapwing_training_info", verified="0")))
        time.sleep(1)
    done(all(user.alive() for user in users), "a process of the users has ended")
    held(most <= 16, f"{most} ranks that are not verified are on the page")
    honest.check(agent)
    agent.check_all()
    return f"both jobs' ranks stay beside {made.value} others; at most {most} are not verified"


@attack("A10", "a cgroup's name makes no job and no pod", seconds=60)
def groups(world):
    """Users with a delegated cgroup name theirs like Slurm's of job 4713 and like a pod's, and run on GPUs 3 and 4. Held if the page has
    neither; the job 4710, in Slurm's own cgroup on GPU 5, must be there, or nothing is proved."""
    needs_groups(world)
    node = world.own_node()
    own = "user.slice/user-65534.slice/user@65534.service/app.slice"
    liar = as_user(world, f"{own}/slurmstepd.scope/job_4713/step_0/user/task_0", NOBODY, lambda: time.sleep(600))
    pod = as_user(world, f"{own}/kubepods.slice/{POD}/cri-containerd-{'ab' * 32}.scope", NOBODY, lambda: time.sleep(600))
    real = as_user(world, in_job(world, 4710), HONEST, lambda: time.sleep(600))
    node.set(gpu__3__processes=f"{liar.pid}:6000", gpu__4__processes=f"{pod.pid}:6000", gpu__5__processes=f"{real.pid}:6000")
    agent = world.agent()
    until = time.monotonic() + 75
    while time.monotonic() < until and 'job_id="4710"' not in agent.page().text:
        time.sleep(1)
    text = client.get(world.port, "/api/v1/node")[2].decode() + agent.page().text
    done("4710" in text, "the real job 4710 is not on the page either")
    for name in ('"4713"', "0f1e2d3c"):  # quoted: the digits may be part of any number
        lines = [line for line in text.split("\n") if name in line]
        held(not lines, f"the page believes the cgroup's name: {lines[:2]}")
    agent.check_all()
    return "job 4710 is shown, 4713 and the pod are not"
