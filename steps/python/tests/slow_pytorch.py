"""Real programs: four ranks over gloo with the PyTorch that this interpreter has. Run by steps/check-pytorch.

Rank 2 is the slow one. Its work takes 2.2 times as long; a sleep, so that the ratio holds on a busy machine.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import unittest

RANKS = 4
SLOW = 2
LONGEST = 240
HERE = os.path.dirname(os.path.abspath(__file__))
EVEN = {"even", "slow_loader", "same_parameters"}
UNKNOWN = {"compiled_afterwards"}


def run_ranks(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = {
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(RANKS), "LAPWING_STEPS_DIR": folder,
        "OMP_NUM_THREADS": "1", "USE_LIBUV": "0", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    ranks = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.pytorch_ranks", folder], cwd=os.path.dirname(HERE),
            env={**os.environ, **common, "RANK": str(n)}, stderr=subprocess.PIPE, text=True,
        )
        for n in range(RANKS)
    ]  # fmt: skip
    try:
        errors = [rank.communicate(timeout=LONGEST)[1] for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    if any(rank.returncode for rank in ranks):
        raise AssertionError("\n".join(errors))
    found = []
    for n in range(RANKS):
        with open(os.path.join(folder, "rank%d.json" % n)) as file:
            found.append(json.load(file))
    return found, errors


class RealPyTorch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="lapwing-pytorch-", dir=memory) as folder:
            cls.found, cls.errors = run_ranks(folder)

    def median(self, rank, case, part):
        records = self.found[rank][case]
        self.assertIsInstance(records, list, records)
        known = [each[part] for each in records[2:] if each[part] is not None]  # after the first steps, which differ
        self.assertGreaterEqual(len(known), len(records) // 2, "%s of rank %d is not known" % (part, rank))
        return statistics.median(known)

    def of_ranks(self, case, part):
        return [self.median(rank, case, part) for rank in range(RANKS)]

    def test_the_steps_of_all_ranks_are_equal(self):
        for case in self.found[0]:
            with self.subTest(case):
                durations = self.of_ranks(case, "duration")
                self.assertLess(max(durations), 1.25 * min(durations))

    def test_the_slow_rank_has_the_most_work_of_its_own_and_waits_least(self):
        for case in set(self.found[0]) - EVEN - UNKNOWN:
            with self.subTest(case):
                own, waits = self.of_ranks(case, "compute"), self.of_ranks(case, "communication")
                others = own[:SLOW] + own[SLOW + 1 :]
                self.assertGreater(own[SLOW], 1.4 * max(others), own)
                self.assertEqual(min(waits), waits[SLOW], waits)

    def test_fsdp_is_among_them(self):
        """1.13's needs CUDA, and cannot be imported by Python 3.11."""
        missing = {"fsdp1", "fsdp2"} - set(self.found[0])
        if missing:
            sys.stderr.write("skipped: %s: this PyTorch has it not for CPUs\n" % ", ".join(sorted(missing)))
            self.skipTest("this PyTorch has it not for CPUs")

    def test_even_ranks_have_even_work(self):
        own = self.of_ranks("even", "compute")
        self.assertLess(max(own), 1.4 * min(own))

    def test_a_slow_loader_is_waiting_for_data(self):
        data, own = self.of_ranks("slow_loader", "data"), self.of_ranks("slow_loader", "compute")
        self.assertGreater(data[SLOW], 4 * max(data[:SLOW] + data[SLOW + 1 :]))
        self.assertLess(max(own), 1.4 * min(own))

    def test_checkpoints_and_evaluations_are_neither_work_nor_waits(self):
        for case in ("saving", "evaluating"):
            for rank in range(RANKS):
                longest = max(each["duration"] for each in self.found[rank][case][4:])
                self.assertLess(longest, 3 * self.median(rank, case, "duration"))
        saved = [sum(each["checkpoint"] or 0.0 for each in self.found[rank]["saving"]) for rank in range(RANKS)]
        self.assertGreater(min(saved), 0.1)

    def test_a_model_that_is_compiled_with_its_hook_is_unknown_and_trains(self):
        for case in UNKNOWN & set(self.found[0]):
            for rank in range(RANKS):
                self.assertIsInstance(self.found[rank][case], list, self.found[rank][case])
                self.assertEqual({each["compute"] for each in self.found[rank][case][2:]}, {None})

    def test_the_example_of_the_documentation_runs(self):
        example = os.path.join(HERE, "..", "examples", "ddp.py")
        arguments = ["--ranks", "2", "--slow-rank", "1", "--steps", "5", "--step-ms", "20"]
        with tempfile.TemporaryDirectory(prefix="lapwing-pytorch-") as folder:
            environment = {**os.environ, "LAPWING_STEPS_DIR": folder, "PYTHONPATH": os.path.dirname(HERE), "USE_LIBUV": "0"}
            ran = subprocess.run(
                [sys.executable, example, *arguments], env=environment, stderr=subprocess.PIPE, text=True, timeout=LONGEST
            )
            self.assertEqual((ran.returncode, os.listdir(folder)), (0, []), ran.stderr)

    def test_nothing_was_said(self):
        for errors in self.errors:
            self.assertNotIn("lapwing_steps", errors)


if __name__ == "__main__":
    unittest.main()
