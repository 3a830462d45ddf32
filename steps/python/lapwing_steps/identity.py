"""Identity of the writer: rank, job, run and GPU, from arguments or else from the launcher's environment variables.

For each field the first variable with a usable value is used. Inner launchers come before outer ones: in ``srun torchrun``
the rank is torchrun's, in ``mpirun`` under Slurm it is MPI's (SLURM_PROCID is that of MPI's daemon).
"""

from __future__ import annotations

import math
import os
import re
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from .layout import DIMENSIONS, finite

RANK = ("LAPWING_RANK", "RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
LOCAL_RANK = (
    "LAPWING_LOCAL_RANK",
    "LOCAL_RANK",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID",
    "MV2_COMM_WORLD_LOCAL_RANK",
    "SLURM_LOCALID",
)
WORLD_SIZE = (
    "LAPWING_WORLD_SIZE",
    "WORLD_SIZE",
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "MV2_COMM_WORLD_SIZE",
    "SLURM_NTASKS",
    "SLURM_NPROCS",
)
INT_MAX = 2**31 - 1

Environment = Mapping[str, str]
Parallel = Mapping[str, Tuple[int, int]]


@dataclass(frozen=True)
class Identity:
    """The writer's fields in the header of a step file. -1, 0, NaN and the empty text mean unknown."""

    job: str = "local"
    run: str = ""
    rank: int = -1
    local_rank: int = -1
    world_size: int = 0
    gpu_index: int = -1
    gpu_uuid: str = ""
    host: str = ""
    precision: str = ""
    framework: str = ""
    model_flops_per_token: float = math.nan
    parallel: Dict[str, Tuple[int, int]] = field(default_factory=dict)


def identify(
    environment: Optional[Environment] = None,
    *,
    job: Optional[str] = None,
    run: Optional[str] = None,
    rank: Optional[int] = None,
    local_rank: Optional[int] = None,
    world_size: Optional[int] = None,
    gpu: Optional[Union[int, str]] = None,
    host: Optional[str] = None,
    precision: Optional[str] = None,
    framework: Optional[str] = None,
    model_flops_per_token: Optional[float] = None,
    parallel: Optional[Parallel] = None,
) -> Identity:
    env = os.environ if environment is None else environment
    local = _number(local_rank, env, LOCAL_RANK, -1)
    index, uuid = gpu_of(gpu if gpu is not None else env.get("LAPWING_GPU"), local, env)
    flops = model_flops_per_token if model_flops_per_token is not None else env.get("LAPWING_MODEL_FLOPS_PER_TOKEN")
    return Identity(
        job=str(job or job_of(env)),
        run=str(run or run_of(env)),
        rank=_number(rank, env, RANK, -1),
        local_rank=local,
        world_size=_number(world_size, env, WORLD_SIZE, 0),
        gpu_index=index,
        gpu_uuid=uuid,
        host=str(host or env.get("LAPWING_HOST") or os.uname().nodename),
        precision=str(precision or env.get("LAPWING_PRECISION") or ""),
        framework=str(framework or env.get("LAPWING_FRAMEWORK") or ""),
        model_flops_per_token=finite(flops),
        parallel=_parallel(parallel, env.get("LAPWING_PARALLEL", "")),
    )


def job_of(env: Environment) -> str:
    """LAPWING_JOB, Slurm's job, the Kubernetes job (the pod name without the replica), torchrun's run, or "local"."""
    kubernetes = ""
    if env.get("KUBERNETES_SERVICE_HOST"):
        kubernetes = env.get("JOB_NAME") or _owner_of_pod(env.get("POD_NAME") or env.get("HOSTNAME") or "", env)
    return (
        env.get("LAPWING_JOB")
        or env.get("SLURM_JOB_ID")
        or env.get("SLURM_JOBID")
        or kubernetes
        or _torch_run(env)
        or "local"
    )


def run_of(env: Environment) -> str:
    return env.get("LAPWING_RUN") or env.get("WANDB_NAME") or env.get("SLURM_JOB_NAME") or _torch_run(env)


def _torch_run(env: Environment) -> str:
    run = env.get("TORCHELASTIC_RUN_ID", "")
    return "" if run == "none" else run  # torchrun's default rendezvous id


def _owner_of_pod(pod: str, env: Environment) -> str:
    """`train-worker-3` of the training operator and `train-3-x7k2p` of an indexed job belong to job `train`."""
    pod = re.sub(r"-(master|worker|launcher|node)-\d+(-\d+)?(-[a-z0-9]{5})?$", "", pod)
    index = env.get("JOB_COMPLETION_INDEX")
    return re.sub("-" + re.escape(index) + "(-[a-z0-9]{5})?$", "", pod) if index else pod


def gpu_of(given: Optional[Union[int, str]], local_rank: int, env: Environment) -> Tuple[int, str]:
    """The GPU's index on the host and its UUID, if known.

    A UUID takes precedence: containers and Slurm cgroups renumber GPUs, so a number may not be the host's.
    """
    if given is not None and str(given) != "":
        return _index_or_uuid(str(given))
    if env.get("CUDA_VISIBLE_DEVICES") == "":
        return -1, ""  # no GPU for this process, such as Ray's driver
    visible, container = _list(env, "CUDA_VISIBLE_DEVICES"), _list(env, "NVIDIA_VISIBLE_DEVICES")
    entry = _at(visible, local_rank)
    if _is_uuid(entry):
        return -1, entry
    place = entry if visible else str(local_rank)
    behind = _at_exactly(container, place) if visible else _at(container, local_rank)
    if _is_uuid(behind):
        return -1, behind
    uuid = _uuid_of_torch(local_rank, len(visible))
    if uuid:
        return -1, uuid
    slurm = _list(env, "SLURM_STEP_GPUS") or _list(env, "SLURM_JOB_GPUS")
    if slurm:
        return _index_of_slurm(slurm, visible, entry, local_rank), ""
    if container and container[0] in ("none", "void"):
        return -1, ""
    if container and container[0] != "all":
        return _index_or_uuid(behind)
    return _index_or_uuid(place)


def _index_of_slurm(slurm: Sequence[str], visible: Sequence[str], entry: str, local_rank: int) -> int:
    """SLURM_*_GPUS are host indexes; CUDA_VISIBLE_DEVICES starts at 0 in a cgroup that hides other GPUs."""
    if not visible:
        return _index_or_uuid(_at(slurm, local_rank))[0]
    if set(visible) <= set(slurm) and (len(visible) == len(slurm) or entry == _at_exactly(slurm, str(local_rank))):
        return _index_or_uuid(entry)[0]
    if len(visible) == len(slurm):
        return _index_or_uuid(_at_exactly(slurm, entry))[0]
    return -1  # a task with some of its step's GPUs; which ones is unknown


def _uuid_of_torch(local_rank: int, visible: int) -> str:
    """The UUID of the current device, only if torch has already initialised CUDA."""
    try:
        torch: Any = sys.modules.get("torch")
        if torch is None or not torch.cuda.is_initialized():
            return ""
        device = torch.cuda.current_device()
        if device == 0 and 0 < local_rank < torch.cuda.device_count():
            device = local_rank  # set_device was not called yet
        uuid = str(torch.cuda.get_device_properties(device).uuid)
        return uuid if _is_uuid(uuid) or not uuid else "GPU-" + uuid
    except Exception:
        return ""


def _list(env: Environment, name: str) -> Sequence[str]:
    return [part.strip() for part in env.get(name, "").split(",") if part.strip()]


def _at(entries: Sequence[str], place: int) -> str:
    if len(entries) == 1:  # a process with one visible GPU uses it, whatever its local rank
        return entries[0]
    return entries[place] if 0 <= place < len(entries) else ""


def _at_exactly(entries: Sequence[str], place: str) -> str:
    return entries[int(place)] if place.isdecimal() and int(place) < len(entries) else ""


def _is_uuid(entry: str) -> bool:
    return entry.startswith(("GPU-", "MIG-"))


def _index_or_uuid(entry: str) -> Tuple[int, str]:
    if _is_uuid(entry):
        return -1, entry
    return (int(entry), "") if entry.isdecimal() and len(entry) < 5 else (-1, "")


def _number(given: Optional[int], env: Environment, names: Sequence[str], unknown: int) -> int:
    for candidate in (given, *(env.get(name) for name in names)):
        try:
            number = int(candidate)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            continue
        if 0 <= number <= INT_MAX:
            return number
    return unknown


def _parallel(given: Optional[Parallel], written: str) -> Dict[str, Tuple[int, int]]:
    """From a mapping or LAPWING_PARALLEL: `dp=3/8,tp=0/2` is data-parallel rank 3 of 8 and tensor-parallel rank 0 of 2."""
    found: Dict[str, Tuple[int, int]] = {}
    for name, rank, size in re.findall(r"(dp|tp|pp|cp|ep)=(\d{1,9})/(\d{1,9})", written):
        found[name] = (int(rank), int(size))
    for name, pair in dict(given or {}).items():
        try:
            if name in DIMENSIONS and 0 <= int(pair[0]) < int(pair[1]) <= INT_MAX:
                found[name] = (int(pair[0]), int(pair[1]))
        except (TypeError, ValueError, IndexError):
            continue
    return found
