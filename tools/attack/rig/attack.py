"""The list of attacks, and how one runs: in a process of its own."""

import json
import os
import signal
import time
import traceback
from dataclasses import dataclass
from typing import Callable

from .isolation import groups_of, remove_groups
from .outcome import Failed, NotHeld, NotTried
from .world import World

ATTACKS = []


@dataclass(frozen=True)
class Programs:
    """Command lines: of the agent, the simulator, and the servers of the demo."""

    agent: list
    simulator: list
    servers: list


@dataclass(frozen=True)
class Attack:
    name: str
    title: str
    function: Callable
    root: bool  # whether it needs users other than the agent's
    seconds: int  # roughly; long ones start first
    alone: bool  # whether nothing else should run at the same time


def attack(name, title, root=True, seconds=20, alone=False):
    """Registers a function as an attack. It returns what was done, in a few words."""

    def register(function):
        ATTACKS.append(Attack(name, title, function, root, seconds, alone))
        return function

    return register


class Running:
    """An attack under way; its outcome is in a file."""

    def __init__(self, one, folder, programs, shared):
        self.attack = one
        self.folder = folder / one.name
        self.file = folder / f"{one.name}.json"
        self.begun = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                self.file.write_text(json.dumps(self._outcome(programs, shared)))
            finally:
                os._exit(0)

    def _outcome(self, programs, shared):
        try:
            if self.attack.root and os.geteuid():
                raise NotTried("needs root")
            with World(self.attack.name, self.folder, programs, shared) as world:
                said = self.attack.function(world)
            return "held", said or ""
        except NotHeld as what:
            return "NOT HELD", str(what)
        except NotTried as why:
            return "not tried", str(why)
        except Failed as why:
            return "NOT HELD", f"the attack did not do what it claims: {why}"
        except BaseException as broken:  # noqa: BLE001 (whatever it is, the attack is not held)
            (self.folder / "traceback").write_text(traceback.format_exc())
            return "NOT HELD", f"the attack broke off: {type(broken).__name__}: {broken}"

    def over(self):
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        return pid != 0

    def outcome(self):
        kind, said = json.loads(self.file.read_text()) if self.file.exists() else ("NOT HELD", "the attack's process was killed")
        return kind, " ".join(str(said).split())

    def stop(self):
        """Ends it at once. The launcher waits five seconds only."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def clean(self):
        """Ends all that it started and left, and removes its control groups."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        remove_groups(groups_of(f"lapwing-attack-{self.pid}"))
