"""One rank of the jobs of `slow_findings`: trains until it is ended.

    RANK=0 WORLD_SIZE=4 MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 python3 -m tests.finding_ranks KIND
"""

import contextlib
import itertools
import os
import sys
import time

import torch
import torch.distributed as dist

from lapwing_steps import pytorch

from .pytorch_ranks import RANK, SLOW, WIDTH, Model, ddp, loss_of

SECONDS = 0.12  # of own work in a step
FACTOR = 2.2  # as long is the work of a slow rank
SAVE_EACH = 50  # steps
STUCK_AT = 100
ACCUMULATE = 2  # batches
ENDS_AFTER = 60  # steps, where a loop ends
LONG = 1e6  # seconds: until the job is ended


def batches(kind):
    ends = kind in ("last_save", "leaves") or (kind == "join" and RANK == SLOW)
    for _ in range(ENDS_AFTER) if ends else itertools.count():
        time.sleep(SECONDS * (FACTOR - 1.0) if kind == "loader" and RANK == SLOW else 0.002)
        yield torch.randn(4, WIDTH)


def seconds(kind, step):
    """Of own work in that step."""
    if kind == "compute":
        slow = RANK == SLOW
    else:  # moving: as with a longer sequence, which each rank has in its turn
        slow = kind == "moving" and step % dist.get_world_size() == RANK
    return SECONDS * (FACTOR if slow else 1.0)


def load_for_ever():
    time.sleep(1e6)


def train(kind):
    model = ddp(Model(SECONDS))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    accumulate = ACCUMULATE if kind == "saving" else 1
    loop = pytorch.Loop(batches(kind), model=model, accumulate=accumulate, job=kind)
    with model.join() if kind == "join" else contextlib.nullcontext():
        steps(kind, model, optimizer, accumulate, loop)
    if kind == "leaves" and RANK != 0:
        os._exit(0)  # without the end of its file
    if RANK == 0:
        time.sleep(LONG)  # saves what was trained
    dist.barrier()


def steps(kind, model, optimizer, accumulate, loop):
    for number, batch in enumerate(loop):
        if kind == "stuck" and RANK == 1 and number == STUCK_AT:
            load_for_ever()
        last = (number + 1) % accumulate == 0
        for layer in model.module.layers:
            layer.seconds = seconds(kind, number) / accumulate / len(model.module.layers)
        with contextlib.nullcontext() if last else model.no_sync():
            loss_of(model, batch).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
        if kind == "saving" and (number + 1) % (accumulate * SAVE_EACH) == 0:
            with loop.checkpoint(durable=True):
                time.sleep(1.0 if RANK == 0 else 0.0)
                dist.barrier()
        if kind == "one_saves" and number == ENDS_AFTER:
            if RANK == 0:
                with loop.checkpoint():
                    time.sleep(LONG)
            dist.barrier()


if __name__ == "__main__":
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    train(sys.argv[1])
