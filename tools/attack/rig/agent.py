"""The agent as its unit runs it: its own user, its capabilities and limits, and a restart after a second."""

import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import time
import traceback

from . import client
from .isolation import mount, own_mounts
from .outcome import Failed, held
from .process import AGENT, Child, end_with_parent
from .unit import runtime_directory


class Agent:
    """An agent with a supervisor, which does what systemd does for the unit."""

    def __init__(self, world, flags, listening=None):
        self.world, self.flags, self.listening = world, flags, listening
        self.port = world.port
        self.folder = world.folder
        self.log = self.folder / "agent.log"
        self.journal = self.folder / "agent.journal"
        self.journal.touch()
        self.expected = 1
        self.supervisor = Child(self._supervise)

    # --- The supervisor, a process of its own ---

    def _supervise(self):
        running = {"agent": 0}

        def stop(*_):
            if running["agent"]:
                os.kill(running["agent"], signal.SIGKILL)
            os._exit(0)

        signal.signal(signal.SIGTERM, stop)
        while True:
            self._runtime_directory()
            pid = os.fork()
            if pid == 0:
                self._become_agent()
            running["agent"] = pid
            self._note(pid=pid)
            _, status = os.waitpid(pid, 0)
            running["agent"] = 0
            self._note(pid=pid, exit=os.waitstatus_to_exitcode(status))
            time.sleep(self.world.limits.restart)

    def _runtime_directory(self):
        """systemd removes it with all that is in it when the service ends."""
        name = runtime_directory()
        if name and self.world.root:
            shutil.rmtree(self.world.run / name, ignore_errors=True)
            (self.world.run / name).mkdir(mode=0o755)
            os.chown(self.world.run / name, AGENT, AGENT)

    def _note(self, **fact):
        with self.journal.open("a") as journal:
            journal.write(json.dumps(fact) + "\n")

    def _become_agent(self):
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            limits, environment = self.world.limits, {k: v for k, v in os.environ.items() if not k.startswith("LAPWING_")}
            words = [*self.world.programs.agent, "agent", *self.flags]
            log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            if self.listening is not None:
                os.dup2(self.listening.fileno(), 3, inheritable=True)
                environment.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="lapwing.socket")
            os.nice(limits.nice)
            files = min(limits.files, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.umask(0o077)
            if self.world.root:
                self.world.groups.join()
                try:
                    pathlib.Path("/proc/self/oom_score_adj").write_text(str(limits.oom_score))
                except PermissionError:
                    pass  # a container without CAP_SYS_RESOURCE
                own_mounts()  # PrivateTmp
                mount("tmpfs", self.world.tmp, "size=64m,mode=1777")
                words = [*self._as_user(limits), *words]
            end_with_parent()
            os.closerange(4 if self.listening is not None else 3, 1024)
            os.execvpe(words[0], words, environment)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(127)

    @staticmethod
    def _as_user(limits):
        given = ",".join(["-all", *(f"+{name}" for name in limits.capabilities)])
        return ["setpriv", f"--reuid={AGENT}", f"--regid={AGENT}", "--clear-groups", "--no-new-privs", f"--inh-caps={given}",
                f"--ambient-caps={given}", f"--bounding-set={given}", "--pdeathsig=KILL", "--"]

    # --- What it is and says ---

    def lives(self):
        """Its starts and exits so far."""
        return [json.loads(line) for line in self.journal.read_text().splitlines()]

    @property
    def pid(self):
        return self.lives()[-1]["pid"]

    def await_ready(self, seconds=60):
        """Until its page has the hardware."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if client.get(self.port, "/-/ready")[0] == 200:
                    self.page().check_hardware()
                    if self.health()["verdict"] != "unknown":
                        return self
            except Exception:  # not yet
                time.sleep(0.2)
        raise Failed(f"the agent is not ready after {seconds} s; its log ends:\n{self.log_end()}")

    def page(self, openmetrics=False, **options):
        return client.page(self.port, openmetrics, **options)

    def health(self):
        return client.patiently(lambda: client.document(self.port, "/api/v1/health"))

    def findings(self):
        return self.health()["findings"]

    def check(self, *flags, uid=None):
        """Exit code and output of `lapwing check` on this node."""
        words = [*self.world.programs.agent, "check", *flags, *self.world.check_flags]
        user = {"user": uid, "group": uid, "extra_groups": []} if uid is not None else {}
        ran = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, cwd="/", **user)
        return ran.returncode, (ran.stdout + ran.stderr).strip()

    def kill(self):
        """Ends it by SIGKILL; the supervisor starts it again."""
        self.expected += 1
        os.kill(self.pid, signal.SIGKILL)

    def log_end(self, lines=12):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""

    def check_same(self):
        """It has not been restarted, unless by us, and not been killed for memory."""
        starts = [life for life in self.lives() if "exit" not in life]
        exits = [life["exit"] for life in self.lives() if "exit" in life]
        why = next((line for line in reversed(self.log_end(40).splitlines()) if "OutOfMemory" in line or "level=error" in line), "")
        held(len(starts) == self.expected, f"the agent was restarted {len(starts) - self.expected} times; exit codes {exits} {why}")
        killed = self.world.groups.killed_for_memory() if self.world.groups else 0
        held(not killed, f"the kernel killed {killed} processes of the agent's group for memory")

    def check_all(self, verdict="healthy"):
        """What every attack must leave: the same process, the hardware on both pages, and the true verdict."""
        self.check_same()
        for openmetrics in (False, True):
            client.patiently(lambda: self.page(openmetrics)).check_hardware()
        says = self.health()
        held(says["verdict"] == verdict, f"the verdict is {says['verdict']}: {says['summary'][:300]}")
        self.check_same()

    def stop(self):
        self.supervisor.stop(signal.SIGTERM)


def listen(port, backlog):
    """The socket that systemd holds for the agent."""
    held_open = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=backlog)
    held_open.set_inheritable(True)
    return held_open
