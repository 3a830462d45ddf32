"""Pages, services and folders of others that the agent reads, if it is told to."""

import json
import os
import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter
from rig.ranks import Honest

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\n\r\n"
AUTO = (8000, 8080, 8081, 3000, 30000)


def serve(pages, asked, drip=None):
    """A function that serves a page on each port: `pages` has bytes by port; `drip` seconds between single bytes."""

    def loop():
        listeners = []
        for port in pages:
            listener = socket.create_server(("127.0.0.1", port), backlog=64)
            listener.settimeout(0.02)
            listeners.append((listener, pages[port]))
        while True:
            for listener, page in listeners:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    continue
                with connection:
                    connection.settimeout(5)
                    try:
                        asked.add(bool(connection.recv(4096)))
                        if drip is None:
                            connection.sendall(HEAD + page)
                        else:
                            for byte in HEAD + page:
                                connection.send(bytes([byte]))
                                time.sleep(drip)
                    except OSError:
                        pass

    return loop


def lines(number, model):
    return b"".join(b'vllm:num_requests_running{engine="%d",model_name="%s%d"} 1\n' % (i, model, i) for i in range(number))


@attack("A9a", "an engine's page of 30 MB does not end the agent", root=False, seconds=35)
def long_lines(world):
    """A named engine answers with 2,500 lines of 12 KB, each with another label, in each round. Held if the same process serves the hardware,
    and a page below the sample limit."""
    asked = Counter()
    page = b"".join(b'vllm:num_requests_running{engine="%d",model_name="%s"} 1\n' % (i, b"%06d" % i * 2000) for i in range(2500))
    world.attacker(serve({29056: page}, asked), NOBODY)
    agent = world.agent(inference__scrape="http://127.0.0.1:29056")
    time.sleep(22)
    done(asked.value >= 2 and len(page) > 29e6, f"the page was asked for {asked.value} times")
    agent.check_all()
    most = agent.page().count()
    held(most < 20_000, f"the page has {most} series")
    return f"asked {asked.value} times for {len(page) >> 20} MiB, {most} series"


@attack("A9b", "strangers on the usual ports of engines put nothing on the page", seconds=60)
def squatters(world):
    """A user without a process on a GPU binds the ports that `auto` probes, with 4,000 series on each, and names of the hardware's series on
    all. Held if the same process serves the hardware below the sample limit, without a series of his."""
    asked = Counter()
    forged = b'DCGM_FI_DEV_GPU_TEMP{gpu="0"} 999\nlapwing_node_verdict{verdict="failing"} 1\nup 0\n'
    world.attacker(serve({port: forged + lines(4000, b"forged-%d-" % port) for port in AUTO}, asked), NOBODY)
    time.sleep(1)
    for port in AUTO:
        done(b"forged" in client.get(port, "/metrics")[2], f"the engine on port {port} does not answer")
    before = asked.value
    agent = world.agent(inference__scrape="auto")
    time.sleep(38)
    for openmetrics in (False, True):
        page = agent.page(openmetrics)
        held("forged" not in page.text, "series of the stranger are on the page: " + page.text[page.text.find("forged") - 150:][:250])
        held(page.count() < 20_000, f"the page has {page.count()} series")
    held(asked.value == before, f"the agent asked the stranger {asked.value - before} times")
    agent.check_all()
    return f"{len(AUTO)} ports, none asked"


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


@attack("N16", "an engine that drips hangs nothing but itself", root=False, seconds=40)
def drip(world):
    """A named engine sends one byte of its answer each second, for ever; another one accepts and says nothing. Held if no source counts as hung
    and the hardware's values are fresh."""
    asked, mute = Counter(), Counter()
    world.attacker(serve({29057: lines(100, b"m")}, asked, drip=1), NOBODY)
    world.attacker(serve({29058: b""}, mute, drip=1e6), NOBODY)
    agent = world.agent(inference__scrape="http://127.0.0.1:29057,http://127.0.0.1:29058")
    until = time.monotonic() + 22
    while time.monotonic() < until:
        agent.page().check_hardware()
        time.sleep(1)
    done(asked.value >= 1 and mute.value >= 1, f"asked {asked.value} and {mute.value} times")
    agent.check_all()
    return f"asked {asked.value} and {mute.value} times"


@attack("N17", "the Inspector's folder may hold anything", seconds=40)
def inspector(world):
    """The folder of NCCL Inspector is open to all, and has FIFOs, sockets, links, a sparse file of 1 TiB, 500 files and one with forged series. Held
    if no source is hung and no line of the page is his."""
    agent_folder, made = world.run / "inspector", Counter()
    agent_folder.mkdir()
    agent_folder.chmod(0o1777)

    def fill():
        def prom(name):
            return agent_folder / f"nccl_inspector_metrics_{name}.prom"

        os.mkfifo(prom("GPU-fifo"))
        os.symlink("/etc/shadow", prom("GPU-link"))
        socket.socket(socket.AF_UNIX).bind(str(agent_folder / "s.prom"))
        os.truncate(os.open(prom("GPU-sparse"), os.O_CREAT | os.O_WRONLY, 0o644), 1 << 40)
        for number in range(500):
            prom(f"GPU-{number}").write_bytes(b'nccl_bus_bandwidth_gbs{comm_name="forged\\"} 1\nx"} 5\nlapwing_node_verdict{verdict="failing"} 1\n' * 20)
        made.add(504)
        while True:  # and FIFOs in their place
            for number in range(20):
                os.mkfifo(agent_folder / "f")
                os.rename(agent_folder / "f", prom(f"GPU-{number}"))
                prom(f"GPU-{number}").unlink()
                prom(f"GPU-{number}").write_bytes(b"x 1\n")

    user = world.attacker(fill, NOBODY)
    time.sleep(1)
    agent = world.agent(nccl__inspector_dir=agent_folder, cadence__slow="10s")
    until = time.monotonic() + 22
    while time.monotonic() < until:
        page = agent.page().check_hardware()
        held(page.value("lapwing_node_verdict", verdict="failing") == 0, "the page shows a forged verdict")
        time.sleep(1)
    done(user.alive() and made.value >= 504, f"{made.value} files")
    rejected = sum(value for _, value in agent.page().series.get("lapwing_nccl_inspector_rejected_files_total", []))
    done(rejected > 0, "the agent has looked at none of the files")
    agent.check_all()
    return f"{made.value} files, {rejected:.0f} rejected"
