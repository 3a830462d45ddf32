"""A stand-in for PyTorch on a GPU that no test machine has: streams, events, autograd's callbacks, and DDP's wait.

The host enqueues; the GPU runs later, in the time of `Gpu`. A stream is the time at which what was enqueued on it is done.
"""

import types


class Stream:
    def __init__(self):
        self.done = 0.0  # ms

    def work(self, milliseconds):
        self.done += milliseconds

    def wait_until(self, time):
        self.done = max(self.done, time)


class Gpu:
    def __init__(self):
        self.default = self.current = Stream()
        self.now = 0.0
        self.capturing = False
        self.events = 0

    def event(self, enable_timing=False):
        assert enable_timing
        self.events += 1
        return Event(self)


class Event:
    def __init__(self, gpu):
        self.gpu = gpu

    def record(self, stream=None):
        self.time = (stream or self.gpu.current).done

    def query(self):
        return self.gpu.now >= self.time

    def elapsed_time(self, last):
        assert last.query(), "synchronised"
        return last.time - self.time

    def synchronize(self):
        raise AssertionError("synchronised")


class Tensor:
    def __init__(self, device="cuda"):
        self.device = types.SimpleNamespace(type=device)
        self.requires_grad = True
        self.hooks = []

    def register_hook(self, hook):
        self.hooks.append(hook)


class Engine:
    def __init__(self):
        self.callbacks = []

    def queue_callback(self, callback):
        self.callbacks.append(callback)

    def backward(self, tensor, own, last):
        """Backward from a tensor: `own` computes the gradients; DDP's callback `last` waits for the other ranks."""
        for hook in tensor.hooks:
            assert hook("gradient") is None
        own()
        self.queue_callback(last)
        while self.callbacks:
            self.callbacks.pop(0)()


class Model:
    """A module whose forward returns one tensor in a dict."""

    def __init__(self, device="cuda"):
        self.hooks = []
        self.device = device

    def register_forward_hook(self, hook):
        self.hooks.append(hook)

    def modules(self):
        return [self]

    def __call__(self):
        output = {"loss": Tensor(self.device), "step": 1}
        for hook in self.hooks:
            assert hook(self, (), output) is None
        return output


def torch(gpu, engine):
    """The modules of the stand-in, by name."""
    c10d = types.SimpleNamespace()
    distributed = types.SimpleNamespace(is_available=lambda: True, distributed_c10d=c10d)

    def all_reduce(milliseconds, stream=None):
        (stream or gpu.current).work(milliseconds)

    distributed.all_reduce = c10d.all_reduce = all_reduce
    cuda = types.SimpleNamespace(
        Event=gpu.event, current_stream=lambda device=None: gpu.current, current_device=lambda: 0,
        is_current_stream_capturing=lambda: gpu.capturing, is_initialized=lambda: True, is_available=lambda: True,
        synchronize=None,
    )  # fmt: skip
    variable = types.SimpleNamespace(_execution_engine=engine)
    autograd = types.SimpleNamespace(Variable=variable, backward=lambda tensors: None)
    module = types.SimpleNamespace(autograd=autograd, cuda=cuda, distributed=distributed)
    return {"torch": module, "torch.distributed": distributed, "torch.distributed.distributed_c10d": c10d}
