"""One rank of the jobs of `slow_pytorch`: trains each case for some steps and writes what its records say.

    RANK=0 WORLD_SIZE=4 MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 python3 -m tests.pytorch_ranks FOLDER [CASE...]

Work is a sleep, so that a busy machine changes little. Rank 2 is the slow one, where a case has one.
"""

import contextlib
import copy
import json
import os
import pickle
import sys
import time

import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from lapwing_steps import Steps, pytorch

from .reading import said

RANK = int(os.environ["RANK"])
SLOW = 2
STEPS = 12
SECONDS = 0.04  # of own work in a step
WIDTH = 16
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class Sleep(torch.autograd.Function):
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
    def __init__(self, seconds, norm=False):
        super().__init__()
        self.linear = torch.nn.Linear(WIDTH, WIDTH)
        self.norm = torch.nn.BatchNorm1d(WIDTH) if norm else torch.nn.Identity()
        self.seconds = seconds

    def forward(self, x):
        return Sleep.apply(self.norm(torch.tanh(self.linear(x))), self.seconds)


class Model(torch.nn.Module):
    def __init__(self, seconds, norm=False, reentrant=None, unused=False, frozen=False):
        super().__init__()
        torch.manual_seed(7)
        self.layers = torch.nn.ModuleList(Layer(seconds / 2, norm) for _ in range(2))
        self.unused = torch.nn.Linear(WIDTH, WIDTH) if unused else None
        self.reentrant = reentrant
        if frozen:
            self.layers[0].linear.weight.requires_grad_(False)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x) if self.reentrant is None else checkpoint(layer, x, use_reentrant=self.reentrant)
        return {"logits": x, "names": ["x"]}


def work(slow=True):
    return SECONDS * (2.2 if slow and RANK == SLOW else 1.0)


def loader(seconds=0.002, steps=STEPS):
    generator = torch.Generator().manual_seed(RANK)
    for _ in range(steps):
        time.sleep(seconds)
        yield torch.randn(4, WIDTH, generator=generator, requires_grad=True)


def ddp(model, **options):
    return DistributedDataParallel(model, **options)


def loss_of(model, batch):
    return model(batch)["logits"].square().mean()


def train(model, loop, optimizer=None, stepping=0.002, between=None):
    optimizer = optimizer or torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.01)
    for number, batch in enumerate(loop):
        optimizer.zero_grad()
        loss_of(model, batch).backward()
        optimizer.step()
        time.sleep(stepping)
        if between is not None:
            between(number)
    return loop.steps


@case
def even():
    model = ddp(Model(work(slow=False)))
    return train(model, pytorch.Loop(loader(), model=model))


@case
def slow_compute():
    model = ddp(Model(work()))
    return train(model, pytorch.Loop(loader(), model=model))


@case
def slow_optimizer():
    model = ddp(Model(SECONDS))
    return train(model, pytorch.Loop(loader(), model=model), stepping=work() - SECONDS)


@case
def slow_loader():
    model = ddp(Model(SECONDS))
    return train(model, pytorch.Loop(loader(0.002 + work() - SECONDS), model=model))


@case
def accumulation():
    model = ddp(Model(work() / 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loop = pytorch.Loop(loader(steps=3 * STEPS), model=model, accumulate=3)
    for number, batch in enumerate(loop):
        with model.no_sync() if number % 3 < 2 else contextlib.nullcontext():
            loss_of(model, batch).backward()
        if number % 3 == 2:
            optimizer.step()
    return loop.steps


@case
def activation_checkpoints():
    model = ddp(Model(work() * 3 / 4, reentrant=False))
    return train(model, pytorch.Loop(loader(), model=model))


@case
def reentrant_checkpoints():
    model = ddp(Model(work() * 3 / 4, reentrant=True))
    return train(model, pytorch.Loop(loader(), model=model))


@case
def unused_parameters():
    model = ddp(Model(work(), unused=True), find_unused_parameters=True)
    return train(model, pytorch.Loop(loader(), model=model))


@case
def static_graph():
    model = ddp(Model(work(), frozen=True), static_graph=True)
    return train(model, pytorch.Loop(loader(), model=model))


@case
def wrapped_afterwards():
    inner = Model(work())
    loop = pytorch.Loop(loader(), model=inner)
    return train(ddp(inner), loop)


@case
def several_models():
    first, second = ddp(Model(work() / 2)), ddp(Model(work() / 2))
    loop = pytorch.Loop(loader(), model=[first, second])
    for batch in loop:
        loss_of(first, batch).backward()
        loss_of(second, batch).backward()
    return loop.steps


@case
def buffers():
    model = ddp(Model(SECONDS, norm=True))
    return train(model, pytorch.Loop(loader(), model=model), stepping=work() - SECONDS)


@case
def sharded_optimizer():
    model = ddp(Model(SECONDS))
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.SGD, lr=0.01)
    plain = optimizer.step

    def step():
        time.sleep(work() - SECONDS)
        plain()

    optimizer.step = step
    return train(model, pytorch.Loop(loader(), model=model), optimizer)


def explicit(reduce):
    model = Model(work())
    steps = pytorch.watch(steps=Steps())
    for batch in pytorch.Loop(loader(), steps=steps):
        loss_of(model, batch).backward()
        reduce(model)
    return steps


@case
def explicit_collectives():
    return explicit(lambda model: [dist.all_reduce(p.grad) for p in model.parameters()])


@case
def explicit_asynchronous():
    return explicit(
        lambda model: [w.wait() for w in [dist.all_reduce(p.grad, async_op=True) for p in model.parameters()]]
    )


@case
def saving():
    model = ddp(Model(work()))
    loop = pytorch.Loop(loader(), model=model)

    def save(number):
        if number % 4 == 3:
            with loop.checkpoint():
                time.sleep(0.05 if RANK == 0 else 0.0)
                dist.barrier()

    return train(model, loop, between=save)


@case
def evaluating():
    model = ddp(Model(work()))
    loop = pytorch.Loop(loader(), model=model)

    def evaluate(number):
        if number % 4 == 3:
            with loop.evaluation():
                time.sleep(0.05 if RANK == 0 else 0.0)
                dist.barrier()

    return train(model, loop, between=evaluate)


@case
def exceptions():
    """One backward ends in an exception before DDP's callback, on each rank."""
    model = ddp(Model(work()))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loop = pytorch.Loop(loader(), model=model)
    for number, batch in enumerate(loop):
        with contextlib.suppress(ZeroDivisionError), model.no_sync() if number == 3 else contextlib.nullcontext():
            if number == 3:
                batch.register_hook(lambda gradient: 1 / 0)
            loss_of(model, batch).backward()
            optimizer.step()
    return loop.steps


@case
def own_hook():
    model = ddp(Model(work()))
    calls = []

    def hook(group, bucket):
        calls.append(bucket)
        return allreduce_hook(group, bucket)

    model.register_comm_hook(dist.group.WORLD, hook)
    steps = train(model, pytorch.Loop(loader(), model=model))
    assert len(calls) >= STEPS
    return steps


@case
def same_parameters():
    """What is communicated does not change: the same parameters after a training that nobody watches."""
    watched, plain = ddp(Model(0.0, norm=True)), ddp(Model(0.0, norm=True))
    loop = pytorch.Loop(loader(), model=watched)
    train(watched, loop)
    train(plain, pytorch.Loop(loader(), directory=""))
    for one, other in zip(watched.state_dict().values(), plain.state_dict().values()):
        assert torch.equal(one, other)
    copy.deepcopy(watched.module)
    inner = Model(0.0)
    pytorch.watch(inner, steps=loop.steps)
    assert len(pickle.loads(pickle.dumps(inner)).layers) == len(copy.deepcopy(inner).layers) == 2
    return loop.steps


if hasattr(torch, "compile"):

    @case
    def compiled():
        model = torch.compile(ddp(Model(work())), backend="eager")
        return train(model, pytorch.Loop(loader(), model=model))

    @case
    def compiled_inside():
        model = ddp(torch.compile(Model(work()), backend="eager"))
        return train(model, pytorch.Loop(loader(), model=model))

    @case
    def compiled_afterwards():
        """The hook is within what is compiled: nothing breaks, and what it would tell is unknown."""
        model = ddp(Model(work()))
        loop = pytorch.Loop(loader(), model=model)
        return train(torch.compile(model, backend="eager"), loop)


with contextlib.suppress(ImportError):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard

    @case
    def fsdp1():
        model = FullyShardedDataParallel(Model(work()), device_id=torch.device("cpu"))
        return train(model, pytorch.Loop(loader(), model=model))

    if hasattr(torch.cpu.Stream, "record_event"):  # FSDP 2 needs it on CPUs too; 2.6 has not got it

        @case
        def fsdp2():
            model, mesh = Model(work()), init_device_mesh("cpu", (dist.get_world_size(),))
            for layer in model.layers:
                fully_shard(layer, mesh=mesh)
            fully_shard(model, mesh=mesh)
            return train(model, pytorch.Loop(loader(), model=model))


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    found = {}
    for name in sys.argv[2:] or CASES:
        dist.barrier()
        try:
            with CASES[name]() as steps:
                found[name] = said(steps)
        except Exception as problem:
            if sys.argv[2:]:
                raise
            found[name] = repr(problem)
    with open(os.path.join(sys.argv[1], "rank%d.json" % RANK), "w") as file:
        json.dump(found, file)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
