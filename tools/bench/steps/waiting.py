"""Cost of telling a rank's own work from its waits in PyTorch, for a step of a loop.

    PYTHONPATH=steps/python /usr/bin/python3 tools/bench/steps/waiting.py [--rounds N] [--json FILE]

Two processes take turns within each round, one with `Loop(loader)` and one with `Loop(loader, model=ddp)`, so that a busy
machine is busy for both. A figure is CPU time of the loop's thread, which also runs backward: the median over the rounds.
"""

import argparse
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time

STEPS = 300


def loops(watched):
    """Functions that run a number of steps and return the CPU time of one, in ns."""
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    from lapwing_steps.pytorch import Loop

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    layers = [torch.nn.Linear(64, 64) for _ in range(8)]
    ddp = DistributedDataParallel(torch.nn.Sequential(*layers))
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.01)
    batch, tensor = torch.randn(16, 64), torch.zeros(1)

    def nothing():
        pass

    def train():
        optimizer.zero_grad()
        ddp(batch).square().mean().backward()
        optimizer.step()

    def reduce():
        dist.all_reduce(tensor)

    def timed(body):
        def run(steps):
            loop = Loop(range(steps), **({"model": ddp} if watched else {}))
            began = time.thread_time_ns()
            for _ in loop:
                body()
            return (time.thread_time_ns() - began) / steps

        return run

    return {"an empty loop": timed(nothing), "DDP, 16 tensors": timed(train), "an all_reduce of one number": timed(reduce)}


def child(watched):
    ready = loops(watched)
    print(json.dumps(list(ready)), flush=True)
    for line in sys.stdin:
        print(ready[json.loads(line)](STEPS), flush=True)


def start(folder, watched):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    alone = {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, __file__, "--child", str(int(watched))],
        env={**os.environ, **alone, "LAPWING_STEPS_DIR": folder}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def ask(process, question):
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--json", help="the figures, in nanoseconds")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(bool(options.child))
        return
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="lapwing-bench-", dir=memory) as folder:
        both = [start(folder, watched) for watched in (False, True)]
        try:
            names = [json.loads(process.stdout.readline()) for process in both][0]
            rounds = [{name: [ask(process, name) for process in both] for name in names} for _ in range(options.rounds + 1)][1:]
        finally:
            for process in both:
                process.kill()
    print("Python %s, %d rounds of %d steps" % (platform.python_version(), options.rounds, STEPS))
    print("%-30s %14s %14s %14s" % ("a step of", "plain [us]", "watched [us]", "cost [us]"))
    found = {}
    for name in names:
        plain, watched = (statistics.median(each[name][i] for each in rounds) for i in (0, 1))
        cost = statistics.median(each[name][1] - each[name][0] for each in rounds)
        found[name] = {"plain": plain, "watched": watched, "cost": cost}
        print("%-30s %14.1f %14.1f %14.1f" % (name, plain / 1e3, watched / 1e3, cost / 1e3))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=2)


if __name__ == "__main__":
    main()
