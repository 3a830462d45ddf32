"""Where PyTorch waits for other ranks. Each layer only takes the time: nothing that is communicated changes.

- Two callbacks of autograd's engine around the one in which DistributedDataParallel waits for its last bucket. The engine runs
  callbacks in the order in which they were queued, and DDP queues its own when the last gradient is there.
- The functions of torch.distributed and ``Work.wait``: explicit collectives, pipelines, optimizers that shard their state.
- The functions in which FSDP makes the loop's stream wait for its own streams, on a GPU only.

An API that this version of PyTorch lacks is left out, and with it the parts of a step that it would have told.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import sys
import weakref
from typing import Any, Callable, List, Optional

from .clocks import StreamClock
from .waiting import OwnWork, complain, process
from .writer import Steps

COLLECTIVES = (
    "all_reduce all_reduce_coalesced reduce broadcast all_gather all_gather_into_tensor _all_gather_base all_gather_coalesced "
    "gather scatter reduce_scatter reduce_scatter_tensor _reduce_scatter_base all_to_all all_to_all_single send recv barrier "
    "monitored_barrier all_gather_object gather_object broadcast_object_list scatter_object_list send_object_list "
    "recv_object_list _broadcast_coalesced"
).split()
FSDP1 = ("_pre_forward_unshard", "_pre_backward_hook", "_post_backward_final_callback")
FSDP2 = ("wait_for_unshard", "post_backward", "finalize_backward")
FSDP2_MODULES = ("torch.distributed.fsdp._fully_shard._fsdp_param_group", "torch.distributed._composable.fsdp._fsdp_param_group")
MOST_OUTPUTS = 8  # of a model: backward starts at one of them
DEEPEST = 4  # nesting of a model's outputs

_installed = False
_hooked: "weakref.WeakSet[Any]" = weakref.WeakSet()
_engine: Any = None
_compiling: Callable[[], bool] = bool


def watch(steps: Steps, *models: Any) -> None:
    """The writer's records get compute and communication from what PyTorch shows. Never raises."""
    try:
        own = steps._own_work
        if own is None:
            own = steps._own_work = OwnWork(steps)
        own.has_model = own.has_model or bool(models)
        process.add(own)
        torch: Any = importlib.import_module("torch")
        _install(torch)
        if not own.has_model:
            process.at_step = _use_gpu  # with a model its outputs show where it is
            _use_gpu()
        for model in models:
            for each in model if isinstance(model, (list, tuple)) else (model,):
                _hook(each)
    except Exception as problem:
        complain(problem)


def _use_gpu() -> None:
    cuda: Any = sys.modules["torch"].cuda
    if not process.clock.on_gpu and cuda.is_initialized():
        process.use(StreamClock(cuda.current_device()))


# --- Backward ---


def _hook(model: Any) -> None:
    if model not in _hooked:
        model.register_forward_hook(_Forward())
        _hooked.add(model)


class _Forward:
    """The hook of a model's forward. It has no state, so copies and pickles of the model keep it."""

    def __call__(self, module: Any, arguments: Any, output: Any) -> None:
        if _compiling():
            return
        try:
            if process.in_backward:  # the last one ended in an exception
                process.in_backward = False
                process.not_understood()
            process.here()
            for tensor in _tensors(output, DEEPEST)[:MOST_OUTPUTS]:
                if not process.clock.on_gpu and tensor.device.type != "cpu":
                    process.use(StreamClock(tensor.device))
                    process.streams_covered = _cover_streams(module)
                tensor.register_hook(_begin)
        except Exception as problem:
            process.not_understood()
            complain(problem)


def _tensors(output: Any, depth: int) -> List[Any]:
    """Those that backward can start at."""
    if hasattr(output, "register_hook"):
        return [output] if output.requires_grad else []
    if isinstance(output, dict):
        output = tuple(output.values())
    elif dataclasses.is_dataclass(output):
        output = tuple(vars(output).values())
    if depth == 0 or not isinstance(output, (tuple, list)):
        return []
    return [tensor for each in output[:MOST_OUTPUTS] for tensor in _tensors(each, depth - 1)]


def _begin(gradient: Any) -> None:
    """Backward starts. No gradient of a parameter is there, so this callback is queued before DDP's."""
    if not process.in_backward and not _compiling():
        process.in_backward = True
        process.backward_here()
        _queue(_own_done)


_begin.__torch_unserializable__ = True  # type: ignore[attr-defined]  # no warning where the output is pickled


def _own_done() -> None:
    """All gradients of this rank are there. DDP's callback is next; the one after the next is behind all that it queues."""
    process.backward_here()  # with several devices the last gradient may come in another thread than the first
    entered = process.enter()
    if not entered:
        process.not_understood()
    _queue(lambda: _queue(_all_done if entered else _over))


def _all_done() -> None:
    process.leave()
    process.backward_done()
    _over()


def _over() -> None:
    process.in_backward = False


def _with_inner(backward: Callable[..., Any]) -> Callable[..., Any]:
    """A backward within backward, as activation checkpoints may run, has callbacks of its own: DDP's can be among them."""

    @functools.wraps(backward)
    def outer_or_inner(tensors: Any, *arguments: Any, **named: Any) -> Any:
        if process.in_backward and not _compiling():
            try:
                first = next(iter(tensors)) if isinstance(tensors, (tuple, list)) else tensors
                first.register_hook(_begin_inner)
            except Exception as problem:
                process.not_understood()
                complain(problem)
        return backward(tensors, *arguments, **named)

    return outer_or_inner


def _begin_inner(gradient: Any) -> None:
    _queue(_inner_done)


def _inner_done() -> None:
    process.backward_here()
    if process.enter():
        _queue(lambda: _queue(process.leave))


def _queue(callback: Callable[[], None]) -> None:
    try:
        _engine.queue_callback(callback)
    except Exception as problem:
        process.in_backward = False
        process.not_understood()
        complain(problem)


# --- Functions that wait ---


def _install(torch: Any) -> None:
    global _installed, _engine, _compiling
    if _installed:
        return
    _installed = True
    _engine = torch.autograd.Variable._execution_engine
    _compiling = getattr(getattr(torch, "compiler", None), "is_compiling", bool)
    torch.autograd.backward = _with_inner(torch.autograd.backward)
    if not torch.distributed.is_available():
        return
    inner = importlib.import_module("torch.distributed.distributed_c10d")
    for name in COLLECTIVES:
        _time(inner, name, torch.distributed)
    _time(torch.distributed, "_broadcast_coalesced")
    _time(_named("torch._C._distributed_c10d", "Work"), "wait")
    _time(_named("torch.distributed._functional_collectives"), "wait_tensor")
    _time(_named("torch.nn.parallel", "DistributedDataParallel"), "_sync_buffers")


def _cover_streams(model: Any) -> bool:
    """Times what FSDP's streams make the loop's stream wait for; False if the model has no FSDP, or an unknown one."""
    kinds = [_loaded("torch.distributed.fsdp", name) for name in ("FullyShardedDataParallel", "FSDPModule")]
    kinds.append(_loaded("torch.distributed._composable.fsdp", "FSDPModule"))
    inside = tuple(kind for kind in kinds if kind is not None)
    if not any(isinstance(each, inside) for each in model.modules()):
        return False
    covered = False
    for owner, names in (
        (_loaded("torch.distributed.fsdp._runtime_utils"), FSDP1),
        *((_loaded(module, "FSDPParamGroup"), FSDP2) for module in FSDP2_MODULES),
    ):
        if owner is not None and all(hasattr(owner, name) for name in names):
            for name in names:
                _time(owner, name, _loaded("torch.distributed.fsdp.fully_sharded_data_parallel"))
            covered = True
    return covered


def _loaded(module: str, name: Optional[str] = None) -> Any:
    found = sys.modules.get(module)
    return found if name is None else getattr(found, name, None)


def _named(module: str, name: Optional[str] = None) -> Any:
    try:
        found = importlib.import_module(module)
        return found if name is None else getattr(found, name, None)
    except Exception:
        return None


def _time(owner: Any, name: str, also: Any = None) -> None:
    """Replaces the function by one that reports its time as a wait."""
    function = getattr(owner, name, None)
    if function is None or hasattr(function, "_lapwing"):
        return
    timed = _timed(function)
    if also is not None and getattr(also, name, None) is function:
        setattr(also, name, timed)
    setattr(owner, name, timed)


def _timed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def waiting(*arguments: Any, **named: Any) -> Any:
        if _compiling() or not process.enter():
            return function(*arguments, **named)
        try:
            return function(*arguments, **named)
        finally:
            process.leave()

    waiting._lapwing = True  # type: ignore[attr-defined]
    return waiting
