"""One rank of the MPI job of `slow_findings`: trains until it is ended; rank 2 works 2.2 times as long.

    mpirun -n 4 python3 -m tests.mpi_finding
"""

import itertools
import time
from array import array

from mpi4py import MPI

from lapwing_steps import Steps, mpi

SLOW = 2
SECONDS = 0.12


if __name__ == "__main__":
    steps = Steps(job="mpi")
    comm = mpi.watch(MPI.COMM_WORLD, steps=steps)
    gradient, total = array("d", [1.0] * 1000), array("d", [0.0] * 1000)
    for _ in steps.batches(itertools.count()):
        with steps.step():
            time.sleep(SECONDS * (2.2 if comm.Get_rank() == SLOW else 1.0))
            comm.Allreduce(gradient, total)
