"""For loops with mpi4py.

    import lapwing_steps
    from lapwing_steps import mpi
    from mpi4py import MPI

    comm = mpi.watch(MPI.COMM_WORLD)
    for batch in lapwing_steps.batches(loader):
        with lapwing_steps.step():
            train(batch, comm)

Only the functions of the communicator that `watch` returns are seen, of those that it makes (`Split`, `Dup`) and the waits of
the requests that they return; not `MPI.Request.Waitall` and the like, which belong to no communicator: put them in
``with steps.communication()``.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any, Callable, Optional, Tuple

from . import default, waiting
from .hooks import writer_for
from .waits import complain, process
from .writer import Steps

WAITS = (
    "Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw Reduce Allreduce "
    "Reduce_scatter Reduce_scatter_block Scan Exscan Send Ssend Rsend Recv Sendrecv Sendrecv_replace Probe Mprobe barrier bcast "
    "gather scatter allgather alltoall reduce allreduce scan exscan send ssend recv sendrecv probe mprobe"
).split()
BEGINS = (
    "Ibarrier Ibcast Igather Igatherv Iscatter Iscatterv Iallgather Iallgatherv Ialltoall Ialltoallv Ialltoallw Ireduce "
    "Iallreduce Ireduce_scatter Ireduce_scatter_block Iscan Iexscan Isend Issend Irsend Irecv isend issend irecv"
).split()
MAKES = "Dup Dup_with_info Clone Split Split_type Create Create_group".split()
REQUEST_WAITS = ("Wait", "wait")


def watch(comm: Any, steps: Optional[Steps] = None, **identity: Any) -> Any:
    """The same communicator, as one whose waits are the communication of the writer's steps; the rest is compute.

    Never raises: where it cannot be watched it is returned as it is.

    Args:
      steps: a writer; otherwise that of the module functions, or one that is made with the other arguments, as for ``Steps``.
    """
    try:
        if steps is None:
            steps = writer_for("mpi4py", None, identity) if identity else default()
        waiting.own_work(steps)
        intracomm, watched = _classes()
        return watched(comm) if type(comm) is intracomm else comm
    except Exception as problem:
        complain(problem)
        return comm


@functools.lru_cache(maxsize=None)
def _classes() -> Tuple[Any, Any]:
    """mpi4py's class of communicators, and the one that takes the time of its functions. The handle is the same."""
    mpi: Any = importlib.import_module("mpi4py.MPI")
    request = type("Request", (mpi.Request,), {n: _timed(getattr(mpi.Request, n)) for n in REQUEST_WAITS})
    functions = {name: _timed(getattr(mpi.Intracomm, name)) for name in WAITS if hasattr(mpi.Intracomm, name)}
    watched: Any = type("Intracomm", (mpi.Intracomm,), functions)
    for names, kind, wanted in ((BEGINS, mpi.Request, request), (MAKES, mpi.Intracomm, watched)):
        for name in names:
            if hasattr(mpi.Intracomm, name):
                setattr(watched, name, _returning(getattr(mpi.Intracomm, name), kind, wanted))
    return mpi.Intracomm, watched


def _timed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def timed(*arguments: Any, **named: Any) -> Any:
        if not process.enter():
            return function(*arguments, **named)
        try:
            return function(*arguments, **named)
        finally:
            process.leave()

    return timed


def _returning(function: Callable[..., Any], kind: Any, wanted: Any) -> Callable[..., Any]:
    """The function, with what it returns as one of the wanted class."""
    timed = _timed(function)

    @functools.wraps(function)
    def returning(*arguments: Any, **named: Any) -> Any:
        returned = timed(*arguments, **named)
        return wanted(returned) if type(returned) is kind else returned

    return returning
