"""All at once."""

import json
import os
import subprocess
import time
import urllib.parse

from attacks.engines import AUTO, lines, serve
from attacks.flood import ask_without_reading, connect, many_files
from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import HONEST, NOBODY, STRANGERS, Counter, named
from rig.ranks import Honest, place, step_file
from rig.unit import ROOT

SCRAPE = 5  # seconds, as in the demo
PAGER = "LapwingXid"


class Servers:
    """Prometheus and Alertmanager with the shipped rules and routes; their messages to the webhook, a line each."""

    def __init__(self, world, node):
        folder = world.folder / "servers"
        folder.mkdir()
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [*world.programs.servers, f"--repository={ROOT}", f"--folder={folder}", f"--address=http://127.0.0.1:{world.port}", f"--node={node}", "--patience=PT1S"],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said)

    def lines(self, word):
        """What reached the webhook, with that word."""
        return [line for line in self.said.read_text(errors="replace").splitlines() if "ALERT" in line and word in line]

    def query(self, path):
        """From Prometheus."""
        url = next((word for line in self.said.read_text().splitlines() if "Prometheus " in line for word in line.split() if "://" in word), None)
        return json.loads(client.get(urllib.parse.urlparse(url).port, path)[2])["data"]

    def errors(self):
        """Why the last scrape of the agent failed, if it did."""
        return {target["lastError"] for target in self.query("/api/v1/targets")["activeTargets"] if target["lastError"]}

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()


def attackers(world, count):
    """Starts what a user can do to the agent, everything at a time; `count` has a counter for each."""

    def ranks():
        number = 0
        while True:
            text = f"{os.getpid()}-{number}-".encode().ljust(128, b'"')
            try:
                place(world.steps, f"e{os.getpid()}-{number % 64}", step_file(text, number % 64, run=text, uuid=b"GPU-" + b"\\" * 92))
                count["ranks"].add()
            except OSError:  # the folder is full
                time.sleep(0.05)
            number += 1
            time.sleep(0.005)

    def names():
        number = 0
        while True:
            try:
                os.mkfifo(world.steps / "pipe")
                os.rename(world.steps / "pipe", world.steps / f"k{number % 200}.steps")
                os.close(os.open(world.steps / f"x{number}", os.O_CREAT | os.O_WRONLY, 0o644))
                count["names"].add()
            except OSError:
                time.sleep(0.05)
            number += 1

    def pages():
        while True:
            for openmetrics in (False, True):
                try:
                    client.page(world.port, openmetrics, source="10.9.0.4", seconds=10)
                    count["pages"].add()
                except Exception:  # refused
                    time.sleep(0.02)

    def halves():
        many_files()
        kept = []
        while True:
            try:
                kept.append(connect(world.port, "10.9.0.5"))
                kept[-1].send(b"GET /metr")
                count["halves"].add()
            except OSError:
                time.sleep(0.02)
            if len(kept) > 500:
                kept.pop(0).close()
            time.sleep(0.002)

    def forks():
        named(b"NVRM: Xid (PCI:")
        while True:
            pid = os.fork()
            if pid == 0:
                os._exit(0)
            os.waitpid(pid, 0)
            count["forks"].add()
            time.sleep(0.002)

    for uid in STRANGERS:
        world.attacker(ranks, uid)
    for function in (names, pages, halves, forks, lambda: ask_without_reading(world.port, ["10.9.0.2"], 60, count["unread"]),
                     serve({port: lines(4000, b"forged-") for port in AUTO}, count["engines"])):
        world.attacker(function, NOBODY)


@attack("ALL", "a real XID 79 pages while all attacks run", seconds=150, alone=True)
def all_at_once(world):
    """Users flood the steps folder, the port, /proc and the engines' ports, all at a time. Then GPU 5 falls off the bus. Held if the alert reaches a webhook through a
    real Prometheus and Alertmanager with the shipped rules, and fires after at most two scrapes that have the finding; if no scrape of Prometheus failed, the
    process is the same, and the honest rank and the true verdict are there."""
    node = world.own_node()
    agent = world.agent(inference__scrape="auto")
    honest = Honest(world, uid=HONEST)
    done(honest.await_shown(agent), "the honest rank did not appear")
    servers, count = Servers(world, "attacked"), {name: Counter() for name in ("ranks", "names", "pages", "halves", "forks", "unread", "engines")}
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and not servers.lines("LapwingWatchdog"):
            time.sleep(0.5)
        done(servers.lines("LapwingWatchdog"), f"the watchdog's alert never reached the webhook: {servers.said.read_text()[-400:]}")
        attackers(world, count)
        errors = set()
        for _ in range(25):
            time.sleep(1)
            errors |= servers.errors()
        node.xid_79(5)
        seen, until = None, time.monotonic() + 60
        while time.monotonic() < until and seen is None:
            errors |= servers.errors()
            page = client.patiently(agent.page)
            if any("79" in labels["rule"] and labels["action"] == "replace_node" and value for labels, value in page.series.get("lapwing_health_finding", [])):
                seen = time.time()
            time.sleep(0.2)
        held(seen, "the XID 79 never became a finding on the page")
        until = time.monotonic() + 90
        while time.monotonic() < until and not servers.lines(PAGER):
            errors |= servers.errors()
            time.sleep(0.2)
        reached = time.time()
        held(servers.lines(PAGER), f"{PAGER} did not reach the webhook within 90 s; alerts: {[one['labels'].get('alertname') for one in servers.query('/api/v1/alerts')['alerts']]}")
        errors |= servers.errors()
        scrapes = servers.query("/api/v1/query?query=" + urllib.parse.quote('up{instance="attacked"}[3m]'))["result"][0]["values"]
        failed = sum(value != "1" for _, value in scrapes)
        before = sum(seen < at < reached - 1 for at, value in scrapes if value == "1")
        held(not failed, f"{failed} of {len(scrapes)} scrapes failed: {errors}")
        held(before <= 3, f"{PAGER} reached the webhook {reached - seen:.0f} s and {before} scrapes after the finding was on the page")
        verdict = agent.health()
        held(verdict["verdict"] == "failing" and verdict["action"] == "replace_node", f"{verdict['verdict']}, {verdict['action']}")
        events = client.patiently(lambda: client.document(world.port, "/api/v1/events?limit=10000"))["events"]
        held(any(event["kind"] == "xid" and event.get("number") == 79 for event in events), "the XID 79 is not in the history")
        honest.check(agent)
        done(all(counter.value > 50 for name, counter in count.items() if name != "engines"), f"{({n: c.value for n, c in count.items()})}")
        agent.check_same()
        return f"at the webhook {reached - seen:.0f} s and {before} scrapes after the finding; {len(scrapes)} scrapes, none failed; {({n: c.value for n, c in count.items()})}"
    finally:
        servers.stop()
