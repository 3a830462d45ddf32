"""Pages of inference engines, which the agent reads if it is told to."""

import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter

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
