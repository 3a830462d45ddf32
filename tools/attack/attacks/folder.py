"""The folder that everybody may write."""

import ctypes
import os
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter
from rig.ranks import Honest, layout, place, step_file

_libc = ctypes.CDLL(None, use_errno=True)
EXCHANGE = 2


@attack("A3", "the steps folder does not fill /run", seconds=30)
def fill_run(world):
    """A user creates files in the steps folder until it is full, then writes until it is full. Held if root can still
    create folders and files below /run: without them there are no logins and no units."""
    agent = world.agent()
    files, size = Counter(), Counter()

    def fill():
        try:
            for number in range(100_000):
                os.close(os.open(world.steps / f"x{number}", os.O_CREAT | os.O_WRONLY, 0o600))
                files.add()
        except OSError:
            pass
        with open(world.steps / "x0", "wb", buffering=0) as big:
            try:
                while True:
                    size.add(big.write(b"x" * 65536))
            except OSError:
                pass
        time.sleep(600)

    user = world.attacker(fill, NOBODY)
    before, quiet = -1, 0
    while quiet < 4:  # until nothing more fits
        now = files.value + size.value
        quiet = quiet + 1 if now == before else 0
        before = now
        time.sleep(0.5)
    done(user.alive() and files.value > 400 and size.value, f"{files.value} files, {size.value} bytes")
    for number in range(40):
        try:
            (world.run / f"user-{number}").mkdir()
            (world.run / f"user-{number}" / "state").write_bytes(b"x" * 100_000)
        except OSError as full:
            held(False, f"root cannot write below /run after {files.value} files and {size.value} bytes: {full.strerror}")
    agent.check_all()
    return f"{files.value} files, {size.value // 1024} KiB"


@attack("A7", "a FIFO swapped in does not hang the training source", seconds=45)
def fifos(world):
    """A user exchanges the names of valid step files with FIFOs as fast as he can, then removes the FIFOs, so that nobody can
    ever open them for writing. Held if no source is hung, meanwhile or after, and a new honest loop appears."""
    agent, swaps = world.agent(), Counter()
    honest = Honest(world)
    done(honest.await_shown(agent), "the honest rank did not appear")

    def swap():
        until, pairs = time.monotonic() + 20, []
        for number in range(12):
            place(world.steps, f"f{number}", step_file(f"fifo-{number}", number))
            os.mkfifo(world.steps / f"g{number}", 0o644)
            pairs.append((os.fsencode(world.steps / f"f{number}.steps"), os.fsencode(world.steps / f"g{number}")))
        while time.monotonic() < until:
            for _ in range(50):
                for one, other in pairs:
                    _libc.renameat2(-100, one, -100, other, EXCHANGE)
            swaps.add(50 * len(pairs))
        for one, other in pairs:
            os.unlink(one)
            os.unlink(other)

    user = world.attacker(swap, NOBODY)
    while user.alive():
        agent.page().check_hardware()
        time.sleep(0.5)
    done(user.code == 0 and swaps.value > 10_000, f"{swaps.value} exchanges, exit code {user.code}")
    time.sleep(8)
    honest.check(agent)
    Honest(world, job="4712", rank=0, gpu=4).check(agent)
    agent.check_all()
    return f"{swaps.value} exchanges"


@attack("N25", "files that come and go do not hide a new rank", seconds=45)
def churn(world):
    """A user makes empty files named *.steps without a pause and keeps the newest 4,000, also of the size of a step file. Held if a rank of another user that starts meanwhile is on the
    page within five seconds, is there again within five seconds after a restart of the agent, and the files are counted and logged."""
    agent, files = world.agent(), Counter()

    def fill():
        kept = []
        while True:
            name = world.steps / f"{os.urandom(6).hex()}.steps"
            try:
                file = os.open(name, os.O_CREAT | os.O_WRONLY, 0o644)
                if files.value % 4 == 0:
                    os.truncate(file, layout.HEADER_SIZE + 2 * layout.RECORD_SIZE)
                os.close(file)
                kept.append(name)
                files.add()
            except OSError:
                pass
            if len(kept) > 4000:
                os.unlink(kept.pop(0))
            if files.value % 100 == 0:
                time.sleep(0.005)

    user = world.attacker(fill, NOBODY)
    while files.value < 8000 and user.alive():
        time.sleep(0.2)
    time.sleep(3)
    honest = Honest(world)
    held(honest.await_shown(agent, 5), f"a new rank is not on the page after five seconds, beside {files.value} files")
    agent.kill()
    client.patiently(agent.page)
    held(honest.await_shown(agent, 5), f"the rank is not on the page five seconds after a restart, beside {files.value} files")
    until = time.monotonic() + 30
    while files.value <= 20_000 and user.alive() and time.monotonic() < until:
        time.sleep(0.2)
    done(user.alive() and files.value > 20_000, f"{files.value} files")
    honest.check(agent)
    rejected = agent.page().value("lapwing_training_files_rejected_total", reason="bad_size") or 0
    held(rejected > 1000, f"only {rejected:.0f} files were counted")
    held("no ranks, most of uid" in agent.log.read_text(), "the log does not name the user")
    agent.check_all()
    return f"{files.value} files, {rejected:.0f} counted since the restart"
