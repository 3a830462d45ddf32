"""Single requests that should be harmless."""

import gzip
import random

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter


@attack("N8", "10,000 collect[] parameters and 4 MB of header are refused or served", root=False, seconds=25)
def parameters(world):
    """Clients send 10,000 collect[] and exclude[] parameters, 600 of them in the longest allowed line, 4 MB of headers, 20,000 short
    headers, and a body of 1 GB announced with a few bytes of it. Held if each gets an answer or an end, and nothing else changes."""
    agent = world.agent()
    many = "&".join(f"collect[]=gpu_{number}" for number in range(10_000))
    longest = "&".join(f"exclude[]=c{number}" for number in range(560))
    requests = [f"GET /metrics?{many} HTTP/1.1\r\nHost: n\r\n\r\n", f"GET /metrics?{longest} HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nHost: n\r\nX: " + "y" * (4 << 20) + "\r\n\r\n",
                "GET /metrics HTTP/1.1\r\nHost: n\r\n" + "".join(f"H{number}: 1\r\n" for number in range(20_000)) + "\r\n",
                "POST /metrics HTTP/1.1\r\nHost: n\r\nContent-Length: 1073741824\r\n\r\nabc"]
    statuses = []
    for request in requests * 3:
        answer = client.raw(world.port, request.encode())
        statuses.append(answer[9:12].decode() or "closed")
    done(len(statuses) == 15, "not all was sent")
    held(all(status in ("400", "405", "413", "414", "431", "closed") or status == "200" for status in statuses), f"answers: {statuses}")
    held("500" not in statuses, f"answers: {statuses}")
    agent.check_all()
    return f"answers {sorted(set(statuses))}"


@attack("N9", "ranges, codings and smuggled requests give no other page", root=False, seconds=25)
def tricks(world):
    """A client asks with ranges, with hundreds of codings, with contradicting lengths, absolute and encoded paths, and pipelines 500
    requests. Held if there is no part of a page, no second answer to one request, no file, and gzip that unpacks."""
    agent = world.agent()
    for value in ("bytes=0-0", "bytes=-1", "bytes=" + ",".join(f"{number}-{number + 1}" for number in range(500))):
        status, headers, body = client.get(world.port, "/metrics", Range=value, Connection="close")
        held(status in (200, 400, 416), f"a range: {status}")
        held(status != 200 or b"DCGM_FI_DEV_GPU_TEMP" in body, "a part of a page")
    codings = ",".join(f"x{number};q=0.{number % 10}" for number in range(300)) + ",gzip"
    for value in (codings, "gzip;q=0, *;q=1", "identity;q=0", "gzip, gzip, gzip"):
        status, headers, body = client.get(world.port, "/metrics", Accept_Encoding=value, Connection="close")
        text = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
        held(status in (400, 406) or b"DCGM_FI_DEV_GPU_TEMP" in text, f"{value[:40]}: status {status}")
    smuggled = b"GET /-/healthy HTTP/1.1\r\nHost: n\r\n\r\n"
    for head in (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"Content-Length: 0\r\nContent-Length: 37\r\n", b"Transfer-Encoding: xchunked\r\n"):
        answer = client.raw(world.port, b"GET /api/v1/health HTTP/1.1\r\nHost: n\r\n" + head + b"\r\n0\r\n\r\n" + smuggled, seconds=5)
        held(answer.count(b"HTTP/1.1 200") == 0, f"a smuggled request was answered: {head!r}")
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/ui/..%2f..%2fetc/passwd", "//etc/passwd", "/ui/%00"):
        answer = client.raw(world.port, f"GET {path} HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n".encode())
        held(b"root:" not in answer and b" 500 " not in answer[:20], f"{path}: {answer[:60]!r}")
    answer = client.raw(world.port, b"GET /-/healthy HTTP/1.1\r\nHost: n\r\n\r\n" * 500 + b"GET /-/healthy HTTP/1.1\r\nHost: n\r\nConnection: close\r\n\r\n")
    done(answer.count(b"HTTP/1.1") > 1, "the pipelined requests were not answered")
    agent.check_all()
    return f"{answer.count(b'HTTP/1.1 200')} of 501 pipelined answers"


@attack("N10", "random bytes on the port do nothing", root=False, seconds=25)
def noise(world):
    """A user sends random and cut requests on 400 connections. Held if the agent is as before and logs no error of its own."""
    agent, sent = world.agent(), Counter()

    def send():
        source = random.Random(1)
        pieces = [b"GET ", b"/metrics", b" HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"Host: ", b"\r\n\r\n", b"\0" * 9, b"\x16\x03\x01\x02\x00", b"%"]
        for _ in range(400):
            data = b"".join(source.choice(pieces) if source.random() < 0.7 else source.randbytes(source.randrange(300)) for _ in range(12))
            try:
                client.raw(world.port, data, seconds=0.2)
                sent.add()
            except OSError:
                pass

    user = world.attacker(send, NOBODY)
    done(user.wait(150) == 0 and sent.value >= 390, f"{sent.value} connections")
    agent.check_all()
    held("Exception" not in agent.log.read_text(), f"the log has an exception: {agent.log_end()}")
    return f"{sent.value} connections"


@attack("A16a", "a page of another site cannot read the API through a browser", root=False, seconds=20)
def rebinding(world):
    """A site lets its name point to the node, so that a browser there asks with that name as Host and the headers of browsers.
    Held if such a request is refused for the page, the API and the UI, and JSON is never stored by a cache."""
    agent = world.agent()
    for host, served in (("attacker.com", False), ("127.0.0.1", True)):
        for path in ("/api/v1/health", "/metrics", "/api/v1/events", "/ui"):
            asked = f"GET {path} HTTP/1.1\r\nHost: {host}:{world.port}\r\nAccept-Language: en\r\nConnection: close\r\n\r\n"
            answer = client.raw(world.port, asked.encode())[9:12]
            held((answer in (b"200", b"302")) == served, f"{path} for the host {host}: {answer.decode()}")
    status, headers, _ = client.get(world.port, "/api/v1/health")
    held(status == 200 and "no-store" in headers.get("Cache-Control", ""), f"Cache-Control of the API: {headers.get('Cache-Control')}")
    agent.check_all()
    return "another host is refused, JSON is not stored"


@attack("A16b", "with --web.privacy=hidden no name of a user is shown", seconds=45)
def privacy(world):
    """Tenants read all pages of an agent with --web.privacy=hidden while another tenant's job runs. Held if neither its job nor its run
    nor its loss is on the page, in the API or in the UI, and the hardware is."""
    from rig.ranks import lapwing_steps
    import time

    agent = world.agent(web__privacy="hidden")

    def secret():
        with lapwing_steps.Steps(job="secret-job-4242", run="secret-run-4343", rank=0, gpu=1, directory=str(world.steps)) as steps:
            while True:
                steps.record(duration=0.2, loss=4.4444, tokens=10)
                time.sleep(0.2)

    world.attacker(secret, 1001)
    until = time.monotonic() + 20
    while time.monotonic() < until and not agent.page().value("lapwing_training_ranks"):
        time.sleep(0.5)
    done(agent.page().value("lapwing_training_ranks") == 1, "the agent does not read the job's rank")
    time.sleep(6)
    for path in ("/metrics", "/api/v1/health", "/api/v1/node", "/api/v1/events", "/api/v1/live", "/", "/ui"):
        status, _, body = client.get(world.port, path)
        shown = [word for word in (b"secret-job", b"secret-run", b"4.4444") if word in body]
        held(not shown, f"{path} shows {shown}")
    agent.check_all()
    return "nothing of the job is shown"


@attack("N24", "a user's own loop does not show the pseudonym of another's job", seconds=45)
def pseudonyms(world):
    """With --web.privacy=hashed another user runs a loop with the job and run names of the victim's, as another rank, and one more after the victim's has
    ended, as the same rank. Held if no pseudonym of the victim's is among those of the other user's."""
    from rig.ranks import lapwing_steps
    import time

    agent = world.agent(web__privacy="hashed")

    def loop(rank, gpu):
        def run():
            with lapwing_steps.Steps(job="secret-job-4242", run="secret-run-4343", rank=rank, gpu=gpu, directory=str(world.steps)) as steps:
                while True:
                    steps.record(duration=0.2, tokens=10)
                    time.sleep(0.2)

        return run

    def shown(rank, seconds=25):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = agent.page().find("lapwing_training_info", rank=str(rank))
            if found:
                return {found[0][0]["job_id"], found[0][0]["run"]}
            time.sleep(0.5)
        return set()

    def sources():
        body = client.get(world.port, "/api/v1/node")[2].decode()
        return {word.strip('",') for word in body.split() if word.startswith('"training-h')}

    victim = world.attacker(loop(0, 1), 1001)
    names = shown(0)
    done(len(names) == 2 and all(name.startswith("h") for name in names), f"the victim's rank is shown as {names}")
    before = sources()
    done(before, "the victim's source is not listed")
    world.attacker(loop(1, 2), NOBODY)
    beside = shown(1)
    done(len(beside) == 2, f"the other user's rank is shown as {beside}")
    held(not names & beside, f"both have {names & beside}")
    victim.stop()
    until = time.monotonic() + 30
    while time.monotonic() < until and agent.page().find("lapwing_training_info", rank="0"):
        time.sleep(0.5)
    world.attacker(loop(0, 1), NOBODY)
    later = shown(0)
    done(len(later) == 2, f"the other user's second rank is shown as {later}")
    held(not names & later, f"both have {names & later}")
    held(not before & sources(), f"both have the source {before & sources()}")
    agent.check_all()
    return f"{sorted(names)} of the victim, {sorted(beside | later)} of the other"
