"""Connections and requests in numbers."""

import resource
import select
import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter

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


def ask_without_reading(port, sources, number, requests):
    """Keeps that many connections which ask and do not read."""
    many_files()
    open_ones = []
    while True:
        open_ones = [one for one in open_ones if not _ended(one)]
        try:
            while len(open_ones) < number:
                one = connect(port, sources[len(open_ones) % len(sources)], receive=2048)
                one.send(REQUEST * 16)  # more than the buffers of both sides take
                requests.add()
                open_ones.append(one)
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


def unread(world, sources, in_a_row=1):
    """60 connections from these addresses, which ask and do not read, and 20 scrapes."""
    agent, requests = world.agent(), Counter()
    user = world.attacker(lambda: ask_without_reading(world.port, sources, 60, requests), NOBODY)
    time.sleep(3)
    refused = check_scrapes(world, 20, in_a_row)
    done(user.alive() and requests.value >= 60, f"only {requests.value} requests were sent")
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
