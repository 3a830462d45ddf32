"""A small program with PyTorch's DistributedDataParallel over gloo; one of its ranks can be slow.

    python3 ddp.py --ranks 4 --slow-rank 2                 # starts its ranks itself
    torchrun --nproc-per-node 4 ddp.py --slow-rank 2       # or any launcher that sets RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT

Work is a sleep within forward and backward, so that its length does not depend on the machine.
"""
import argparse
import os
import signal
import socket
import subprocess
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from lapwing_steps.pytorch import Loop


class Work(torch.autograd.Function):
    """A third of its seconds in forward, the rest in backward."""

    @staticmethod
    def forward(ctx, x, seconds):
        ctx.seconds = seconds
        time.sleep(seconds / 3)
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        time.sleep(ctx.seconds * 2 / 3)
        return gradient, None


class Layer(torch.nn.Module):
    def __init__(self, width, seconds):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
        self.seconds = seconds

    def forward(self, x):
        return Work.apply(torch.relu(self.linear(x)), self.seconds)


def batches(steps, width, seconds):
    for _ in range(steps):
        time.sleep(seconds)
        yield torch.randn(8, width)


def train(options, rank):
    slow = options.slow_rank == rank
    step = options.step_ms / 1000.0
    loading, working, stepping = 0.05 * step, 0.9 * step, 0.05 * step
    extra = (options.factor - 1.0) * step if slow else 0.0
    if options.how == "loader":
        loading += extra
    elif options.how == "optimizer":
        stepping += extra
    else:
        working += extra
    dist.init_process_group("gloo")
    torch.set_num_threads(1)
    layers = [Layer(options.width, working / 4) for _ in range(4)]
    model = DistributedDataParallel(torch.nn.Sequential(*layers))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loop = Loop(batches(options.steps, options.width, loading), model=model, tokens=8, precision="bf16")
    for batch in loop:
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        loss.backward()
        optimizer.step()
        time.sleep(stepping)
        loop.loss(loss)
    dist.destroy_process_group()


def start(options):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # its ranks end with it
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(options.ranks), "OMP_NUM_THREADS": "1"}
    ranks = [
        subprocess.Popen([sys.executable] + sys.argv, env={**os.environ, **common, "RANK": str(n), "LOCAL_RANK": str(n)})
        for n in range(options.ranks)
    ]
    try:
        return max(rank.wait() for rank in ranks)
    finally:
        for rank in ranks:
            rank.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=4, help="without a launcher (default: 4)")
    parser.add_argument("--slow-rank", type=int, default=-1, help="default: none")
    parser.add_argument("--how", choices=("compute", "loader", "optimizer"), default="compute")
    parser.add_argument("--factor", type=float, default=2.2, help="how many times as long the slow rank works")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--step-ms", type=float, default=60.0, help="work of a rank that is not slow")
    parser.add_argument("--width", type=int, default=64)
    options = parser.parse_args()
    if "RANK" in os.environ:
        train(options, int(os.environ["RANK"]))
    else:
        sys.exit(start(options))


if __name__ == "__main__":
    main()
