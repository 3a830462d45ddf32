"""HTTP requests to the agent, over connections of our own."""

import http.client
import json
import socket
import time

from .page import OPENMETRICS, PLAIN, Page


class Refused(Exception):
    """An answer with another status than 200."""

    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


NODE = "10.9.0.1"  # where other machines reach the node


def target(source):
    """The address of the node that one asks from there."""
    return "127.0.0.1" if source.startswith("127.") else NODE


def get(port, path, source="127.0.0.1", seconds=20, **headers):
    """Status, headers and body; an OSError or HTTPException if there is no answer."""
    asked = http.client.HTTPConnection(target(source), port, timeout=seconds, source_address=(source, 0))
    try:
        asked.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = asked.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        asked.close()


def page(port, openmetrics=False, **options):
    status, _, body = get(port, "/metrics", Accept=OPENMETRICS if openmetrics else PLAIN, **options)
    if status != 200:
        raise Refused(status)
    return Page(body, openmetrics)


def document(port, path, **options):
    """A JSON document of the API."""
    status, _, body = get(port, path, **options)
    if status != 200:
        raise Refused(status)
    return json.loads(body)


def patiently(ask, seconds=30):
    """Asks again while it is refused or not answered."""
    until = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except (OSError, http.client.HTTPException, Refused):
            if time.monotonic() > until:
                raise
            time.sleep(0.3)


def raw(port, data, source="127.0.0.1", seconds=10):
    """What the agent answers to these bytes, to the end of the connection or of the time."""
    answer = b""
    with socket.create_connection((target(source), port), timeout=seconds, source_address=(source, 0)) as connection:
        try:
            connection.sendall(data)
            while len(answer) < 1 << 20:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
        except OSError:
            pass
    return answer
