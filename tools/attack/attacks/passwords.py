"""Guesses of passwords."""

import base64
import http.client
import os
import statistics
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter

# bcrypt of "right" with the costs 10 and 12.
HASH_10 = "$2b$10$abcdefghijklmnopqrstuu1VS0P7v3ZJmd2gzBFIzgfN7OOl6Rl52"
HASH_12 = "$2b$12$abcdefghijklmnopqrstuu3ZNTWactmkRXVB8K.1w4IlxX.O8lI12"


def secured(world):
    web = world.folder / "web.yml"
    web.write_text(f'basic_auth_users:\n  scraper: "{HASH_10}"\n  other: "{HASH_12}"\n')
    web.chmod(0o644)
    return str(web)


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def ask(port, user, password, source="127.0.0.1", seconds=20):
    return client.get(port, "/metrics", source=source, seconds=seconds, Authorization=basic(user, password))[0]


@attack("A12a", "guesses do not lock the scraper out after a restart", root=False, seconds=60)
def guesses(world):
    """Eight clients at another address guess passwords without a pause, also while the agent restarts. Held if after the restart each of 20
    scrapes with the right password is served."""
    agent, tries = world.secured_agent(secured(world), lambda: ask(world.port, "scraper", "right")), Counter()

    def guess():
        while True:
            try:
                ask(world.port, "scraper", os.urandom(9).hex(), source="127.0.0.2", seconds=5)
                tries.add()
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)

    guessers = [world.attacker(guess, NOBODY) for _ in range(8)]
    time.sleep(4)
    agent.kill()
    answered, until = [], time.monotonic() + 60
    while time.monotonic() < until:  # until it listens again
        try:
            client.get(world.port, "/", source="127.0.0.3", seconds=3)
            break
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
    for _ in range(20):
        try:
            answered.append(ask(world.port, "scraper", "right"))
        except (OSError, http.client.HTTPException) as failed:
            answered.append(type(failed).__name__)
        time.sleep(0.5)
    done(all(one.alive() for one in guessers) and tries.value > 40, f"{tries.value} guesses")
    held(answered.count(200) == 20, f"of 20 scrapes after the restart: {answered}")
    agent.check_same()
    return f"{tries.value} guesses, 20 of 20 served"


@attack("A12b", "the time of an answer does not tell who is a user", root=False, seconds=60, alone=True)
def timing(world):
    """A client measures how long wrong passwords take for users of bcrypt cost 10 and 12 and for names that are no users. Held if the
    medians differ by less than a factor of two: costs 10 and 12 differ by four."""
    world.secured_agent(secured(world), lambda: ask(world.port, "scraper", "right"))
    times = {"scraper": [], "other": [], "nobody-7": []}
    for number in range(9):
        for user, seconds in times.items():
            begun = time.monotonic()
            status = ask(world.port, user, f"wrong-{number}", source=f"127.0.0.{10 + number}")
            seconds.append(time.monotonic() - begun)
            done(status == 401, f"status {status} for a wrong password")
            time.sleep(0.2)
    medians = {user: statistics.median(seconds) for user, seconds in times.items()}
    held(max(medians.values()) < 2 * min(medians.values()), f"medians: {({user: round(value, 3) for user, value in medians.items()})}")
    return f"medians {({user: round(value, 3) for user, value in medians.items()})} s"
