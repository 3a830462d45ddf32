"""Who answers on the agent's port."""

import json
import socket
import time

from rig import client
from rig.attack import attack
from rig.outcome import done, held
from rig.process import NOBODY, Counter

FORGED = "GPU 3 has fallen off the bus"


def forged_health(real):
    """The agent's own answer with a replacement in it."""
    real = dict(real, verdict="failing", action="replace_node", urgency="now", summary=FORGED)
    real["gpus"] = [dict(gpu, verdict="failing", action="replace_node") for gpu in real["gpus"]]
    body = json.dumps(real).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body)


@attack("A4", "nobody else gets the port when the agent is down", seconds=45)
def squat(world):
    """A user binds the agent's port as soon as it is free and answers with a forged verdict; the agent is killed three
    times. Held if `lapwing check` never says what the user made up, no scrape shows it, and the agent serves again."""
    agent = world.agent()
    tries, answers = Counter(), Counter()
    forged = forged_health(agent.health())

    def serve(listener):
        listener.listen(64)
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(2)
                try:
                    connection.recv(65536)
                    connection.sendall(forged)
                    answers.add()
                except OSError:
                    pass

    def wait_for_port():
        while True:
            for family, host in ((socket.AF_INET6, "::"), (socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "0.0.0.0")):
                listener = socket.socket(family, socket.SOCK_STREAM)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                tries.add()
                try:
                    listener.bind((host, world.port))
                    serve(listener)
                except OSError:
                    listener.close()
            time.sleep(0.001)

    world.attacker(wait_for_port, NOBODY)
    said = set()
    for _ in range(3):
        agent.kill()
        for _ in range(2):
            code, text = agent.check("--brief")
            said.add(f"{code}: {text[:160]}")
            held(FORGED not in text and "replace" not in text.lower(), f"lapwing check says what the user made up: {code}: {text[:200]}")
        until = time.monotonic() + 25
        while time.monotonic() < until:
            try:
                body = client.get(world.port, "/api/v1/health", seconds=5)[2]
                held(FORGED.encode() not in body, "the user serves the agent's port")
                if json.loads(body)["verdict"] == "healthy":
                    break
            except (OSError, client.http.client.HTTPException, ValueError):
                pass
            time.sleep(0.2)
    done(tries.value > 500, f"only {tries.value} tries to bind")
    held(not answers.value, f"the user answered {answers.value} requests on the agent's port")
    agent.check_all()
    return f"{tries.value} tries; check said {sorted(said)}"
