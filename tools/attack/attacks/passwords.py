"""Guesses of passwords."""

import base64
import http.client
import os
import statistics
import time

from attacks.flood import connect, many_files
from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter

# bcrypt of "right" with the costs 10 and 12.
HASH_10 = "$2b$10$abcdefghijklmnopqrstuu1VS0P7v3ZJmd2gzBFIzgfN7OOl6Rl52"
HASH_12 = "$2b$12$abcdefghijklmnopqrstuu3ZNTWactmkRXVB8K.1w4IlxX.O8lI12"


def _answered(connection):
    try:
        connection.recv(1024)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def secured(world, first, second=HASH_10):
    web = world.folder / "web.yml"
    web.write_text(f'basic_auth_users:\n  scraper: "{first}"\n  other: "{second}"\n')
    web.chmod(0o644)
    return str(web)


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def ask(port, user, password, source="127.0.0.1", seconds=20):
    return client.get(port, "/metrics", source=source, seconds=seconds, Authorization=basic(user, password))[0]


def guess(port, tries, connections, sources, listed=0):
    """Tries passwords on so many connections without a pause, from these addresses in turn: new ones, or so many of each address again and again."""
    many_files()
    kept, number = [], 0
    while True:
        for one in [one for one in kept if _answered(one)]:
            kept.remove(one)
            one.close()
        try:
            while len(kept) < connections:
                source = sources[number % len(sources)]
                word = f"{source} {number // len(sources) % listed}" if listed else os.urandom(9).hex()
                one = connect(port, source)
                one.send(f"GET /metrics HTTP/1.1\r\nHost: n\r\nConnection: close\r\nAuthorization: {basic('scraper', word)}\r\n\r\n".encode())
                kept.append(one)
                tries.add()
                number += 1
        except OSError:
            time.sleep(0.02)
        time.sleep(0.002)


def restart(world, agent):
    """Kills it, and waits until it listens again."""
    agent.kill()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            client.get(world.port, "/", source="10.9.0.4", seconds=3)
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)


@attack("A12a", "guesses do not lock the scraper out after a restart", seconds=60)
def guesses(world):
    """Clients at another address guess passwords on 120 connections without a pause, also while the agent restarts. Held if after the restart each of 20
    scrapes with the right password is served."""
    agent, tries = world.secured_agent(secured(world, HASH_10), lambda: ask(world.port, "scraper", "right")), Counter()

    guessers = [world.attacker(lambda: guess(world.port, tries, 60, ["10.9.0.2"]), NOBODY) for _ in range(2)]
    time.sleep(4)
    restart(world, agent)
    answered = []
    for _ in range(20):
        try:
            answered.append(ask(world.port, "scraper", "right", source="10.9.0.3"))
        except (OSError, http.client.HTTPException) as failed:
            answered.append(type(failed).__name__)
        time.sleep(0.5)
    done(all(one.alive() for one in guessers) and tries.value > 1000, f"{tries.value} guesses")
    held(answered.count(200) == 20, f"of 20 scrapes after the restart: {answered}")
    agent.check_same()
    return f"{tries.value} guesses, 20 of 20 served"


@attack("A12c", "guesses from many addresses and the scraper's own do not lock it out", seconds=75)
def crowd(world):
    """Clients at 24 addresses, at those of the loopback, and users of the scraper's own machine guess passwords without a pause, also while the agent restarts.
    Held if after the restart a scrape with the right password, repeated every five seconds, is served within a minute, and then ten of ten."""
    crowds = [[f"10.9.1.{number}" for number in range(1, 25)], [f"127.0.0.{number}" for number in range(2, 30)], ["10.9.0.3"]]
    return crowded(world, [(one, 0) for one in crowds], 60)


@attack("A12e", "guesses that are repeated from a list do not lock the scraper out for ever", seconds=150)
def listed(world):
    """Clients at 32 addresses repeat 20 wrong passwords each, and users of the scraper's own machine 100, also while the agent restarts. Held if after the restart a
    scrape with the right password, repeated every five seconds, is served once each of the 740 can have been compared, in five minutes on a busy machine, and then ten of ten."""
    return crowded(world, [([f"10.9.1.{number}" for number in range(1, 33)], 20), (["10.9.0.3"], 100)], 300)


def crowded(world, crowds, seconds):
    agent, tries = world.secured_agent(secured(world, HASH_10), lambda: ask(world.port, "scraper", "right")), Counter()
    guessers = [world.attacker(lambda one=one: guess(world.port, tries, 40, *one), NOBODY) for one in crowds]
    time.sleep(4)
    restart(world, agent)
    answered, begun = [], time.monotonic()

    def scrape(pause):
        try:
            answered.append(ask(world.port, "scraper", "right", source="10.9.0.3"))
        except (OSError, http.client.HTTPException) as failed:
            answered.append(type(failed).__name__)
        time.sleep(pause)

    while 200 not in answered and time.monotonic() < begun + seconds:
        scrape(5)
    first = len(answered)
    for _ in range(10):
        scrape(0.5)
    done(all(one.alive() for one in guessers) and tries.value > 1000, f"{tries.value} guesses")
    held(answered[first - 1 :] == [200] * 11, f"scrapes after the restart: {answered}")
    agent.check_same()
    return f"{tries.value} guesses, scrape {first} and all after it served"


@attack("A12d", "a flood does not use up the rate limit of others, nor of the probes", seconds=40)
def rate(world):
    """A client at the scraper's own address, and others, send 200 requests a second to an agent with a limit of two a second. Held if each of ten scrapes
    with a password that was right before is served, and each probe without a password gets 401 and not 429."""
    web = secured(world, HASH_10)
    with open(web, "a", encoding="ascii") as more:
        more.write("rate_limit: {interval: 500ms, burst: 4}\n")
    agent, tries, refused = world.secured_agent(web, lambda: ask(world.port, "scraper", "right", source="10.9.0.3")), Counter(), Counter()

    def flood():
        while True:
            for source in ("10.9.0.3", "10.9.0.2", "127.0.0.1"):
                try:
                    status = client.get(world.port, "/metrics", source=source, seconds=3)[0]
                    tries.add()
                    if status == 429:
                        refused.add()
                except (OSError, http.client.HTTPException):
                    pass
            time.sleep(0.01)

    world.attacker(flood, NOBODY)
    time.sleep(2)
    answered = []
    for _ in range(10):
        answered.append(ask(world.port, "scraper", "right", source="10.9.0.3"))
        answered.append(client.get(world.port, "/-/healthy")[0])
        time.sleep(1)
    done(refused.value > tries.value / 2 > 100, f"{refused.value} of {tries.value} requests were over the limit")
    held(answered == [200, 401] * 10, f"scrapes and probes: {answered}")
    agent.check_same()
    return f"{tries.value} requests, {refused.value} refused, ten of ten scrapes served"


@attack("A12b", "the time of an answer does not tell which names are users", root=False, seconds=60, alone=True)
def timing(world):
    """A client measures how long wrong passwords take for the user with the dearest bcrypt cost, which is not the first one in the file, and for a
    name that is no user. Held if the medians differ by less than a factor of two (costs 10 and 12 differ by four), and the
    log warns that users of different costs can be told apart."""
    agent = world.secured_agent(secured(world, HASH_10, HASH_12), lambda: ask(world.port, "scraper", "right"))
    times = {"other": [], "nobody-7": []}
    for number in range(9):
        for user, seconds in times.items():
            begun = time.monotonic()
            status = ask(world.port, user, f"wrong-{number}")
            seconds.append(time.monotonic() - begun)
            done(status == 401, f"status {status} for a wrong password")
            time.sleep(0.2)
    medians = {user: round(statistics.median(seconds), 3) for user, seconds in times.items()}
    held(max(medians.values()) < 2 * min(medians.values()), f"medians: {medians}")
    held("cost" in agent.log.read_text(), "the log does not warn of users with different costs")
    return f"medians {medians} s"
