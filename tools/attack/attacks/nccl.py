"""NCCL's service and its Inspector's folder, which the agent reads if it is told to."""

import ctypes
import json
import os
import socket
import time

from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter
from rig.ranks import Honest


@attack("A9c", "a forged RAS service makes no series and no verdict", seconds=80)
def ras(world):
    """A user binds the port of NCCL's RAS and reports 64 communicators of 8 ranks in error, which name the processes of another user, with operations
    of his own invention, all new in each round. Held if nothing of it is on the page and the verdict stays healthy."""
    agent_flags, asked = {"nccl__ras": "auto", "cadence__slow": "10s"}, Counter()
    honest = Honest(world)
    pid = honest.child.pid

    def reply():
        number = asked.value
        ranks = [{"rank": r, "host": "127.0.0.1", "pid": pid, "cuda_dev": r, "nvml_dev": r,
                  "status": {"init_state": 0, "async_error": 3, "finalize_called": False, "destroy_flag": False, "abort_flag": True},
                  "collective_counts": {f"Forged{number}x{operation}": 7 for operation in range(20)}} for r in range(8)]
        comms = [{"hash": f"0x{number * 1000 + c + 1:x}", "size": 8, "ranks": ranks, "missing_ranks": []} for c in range(64)]
        return json.dumps({"nccl_version": "2.29.1", "communicators": comms, "ras": {"collection_time_sec": 0, "timeouts_count": 0}}).encode()

    def answer():
        listener = socket.create_server(("localhost", 28028))
        while True:
            connection, _ = listener.accept()
            connection.settimeout(5)
            with connection, connection.makefile("rwb") as stream:
                try:
                    for line in stream:
                        command = line.strip().lower()
                        if command.endswith(b"status"):
                            asked.add()
                            stream.write(reply())
                            stream.flush()
                            break
                        stream.write(b"SERVER PROTOCOL 2\n" if command.startswith(b"client") else b"OK\n")
                        stream.flush()
                except OSError:
                    pass

    world.attacker(answer, NOBODY)
    agent = world.agent(**agent_flags)
    until = time.monotonic() + 60
    while time.monotonic() < until and asked.value < 3:
        time.sleep(0.5)
    done(asked.value >= 1, "the agent never asked the service")
    time.sleep(6)
    page = agent.page()
    own = [name for name in page.series if name.startswith("lapwing_nccl_rank") and any("rank" in labels for labels, _ in page.series[name])]
    held("Forged" not in page.text and not own, f"the page has {own or 'forged operations'}")
    errors = [one for one in agent.findings() if one["rule"].startswith("nccl")]
    held(not errors, f"a finding: {str(errors[:1])[:300]}")
    agent.check_all()
    return f"asked {asked.value} times, {sum(len(s) for n, s in page.series.items() if n.startswith('lapwing_nccl'))} series of NCCL"


@attack("N17", "the Inspector's folder may hold anything", seconds=40)
def inspector(world):
    """The folder of NCCL Inspector is open to all, and has FIFOs, sockets, links, a sparse file of 1 TiB, 500 files and one with forged series. Held
    if no source is hung and no line of the page is his."""
    agent_folder, made, swaps = world.run / "inspector", Counter(), Counter()
    libc = ctypes.CDLL(None)
    agent_folder.mkdir()
    agent_folder.chmod(0o1777)

    def fill():
        def prom(number):
            return agent_folder / f"nccl_inspector_metrics_{number:08x}-51a7-4ed0-8000-5eed00000000.prom"

        os.mkfifo(prom(0))
        os.symlink("/etc/shadow", prom(1))
        socket.socket(socket.AF_UNIX).bind(str(prom(2)))
        os.truncate(os.open(prom(3), os.O_CREAT | os.O_WRONLY, 0o644), 1 << 40)
        for number in range(4, 500):
            prom(number).write_bytes(b'nccl_bus_bandwidth_gbs{comm_name="forged\\"} 1\nx"} 5\nlapwing_node_verdict{verdict="failing"} 1\n' * 20)
        os.mkfifo(agent_folder / "pipe")
        made.add(500)
        while True:  # a FIFO in the place of each for a moment
            for number in range(4, 20):
                one, other = os.fsencode(prom(number)), os.fsencode(agent_folder / "pipe")
                for _ in range(50):
                    libc.renameat2(-100, one, -100, other, 2)
                    swaps.add()

    user = world.attacker(fill, NOBODY)
    time.sleep(1)
    agent = world.agent(nccl__inspector_dir=agent_folder, cadence__slow="10s")
    until = time.monotonic() + 22
    while time.monotonic() < until:
        page = agent.page().check_hardware()
        held(page.value("lapwing_node_verdict", verdict="failing") == 0, "the page shows a forged verdict")
        time.sleep(1)
    done(user.alive() and made.value == 500 and swaps.value > 10_000, f"{made.value} files, {swaps.value} exchanges")
    rejected = sum(value for _, value in agent.page().series.get("lapwing_nccl_inspector_rejected_files_total", []))
    done(rejected > 0, "the agent has looked at none of the files")
    agent.check_all()
    return f"{made.value} files, {swaps.value} exchanges, {rejected:.0f} rejected"
