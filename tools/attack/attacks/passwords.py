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


@attack("A12a", "guesses do not lock the scraper out after a restart", seconds=60)
def guesses(world):
    """Clients at another address guess passwords on 120 connections without a pause, also while the agent restarts. Held if after the restart each of 20
    scrapes with the right password is served."""
    agent, tries = world.secured_agent(secured(world, HASH_10), lambda: ask(world.port, "scraper", "right")), Counter()

    def guess():
        many_files()
        kept = []
        while True:
            for one in [one for one in kept if _answered(one)]:
                kept.remove(one)
                one.close()
            try:
                while len(kept) < 60:
                    one = connect(world.port, "10.9.0.2")
                    one.send(f"GET /metrics HTTP/1.1\r\nHost: n\r\nConnection: close\r\nAuthorization: {basic('scraper', os.urandom(9).hex())}\r\n\r\n".encode())
                    kept.append(one)
                    tries.add()
            except OSError:
                time.sleep(0.02)
            time.sleep(0.002)

    guessers = [world.attacker(guess, NOBODY) for _ in range(2)]
    time.sleep(4)
    agent.kill()
    answered, until = [], time.monotonic() + 60
    while time.monotonic() < until:  # until it listens again
        try:
            client.get(world.port, "/", source="10.9.0.4", seconds=3)
            break
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
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
