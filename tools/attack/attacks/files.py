"""Step files that are none, or that say what they should not."""

import os
import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter, run_as
from rig.ranks import Honest, layout, place, step_file

BREAKERS = {
    "newline": b'a"} 1\n# HELP up forged\nlapwing_node_verdict{verdict="failing"} 1\n',
    "return": b'a"\r\nDCGM_FI_DEV_GPU_TEMP{gpu="0"} 999\r\n',
    "slash": b"\\" * 127,
    "quotes": b'"' * 127,
    "utf8": b"\xff\xfe\xc3\x28\xf0\x9f\x98",
    "surrogate": b"\xed\xa0\x80\xed\xbf\xbf",
    "bidi": "a\u202e\u2066\u2028\u2029\u0085\ufeffb".encode(),
    "controls": bytes(range(1, 32)),
    "full": b"x" * 128,
    "html": b"<script>fetch('/x')</script>",
}


@attack("N1", "links, sparse files, folders and sockets named as step files are not read", seconds=30)
def odd_files(world):
    """A user creates a link to /etc/shadow, a hard link to another's file, a sparse file of 1 TiB, a short one, one of 3 MiB, a
    folder, a FIFO and a socket, all named *.steps. Held if all are rejected and nothing else changes."""
    agent = world.agent()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")
    before = sum(value for _, value in agent.page().series.get("lapwing_training_files_rejected_total", []))
    made = Counter()

    def make():
        def steps(name):
            return world.steps / f"{name}.steps"

        whole = step_file("odd", 1)
        os.symlink("/etc/shadow", steps("link"))
        os.symlink(next(world.steps.glob("4711*.steps")), steps("alias"))
        os.truncate(os.open(steps("sparse"), os.O_CREAT | os.O_WRONLY, 0o644), 1 << 40)
        steps("short").write_bytes(whole[:1100])
        steps("long").write_bytes(whole + b"\0" * (3 << 20))
        steps("magic").write_bytes(b"LAPWSTEQ" + whole[8:])
        steps("folder").mkdir()
        os.mkfifo(steps("fifo"))
        socket.socket(socket.AF_UNIX).bind(str(steps("socket")))
        made.add(9)
        try:
            os.link(next(world.steps.glob("4711*.steps")), steps("hard"))
            made.add()
        except PermissionError:
            pass  # fs.protected_hardlinks
        time.sleep(600)

    user = world.attacker(make, NOBODY)
    time.sleep(8)
    done(user.alive() and made.value >= 9, f"only {made.value} files were made")
    page = agent.page()
    rejected = sum(value for _, value in page.series.get("lapwing_training_files_rejected_total", [])) - before
    held(rejected >= 9, f"only {rejected:.0f} of {made.value} files were rejected")
    held(not page.find("lapwing_training_info", job_id="odd"), "one of the files is on the page as a rank")
    honest.check(agent)
    agent.check_all()
    return f"{made.value} files, {rejected:.0f} rejections"


@attack("N2", "labels of step files cannot forge lines of the page", seconds=30)
def labels(world):
    """A user's step files have line ends, quotes, `# HELP` lines, invalid UTF-8, direction marks and markup as job, run, framework
    and GPU. Held if a strict reader accepts both pages and the API, and no line of his is on them."""
    agent = world.agent()

    def forge():
        for number, (name, text) in enumerate(BREAKERS.items()):
            place(world.steps, f"b{name}", step_file(text, number, run=text, uuid=text, framework=text))
        time.sleep(600)

    before = agent.page().value("lapwing_training_ranks") or 0
    user = world.attacker(forge, NOBODY)
    time.sleep(8)
    done(user.alive() and len(list(world.steps.glob("b*.steps"))) == len(BREAKERS), "the files are not there")
    for openmetrics in (False, True):
        page = agent.page(openmetrics)
        held(page.value("lapwing_node_verdict", verdict="failing") == 0, "the page shows a forged verdict")
        held(all(value < 200 for _, value in page.series["DCGM_FI_DEV_GPU_TEMP"]), "the page shows a forged temperature")
        held("# HELP up" not in page.text.split("\n"), "the page has a line of the user")
    for path in ("/api/v1/health", "/api/v1/node", "/api/v1/events", "/api/v1/live"):
        client.document(world.port, path)
    seen = (agent.page().value("lapwing_training_ranks") or 0) - before
    rejected = sum(value for _, value in agent.page().series.get("lapwing_training_files_rejected_total", []))
    done(seen > 0, f"the agent has read none of the files and rejected {rejected:.0f}")
    agent.check_all()
    return f"{len(BREAKERS)} files: {seen:.0f} read, {rejected:.0f} rejected"


@attack("N3", "a step file that changes its inode all the time hangs and hides nothing", seconds=35)
def replaced(world):
    """A user replaces valid step files by others of the same name, thousands of times a second, truncates them and writes
    their headers while they are read. Held if no source hangs and the honest rank's steps go on."""
    agent, moves = world.agent(), Counter()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")

    def move():
        until = time.monotonic() + 15
        whole = [step_file(f"loop-{number}", 0, capacity=2 + 14 * number) for number in range(2)]
        while time.monotonic() < until:
            for number in range(8):
                place(world.steps, f"r{number}", whole[moves.value % 2], lock=number > 3)
                file = os.open(world.steps / f"r{number}.steps", os.O_RDWR)
                os.truncate(file, layout.HEADER_SIZE)
                os.pwrite(file, os.urandom(64), layout.WRITTEN)
                os.close(file)
                moves.add()

    user = world.attacker(move, NOBODY)
    while user.alive():
        agent.page().check_hardware()
        time.sleep(0.5)
    done(user.code == 0 and moves.value > 1000, f"{moves.value} replacements, exit code {user.code}")
    honest.check(agent)
    agent.check_all()
    return f"{moves.value} replacements"


@attack("N4", "no other user can touch an honest user's step file", seconds=25)
def others_file(world):
    """A user tries to write, truncate, rename, remove and replace another's step file. Held if the kernel refuses each and the
    rank's steps go on: the folder's owner and mode decide that."""
    agent = world.agent()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")
    own = next(world.steps.glob("4711*.steps"))
    succeeded, tried = Counter(), Counter()

    def touch():
        (world.steps / "mine").write_bytes(b"x")
        acts = (lambda: os.open(own, os.O_RDWR), lambda: os.truncate(own, 0), lambda: os.rename(own, world.steps / "stolen"),
                lambda: os.unlink(own), lambda: os.rename(world.steps / "mine", own), lambda: os.chmod(own, 0),
                lambda: os.rename(world.steps, world.lapwing / "other"), lambda: os.rmdir(world.lapwing))
        for act in acts:
            tried.add()
            try:
                act()
                succeeded.add()
            except OSError:
                pass

    done(run_as(NOBODY, touch) == 0 and tried.value == 8, f"only {tried.value} acts were tried")
    held(not succeeded.value, f"{succeeded.value} of {tried.value} acts succeeded")
    honest.check(agent)
    agent.check_all()
    return f"{tried.value} acts refused"
