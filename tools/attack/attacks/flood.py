"""Connections and requests in numbers."""

import os
import resource
import select
import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import AGENT, NOBODY, STRANGERS, Counter
from rig.ranks import place, step_file

SCRAPER = "10.9.0.3"
REQUEST = b"GET /metrics HTTP/1.1\r\nHost: node\r\n\r\n"


def connect(port, source, receive=None):
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if receive:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    connection.settimeout(5)
    connection.bind((source, 0))
    connection.connect((client.target(source), port))
    connection.settimeout(0)
    return connection


def many_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def ask_without_reading(port, sources, number, requests, asked=REQUEST * 16, seconds=600):
    """Keeps that many connections which ask and do not read, each for so many seconds at most: the end of one that the agent closes is behind what is unread.
    The answers to `asked` are more than the buffers of both sides take."""
    many_files()
    open_ones, since = [], {}
    while True:
        open_ones = [one for one in open_ones if not _ended(one)]
        for one in [one for one in open_ones if time.monotonic() - since[one] > seconds]:
            open_ones.remove(one)
            one.close()
        since = {one: since[one] for one in open_ones}
        try:
            while len(open_ones) < number:
                one = connect(port, sources[len(open_ones) % len(sources)], receive=2048)
                one.send(asked)
                requests.add()
                open_ones.append(one)
                since[one] = time.monotonic()
        except OSError:
            pass
        time.sleep(0.05)


def _ended(connection):
    """Whether the agent closed or refused it; an answer stays unread."""
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
    ended = bool(poll.poll(0))
    try:
        ended = ended or connection.recv(12, socket.MSG_PEEK).endswith(b"503")
    except BlockingIOError:
        pass
    except OSError:
        ended = True
    if ended:
        connection.close()
    return ended


def check_scrapes(world, times, in_a_row=1, source=SCRAPER):
    """Scrapes once a second, as that address, and asks for the verdict; fails if so many in a row are refused. How many were."""
    refused, row = [], 0
    for _ in range(times):
        try:
            client.page(world.port, source=source).check_hardware()
            client.document(world.port, "/api/v1/health", source=source)
            row = 0
        except (client.Refused, OSError, client.http.client.HTTPException) as why:
            refused.append(str(why))
            row += 1
        held(row < in_a_row, f"scrapes were refused, {row} in a row: {refused}")
        time.sleep(1)
    return len(refused)


def unread(world, sources, in_a_row=1, number=60, agent=None, seconds=600):
    """So many connections from these addresses, which ask and do not read, and 20 scrapes."""
    agent, requests = agent or world.agent(), Counter()
    user = world.attacker(lambda: ask_without_reading(world.port, sources, number, requests, seconds=seconds), NOBODY)
    time.sleep(3)
    refused = check_scrapes(world, 20, in_a_row)
    done(user.alive() and requests.value >= number, f"only {requests.value} requests were sent")
    agent.check_all()
    return f"{requests.value} requests unread, {20 - refused} of 20 scrapes served"


@attack("A8", "60 clients that ask and do not read do not shut out the scraper", seconds=40)
def idle_readers(world):
    """A machine keeps 60 connections which ask for the page, many times, and do not read it. Held if none of 20 scrapes from the
    scraper's address is refused, nor a request for the verdict."""
    return unread(world, ["10.9.0.2"])


@attack("N18", "a user of the node that does not read does not shut out the scraper", seconds=40)
def own_addresses(world):
    """As A8, but by a user of the node, who may use any address of 127.0.0.0/8, and uses 60."""
    return unread(world, [f"127.0.1.{number}" for number in range(1, 61)])


@attack("N20", "60 machines that do not read cost the scraper a single scrape at most", seconds=40)
def many_machines(world):
    """As A8, but from 60 addresses, so that no limit for an address helps. Held if no two scrapes in a row are refused."""
    return unread(world, [f"10.9.1.{number}" for number in range(1, 61)], in_a_row=2)


@attack("N26", "a client that does not read a very large page does not shut out the scraper", seconds=60)
def large_page(world):
    """64 ranks of four users have the longest names that are shown, so that the page is larger than the half of the memory for responses which one address gets.
    Then a user keeps four connections from the node's own address which ask for it and do not read. Held if none of 20 scrapes from another address, without gzip,
    is refused."""
    agent = world.agent()

    def ranks(uid):
        def run():
            for rank in range(16):
                text = step_file(job="\U0001f600" * 15 + f"{uid % 100:02d}{rank:02d}", run="\U0001f601" * 30, rank=rank, world_size=64, gpu=rank % 8, step=1.0, records=2)
                place(world.steps, f"r{uid}.{rank}", text)
            time.sleep(600)

        return run

    for uid in STRANGERS:
        world.attacker(ranks(uid), uid)
    until, size = time.monotonic() + 30, 0
    while time.monotonic() < until and size < 900 << 10:
        time.sleep(1)
        size = agent.page().bytes
    done(size > 900 << 10, f"the page has only {size} bytes")
    return f"{unread(world, [client.NODE], number=4, agent=agent, seconds=2.4)}, a page of {size >> 10} KiB"


@attack("N27", "clients of the node that do not read the health do not shut out lapwing check", seconds=150)
def health(world):
    """A user has 16 stalled loops with long names, so that the health is several times its usual size, and keeps 28 connections from 127.0.0.1 which ask for it, hundreds of
    times each, and do not read. Held if `lapwing check` gives the verdict eight times, over the Unix socket and over TCP."""
    folder = world.lapwing / "agent"
    folder.mkdir()
    folder.chmod(0o755)
    os.chown(folder, AGENT, AGENT)
    agent, requests, size = world.agent(web__unix_socket=folder / "agent.sock"), Counter(), 0

    def stall():
        for loop in range(16):
            job = "\U0001f600" * 14 + f"{loop:03d}x"
            place(world.steps, f"e{loop}", step_file(job=job, run="\U0001f601" * 30, rank=0, world_size=2, gpu=0, step=1.0, records=16, capacity=16))
        time.sleep(600)

    world.attacker(stall, NOBODY)
    until = time.monotonic() + 120
    while time.monotonic() < until and size < 12_000:
        time.sleep(2)
        size = len(client.get(world.port, "/api/v1/health")[2])
    done(size >= 12_000, f"the health has only {size} bytes")
    asked = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n" * (3_500_000 // size)
    user = world.attacker(lambda: ask_without_reading(world.port, ["127.0.0.1"], 28, requests, asked, 11), NOBODY)
    time.sleep(8)
    over_tcp = world.check_flags
    for flags in (over_tcp, [flag for flag in over_tcp if "listen-address" not in flag]) * 4:
        world.check_flags = flags
        code, text = agent.check("--brief")
        held(code == 0, f"lapwing check: {code}: {text[:200]}")
    done(user.alive() and requests.value >= 28, f"only {requests.value} requests were sent")
    agent.check_all()
    return f"{requests.value} connections unread, a report of {size} bytes, eight checks answered"


@attack("N19", "3,000 connections with half a request line do not shut out the scraper", seconds=40)
def halves(world):
    """A client opens connections as fast as it can, up to 3,000, sends half a request line on each and a byte more each second. Held if
    none of 15 scrapes is refused."""
    agent, opened = world.agent(), Counter()

    def open_halves():
        many_files()
        open_ones, told = [], time.monotonic()
        while True:
            try:
                one = connect(world.port, "10.9.0.2")
                one.send(b"GET /metr")
                opened.add()
                open_ones.append(one)
                if len(open_ones) > 3000:
                    open_ones.pop(0).close()
            except OSError:
                time.sleep(0.01)
            if time.monotonic() - told > 1:
                told = time.monotonic()
                for one in open_ones:
                    try:
                        one.send(b"x")
                    except OSError:
                        pass

    world.attacker(open_halves, NOBODY)
    time.sleep(4)
    check_scrapes(world, 15)
    done(opened.value >= 1000, f"only {opened.value} connections were opened")
    agent.check_all()
    return f"{opened.value} connections"
