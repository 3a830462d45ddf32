"""The one sign that something is not recorded: a line on stderr."""

from __future__ import annotations

import sys

_said = False


def complain(problem: object) -> None:
    """Prints one line to stderr, once per process: the only sign that steps are not recorded."""
    global _said
    if _said:
        return
    _said = True
    try:
        sys.stderr.write("lapwing_steps: steps are not recorded: %s\n" % str(problem).replace("\n", " ")[:300])
    except Exception:
        pass
