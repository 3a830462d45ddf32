"""One rank of the job of `slow_mpi`: trains each case for some steps and writes what its records say.

    mpirun -n 4 python3 -m tests.mpi_ranks FOLDER

Work is a sleep. Rank 2 is the slow one.
"""

import json
import os
import sys
import time
from array import array

from mpi4py import MPI

from lapwing_steps import Steps, mpi

from .reading import at, contents, said

SLOW = 2
STEPS = 12
SECONDS = 0.04  # of own work in a step
RANK = MPI.COMM_WORLD.Get_rank()
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def loader(seconds):
    for number in range(STEPS):
        time.sleep(seconds)
        yield number


def train(communicate, work=SECONDS * (2.2 if RANK == SLOW else 1.0), loading=0.002):
    steps = Steps()
    comm = mpi.watch(MPI.COMM_WORLD, steps=steps)
    assert isinstance(comm, MPI.Intracomm) and comm == MPI.COMM_WORLD
    for _ in steps.batches(loader(loading)):
        with steps.step():
            time.sleep(work)
            communicate(comm)
    return steps


@case
def arrays():
    gradient, total = array("d", [RANK] * 100), array("d", [0.0] * 100)

    def reduce(comm):
        comm.Allreduce(gradient, total)
        assert total[0] == sum(range(comm.Get_size()))

    return train(reduce)


@case
def objects():
    return train(lambda comm: comm.allreduce({"rank": RANK}["rank"]) + len(comm.allgather(RANK)))


@case
def requests():
    gradient, total = array("d", [RANK] * 100), array("d", [0.0] * 100)

    def reduce(comm):
        comm.Iallreduce(gradient, total).Wait()
        assert total[0] == sum(range(comm.Get_size()))

    return train(reduce)


@case
def pairs():
    """Messages in a ring, and a communicator of half of the ranks."""

    def exchange(comm):
        half = comm.Split(RANK % 2)
        others = half.allgather(RANK)
        assert RANK in others and len(others) == comm.Get_size() // 2
        half.Free()
        size = comm.Get_size()
        sending = comm.isend(RANK, dest=(RANK + 1) % size)
        assert comm.irecv(source=(RANK - 1) % size).wait() == (RANK - 1) % size
        sending.wait()
        comm.Barrier()

    return train(exchange)


@case
def slow_loader():
    return train(lambda comm: comm.Barrier(), SECONDS, 0.002 + (1.2 * SECONDS if RANK == SLOW else 0.0))


def main():
    found = {}
    for name, run in CASES.items():
        MPI.COMM_WORLD.Barrier()
        with run() as steps:
            found[name] = said(steps)
            rank = at(contents(steps.path), 48, "i")
            assert rank == RANK, rank
    with open(os.path.join(sys.argv[1], "rank%d.json" % RANK), "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()
