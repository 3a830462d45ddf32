"""Real programs and a real agent: what is found is what a person would say of them. About nine minutes.

    LAPWING_AGENT='java -jar lapwing-agent.jar agent' python3 -m unittest tests.slow_findings

Each job has four ranks of DistributedDataParallel over gloo. Work is a sleep, so that the ratios hold on a busy machine.
"""

import importlib.util
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from .slow_mpi import OPEN_MPI

RANKS = 4
SLOW = 2
HERE = os.path.dirname(os.path.abspath(__file__))
NAMED = 160.0  # seconds after the first steps until a slow rank is named: two minutes are compared
WATCHED = 200.0
PAUSED = 110.0  # a stall is found after 70 s
STARTED = 180.0  # sixteen processes import PyTorch


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Job:
    def __init__(self, kind, folder):
        self.began = time.monotonic()
        common = {
            "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": str(RANKS), "LAPWING_STEPS_DIR": folder,
            "OMP_NUM_THREADS": "1", "USE_LIBUV": "0", "PYTHONDONTWRITEBYTECODE": "1", "LAPWING_STEPS_STACK": "1",
        }  # fmt: skip
        self.ranks = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.finding_ranks", kind], cwd=os.path.dirname(HERE),
                env={**os.environ, **common, "RANK": str(n), "LOCAL_RANK": str(n)}, stderr=subprocess.DEVNULL,
            )
            for n in range(RANKS)
        ]  # fmt: skip

    def age(self):
        return time.monotonic() - self.began

    def end(self):
        for rank in self.ranks:
            rank.kill()
            rank.wait()


class MpiJob(Job):
    """All ranks are of one mpirun."""

    there = shutil.which("mpirun") is not None and importlib.util.find_spec("mpi4py") is not None

    def __init__(self, folder):
        self.began = time.monotonic()
        environment = {**os.environ, **OPEN_MPI, "LAPWING_STEPS_DIR": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["mpirun", "-n", str(RANKS), sys.executable, "-m", "tests.mpi_finding"]
        self.mpirun = subprocess.Popen(command, cwd=os.path.dirname(HERE), env=environment, stderr=subprocess.DEVNULL)

    def end(self):
        self.mpirun.terminate()  # and with it its ranks
        self.mpirun.wait()


@unittest.skipUnless(os.environ.get("LAPWING_AGENT"), "LAPWING_AGENT is not set")
class Findings(unittest.TestCase):
    def setUp(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        folder = tempfile.TemporaryDirectory(prefix="lapwing-findings-", dir=memory)
        self.addCleanup(folder.cleanup)
        self.steps = os.path.join(folder.name, "steps")
        os.mkdir(self.steps)
        os.chmod(self.steps, 0o1777)
        port = free_port()
        self.url = "http://127.0.0.1:%d" % port
        flags = {
            "web.listen-address": "127.0.0.1:%d" % port, "path.state": folder.name + "/state", "training.steps-dir": self.steps,
            "imds.url": "off",
        }  # fmt: skip
        command = shlex.split(os.environ["LAPWING_AGENT"]) + ["--%s=%s" % flag for flag in flags.items()]
        log = open(os.path.join(folder.name, "agent.log"), "wb")
        agent = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        self.addCleanup(agent.wait)
        self.addCleanup(agent.terminate)
        self.until(60, self.health, "the agent does not answer")

    def job(self, kind):
        job = MpiJob(self.steps) if kind == "mpi" else Job(kind, self.steps)
        self.addCleanup(job.end)
        return job

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return answer.read().decode()

    def health(self):
        try:
            return json.loads(self.get("/api/v1/health"))
        except OSError:
            return None

    def findings(self):
        """What is found about training now, as (rule, subject, text)."""
        found = (self.health() or {}).get("findings", [])
        return [(each["rule"], each["subject"], json.dumps(each)) for each in found if each["rule"].startswith("training_")]

    def until(self, seconds, condition, problem):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            got = condition()
            if got:
                return got
            time.sleep(0.5)
        raise AssertionError("%s within %d s" % (problem, seconds))

    def test_a_slow_rank_is_named_and_uneven_work_a_slow_loader_and_savers_are_not(self):
        slow, *others = [self.job(kind) for kind in ("compute", "moving", "loader", "saving")]
        self.trains(4)
        first = slow.age()
        named, lost = None, set()
        while slow.age() < first + WATCHED:
            for rule, subject, text in self.findings():
                self.assertEqual((rule, subject), ("training_straggler", "training:compute/%d" % SLOW), text)
                named = named or slow.age()
            lost |= {each["sentence"] for each in (self.health() or {}).get("slow", [])}
            time.sleep(1)
        for job in (slow, *others):
            self.assertEqual([rank.poll() for rank in job.ranks], [None] * RANKS)
        self.assertIsNotNone(named, "rank %d is not named" % SLOW)
        print("the slow rank was named %.0f s after its program began, of which its start took %.0f s" % (named, first))
        self.assertLess(named - first, NAMED)
        waits = [each for each in lost if each.startswith("rank %d of job loader " % SLOW)]
        self.assertTrue(waits and all("waiting for data took" in each for each in waits), lost)
        page = self.get("/metrics")
        saved = [line for line in page.splitlines() if line.startswith("lapwing_training_last_checkpoint_step{")]
        self.assertEqual(len([line for line in saved if 'job_id="saving"' in line]), RANKS, saved)

    def test_a_stopped_rank_a_killed_one_a_stuck_one_and_a_slow_one_of_mpi_are_named(self):
        if MpiJob.there:
            self.job("mpi")
        else:
            sys.stderr.write("skipped: MPI: no mpirun, or no mpi4py\n")
        stopped, killed, _ = (self.job(kind) for kind in ("stopped", "killed", "stuck"))
        self.trains(4 if MpiJob.there else 3)
        trained = time.monotonic()
        time.sleep(10)  # the usual length of a step is known
        killed.ranks[1].kill()
        began = time.monotonic()
        self.until(60, lambda: self.named("training_rank_gone", "rank 1", "killed"), "who was killed is not named")
        print("the killed rank was named after %.0f s" % (time.monotonic() - began))
        stopped.ranks[1].send_signal(signal.SIGSTOP)
        began = time.monotonic()
        text = self.until(100, lambda: self.named("training_stall", "rank 1", "stopped"), "who is stopped is not named")
        print("the stopped rank was named after %.0f s" % (time.monotonic() - began))
        self.assertIn("stopped by a signal or a debugger: rank 1", text)
        stopped.ranks[1].send_signal(signal.SIGCONT)
        self.until(30, lambda: not self.named("training_stall", "rank 1", "stopped"), "the stall does not end")
        text = self.until(100, lambda: self.named("training_stall", "rank 1", "stuck"), "who is stuck is not named")
        self.assertRegex(text, "3 wait for other ranks, but not rank 1 [^;]* at finding_ranks.py:[0-9]+ load_for_ever")
        if MpiJob.there:
            slow = "training:mpi/%d" % SLOW
            self.until(NAMED, lambda: self.named("training_straggler", "", slow), "the slow rank of the MPI job is not named")
            print("the slow rank of the MPI job was named after %.0f s" % (time.monotonic() - trained))
            self.assertEqual([each[1] for each in self.findings() if "training:mpi/" in each[1]], [slow])

    def test_ranks_that_wait_for_a_saver_and_those_whose_loop_is_over_are_neither_stalled_nor_gone(self):
        _, join, _ = (self.job(kind) for kind in ("one_saves", "join", "last_save"))
        self.trains(3)
        leaves = self.job("leaves")
        self.trains(4)
        time.sleep(15)  # the loops that end have ended
        began = time.monotonic()
        while time.monotonic() < began + PAUSED:
            self.assertEqual(self.findings(), [])
            time.sleep(1)
        self.assertEqual([rank.poll() for rank in join.ranks], [None] * RANKS)
        self.assertEqual([rank.poll() for rank in leaves.ranks], [None, 0, 0, 0])

    def trains(self, jobs):
        def all_ranks():
            return self.get("/metrics").count("\nlapwing_training_last_step{") == jobs * RANKS

        self.until(STARTED, all_ranks, "not all ranks train")

    def named(self, rule, rank, job):
        return next((text for found, _, text in self.findings() if found == rule and rank in text and job in text), None)


if __name__ == "__main__":
    unittest.main()
