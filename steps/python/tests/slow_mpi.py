"""A real MPI program: four ranks of mpi4py. Run by steps/check-mpi."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

RANKS = 4
SLOW = 2
LONGEST = 120
HERE = os.path.dirname(os.path.abspath(__file__))
# For Open MPI: as root in a container, and more ranks than processors.
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}  # fmt: skip


class RealMpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = []
        with tempfile.TemporaryDirectory(prefix="lapwing-mpi-") as folder:
            environment = {**os.environ, **OPEN_MPI, "LAPWING_STEPS_DIR": folder, "PYTHONDONTWRITEBYTECODE": "1"}
            ran = subprocess.run(
                ["mpirun", "-n", str(RANKS), sys.executable, "-m", "tests.mpi_ranks", folder], cwd=os.path.dirname(HERE),
                env=environment, stderr=subprocess.PIPE, text=True, timeout=LONGEST,
            )  # fmt: skip
            if ran.returncode:
                raise AssertionError(ran.stderr)
            cls.errors = ran.stderr
            for rank in range(RANKS):
                with open(os.path.join(folder, "rank%d.json" % rank)) as file:
                    cls.found.append(json.load(file))
            cls.left = [name for name in os.listdir(folder) if name.endswith(".steps")]

    def of_ranks(self, case, part):
        known = [[each[part] for each in ranks[case][2:] if each[part] is not None] for ranks in self.found]
        self.assertGreaterEqual(min(map(len, known)), 6, known)
        return [statistics.median(each) for each in known]

    def test_the_slow_rank_has_the_most_work_of_its_own_and_waits_least(self):
        for case in set(self.found[0]) - {"slow_loader"}:
            with self.subTest(case):
                own, waits = self.of_ranks(case, "compute"), self.of_ranks(case, "communication")
                self.assertGreater(own[SLOW], 1.4 * max(own[:SLOW] + own[SLOW + 1 :]), own)
                self.assertEqual(min(waits), waits[SLOW], waits)
                durations = self.of_ranks(case, "duration")
                self.assertLess(max(durations), 1.25 * min(durations))

    def test_a_slow_loader_is_waiting_for_data(self):
        data, own = self.of_ranks("slow_loader", "data"), self.of_ranks("slow_loader", "compute")
        self.assertGreater(data[SLOW], 4 * max(data[:SLOW] + data[SLOW + 1 :]))
        self.assertLess(max(own), 1.4 * min(own))

    def test_nothing_was_said_and_nothing_is_left(self):
        self.assertNotIn("lapwing_steps", self.errors)
        self.assertEqual(self.left, [])


if __name__ == "__main__":
    unittest.main()
