"""What one attack has to itself: namespaces, folders, an agent, users."""

import http.client
import os
import pathlib
import shutil
import subprocess
import time

from .agent import Agent, listen
from .isolation import Groups, mount, own_cgroup_root, own_mounts, own_network
from .node import Node
from .outcome import Failed
from .process import AGENT, Child
from .unit import Limits, backlog, steps_mount


class World:
    """With root each attack has its own /run, /tmp, network and control groups; without, only an agent and a folder."""

    def __init__(self, name, folder, programs, shared):
        self.name, self.folder, self.programs = name, folder, programs
        self.root = os.geteuid() == 0
        self.node, self.limits = shared, Limits.shipped()
        self.groups = self.group = None
        self.tmp = pathlib.Path("/tmp")
        self.port, self.check_flags = 9754, []
        self._agents, self._children, self._nodes = [], [], []
        folder.mkdir(parents=True)
        folder.chmod(0o755)

    def __enter__(self):
        if self.root:
            self.group = own_cgroup_root(f"lapwing-attack-{os.getpid()}")
            self.groups = Groups(f"lapwing-attack-{os.getpid()}-agent", self.limits)
            own_mounts()
            own_network()
            mount("tmpfs", pathlib.Path("/run"), "size=64m,nr_inodes=20k,mode=755")
            mount("tmpfs", self.tmp, "size=32m,mode=1777")
            self.run = pathlib.Path("/run")
            self._name_agent()
        else:
            self.run = self.folder / "run"
            self.run.mkdir()
            self.port = _free_port()
        self.lapwing = self.run / "lapwing"
        self.lapwing.mkdir()
        self.steps = self.lapwing / "steps"
        self.steps.mkdir()
        if self.root and steps_mount():
            mount("tmpfs", self.steps, steps_mount())
        else:
            self.steps.chmod(0o1777)
        return self

    def _name_agent(self):
        """Gives the agent's uid its name in this attack's /etc/passwd."""
        for file, line in (("passwd", f"lapwing:x:{AGENT}:{AGENT}::/var/lib/lapwing:/usr/sbin/nologin"), ("group", f"lapwing:x:{AGENT}:")):
            copy, real = self.folder / file, pathlib.Path("/etc") / file
            kept = [one for one in real.read_text().splitlines() if not one.startswith("lapwing:")]
            copy.write_text("\n".join([*kept, line, ""]))
            subprocess.run(["mount", "--bind", str(copy), str(real)], check=True)

    def own_node(self, scenario="healthy"):
        """A node whose driver and kernel log only this attack changes."""
        self.node = Node(self.folder / "own", self.programs.simulator, scenario)
        self._nodes.append(self.node)
        return self.node

    def agent(self, ready=Agent.await_ready, **changes):
        """A ready agent; `changes` replace flags, with `_` for `-` and `__` for a dot."""
        state = self.folder / "state"
        state.mkdir(mode=0o750, exist_ok=True)
        own = {"path.state": state, "path.procfs": "/proc", "path.kmsg": self.node.kernel.path, "training.steps-dir": self.steps}
        own["web.listen-address"] = f":{self.port}"
        if self.root:
            os.chown(state, AGENT, AGENT)
        flags = {**self.node.flags, **own}
        flags.update((name.replace("__", ".").replace("_", "-"), value) for name, value in changes.items())
        if self.group:  # the real groups in place of the simulated node's
            groups = self.node.folder / "sys" / "fs" / "cgroup"
            groups.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "--bind", str(self.group), str(groups)], check=True)
        self.check_flags = [f"--{name}={value}" for name, value in flags.items() if value is not None]
        socket = listen(self.port, backlog()) if backlog() and self.root else None
        agent = Agent(self, self.check_flags, socket)
        self._agents.append(agent)
        ready(agent)
        return agent

    def secured_agent(self, web, ask):
        """An agent with a web configuration; ready when `ask` gives status 200."""

        def ready(_):
            until = time.monotonic() + 60
            while time.monotonic() < until:
                try:
                    if ask() == 200:
                        return
                except (OSError, http.client.HTTPException):
                    pass
                time.sleep(0.3)
            raise Failed("the agent does not serve the user with the right password")

        return self.agent(ready=ready, web__config__file=web)

    def attacker(self, function, uid=None):
        """A process of a user that runs the function until the end of the attack; without root, of our own user."""
        child = Child(function, uid if self.root else None)
        self._children.append(child)
        return child

    def __exit__(self, *_):
        for child in self._children:
            child.stop()
        for agent in self._agents:
            agent.stop()
        for node in self._nodes:
            node.stop()
        if self.root:
            subprocess.run(["umount", "-l", "/run", str(self.tmp)], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder / "own", ignore_errors=True)


def _free_port():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]
