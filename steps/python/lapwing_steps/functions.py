"""The functions of PyTorch that wait for other ranks, each replaced by one that also takes its time.

- The functions of torch.distributed and ``Work.wait``: explicit collectives, pipelines, optimizers that shard their state.
- The functions in which FSDP makes the loop's stream wait for its own streams, on a GPU only.

What this version of PyTorch lacks is left out.
"""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any, Callable, Optional

from .waits import process

COLLECTIVES = (
    "all_reduce all_reduce_coalesced reduce broadcast all_gather all_gather_into_tensor _all_gather_base all_gather_coalesced "
    "gather scatter reduce_scatter reduce_scatter_tensor _reduce_scatter_base all_to_all all_to_all_single send recv barrier "
    "monitored_barrier all_gather_object gather_object broadcast_object_list scatter_object_list send_object_list "
    "recv_object_list _broadcast_coalesced"
).split()
FSDP1 = ("_pre_forward_unshard", "_pre_backward_hook", "_post_backward_final_callback")
FSDP2 = ("wait_for_unshard", "post_backward", "finalize_backward")
FSDP2_MODULES = (
    "torch.distributed.fsdp._fully_shard._fsdp_param_group",
    "torch.distributed._composable.fsdp._fsdp_param_group",  # 2.4 and 2.5
)


def install(torch: Any) -> None:
    """Once."""
    if not torch.distributed.is_available():
        return
    inner = importlib.import_module("torch.distributed.distributed_c10d")
    for name in COLLECTIVES:
        _time(inner, name, torch.distributed)
    _time(torch.distributed, "_broadcast_coalesced")
    _time(_named("torch._C._distributed_c10d", "Work"), "wait")
    _time(_named("torch.distributed._functional_collectives"), "wait_tensor")
    _time(_named("torch.nn.parallel", "DistributedDataParallel"), "_sync_buffers")


def cover_streams(model: Any) -> bool:
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
        if process.compiling() or not process.enter():
            return function(*arguments, **named)
        try:
            return function(*arguments, **named)
        finally:
            process.leave()

    waiting._lapwing = True  # type: ignore[attr-defined]
    return waiting
