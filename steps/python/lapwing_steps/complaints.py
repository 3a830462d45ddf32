"""The signs that something is not recorded: lines on stderr, each kind once per process."""

from __future__ import annotations

import sys
from typing import Set

STEPS = "steps are not recorded"
WAITS = "waiting for other ranks is not measured"
CHECKPOINTS = "checkpoints are not reported"
FOLDER = "the folder of the step files was missing"

_said: Set[str] = set()


def complain(problem: object, what: str = STEPS) -> None:
    """Prints one line to stderr, once per process and kind."""
    if what in _said:
        return
    _said.add(what)
    try:
        sys.stderr.write("lapwing_steps: %s: %s\n" % (what, str(problem).replace("\n", " ")[:300]))
    except Exception:
        pass
