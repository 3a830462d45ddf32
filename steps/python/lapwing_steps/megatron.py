"""For Megatron-LM: call ``lapwing_steps.megatron.watch()`` before ``pretrain(...)``.

It wraps functions of ``megatron.training.training`` that the training loop looks up by name: ``training_log`` (once per
iteration, on every rank), ``train_step`` (for the start of the first iteration), ``save_checkpoint_and_time`` and
``evaluate_and_print_results``, and ``maybe_finalize_async_save``, after which asynchronous saves are durable. Arguments are
read by name, because their order differs between versions. Compute and communication are measured as by ``pytorch.watch``.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
from typing import Any, Callable, Dict, Optional, Tuple

from . import layers
from .hooks import plain, quiet, writer_for
from .writer import Steps

PHASES = {"save_checkpoint_and_time": "checkpoint", "evaluate_and_print_results": "evaluation"}
GROUPS = {
    "dp": "data_parallel",
    "tp": "tensor_model_parallel",
    "pp": "pipeline_model_parallel",
    "cp": "context_parallel",
    "ep": "expert_model_parallel",
}


@quiet
def watch(steps: Optional[Steps] = None, **identity: Any) -> None:
    """Records the iterations of Megatron's training loop. Arguments as for ``Steps``."""
    training: Any = importlib.import_module("megatron.training.training")
    watcher = _Watcher(steps, identity)
    training.training_log = watcher.logged(training.training_log)
    if hasattr(training, "train_step"):
        training.train_step = watcher.begun(training.train_step)
    for name, phase in PHASES.items():
        if hasattr(training, name):
            setattr(training, name, watcher.in_phase(getattr(training, name), phase))
    if hasattr(training, "maybe_finalize_async_save"):
        training.maybe_finalize_async_save = watcher.finalized(training.maybe_finalize_async_save)


class _Watcher:
    def __init__(self, steps: Optional[Steps], identity: Dict[str, Any]) -> None:
        self._given = steps
        self._identity = identity
        self._steps: Optional[Steps] = None
        self._saving: Optional[int] = None  # the iteration of an asynchronous save that is not durable yet

    def logged(self, training_log: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(training_log)

        @functools.wraps(training_log)
        def log(*arguments: Any, **named: Any) -> Any:
            self._record(signature, arguments, named)
            return training_log(*arguments, **named)

        return log

    def begun(self, train_step: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(train_step)
        def step(*arguments: Any, **named: Any) -> Any:
            if self._steps is None:
                steps = self._writer()
                if steps is not None:
                    steps.phase("training")
            return train_step(*arguments, **named)

        return step

    def in_phase(self, function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def run(*arguments: Any, **named: Any) -> Any:
            steps = self._writer()
            if steps is None:
                return function(*arguments, **named)
            with steps.checkpoint() if phase == "checkpoint" else steps.evaluation():
                result = function(*arguments, **named)
            if phase == "checkpoint":
                self._saved(steps, signature, arguments, named)
            return result

        return run

    def finalized(self, maybe_finalize: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(maybe_finalize)
        def finalize(*arguments: Any, **named: Any) -> Any:
            result = maybe_finalize(*arguments, **named)
            if self._saving is not None:
                self._finalized()
            return result

        return finalize

    @quiet
    def _saved(
        self, steps: Steps, signature: inspect.Signature, arguments: Tuple[Any, ...], named: Dict[str, Any]
    ) -> None:
        """Megatron returns after all ranks have saved, unless the save is asynchronous. One that goes to local disks
        (``non_persistent_ckpt``) is lost with its node, and one without the optimizer has no state to go on with."""
        said = signature.bind(*arguments, **named).arguments
        iteration = int(said["iteration"])
        megatron = importlib.import_module("megatron.training").get_args()
        if said.get("non_persistent_ckpt") and getattr(megatron, "non_persistent_ckpt_type", None) != "global":
            return
        if getattr(megatron, "no_save_optim", None):
            return
        if getattr(megatron, "async_save", False):
            self._saving = iteration
        else:
            steps._durable(iteration, "framework")

    @quiet
    def _finalized(self) -> None:
        """Megatron finalizes a save when all ranks have written; a failed one ends the program."""
        queue: Any = importlib.import_module("megatron.training.async_utils")
        if queue.is_empty_async_queue() and self._steps is not None:
            saved, self._saving = self._saving, None
            self._steps._durable(saved, "framework")

    @quiet
    def _record(self, signature: inspect.Signature, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> None:
        steps = self._writer()
        if steps is None:
            return
        said = signature.bind(*arguments, **named).arguments
        megatron = importlib.import_module("megatron.training").get_args()
        samples = _samples_of_this_gpu(megatron)
        steps.record(
            said.get("iteration"),
            tokens=int(samples * megatron.seq_length),
            samples=int(samples),
            loss=self._loss(said, megatron),
            gradient_norm=plain(said.get("grad_norm")),
            learning_rate=plain(said.get("learning_rate")),
        )

    def _loss(self, said: Dict[str, Any], megatron: Any) -> float:
        """The loss, only when Megatron is about to print it and so waits for the GPU anyway."""
        losses = said.get("loss_dict") or {}
        if "lm loss" not in losses or said.get("iteration", 0) % max(1, int(megatron.log_interval)):
            return math.nan
        value = losses["lm loss"]
        if isinstance(value, (tuple, list)):  # a sum and a count
            return float(value[0]) / max(1.0, float(value[1]))
        return float(value)

    @quiet
    def _writer(self) -> Optional[Steps]:
        if self._steps is None:
            identity = dict(self._identity)
            identity.setdefault("parallel", _parallel())
            self._steps = writer_for("megatron", self._given, identity)
            layers.watch(self._steps)  # its optimizers and schedules call the collectives of torch.distributed
        return self._steps


def _samples_of_this_gpu(megatron: Any) -> float:
    """Per iteration and GPU: the work of a data-parallel group divided by its GPUs."""
    calculator = importlib.import_module("megatron.core.num_microbatches_calculator")
    batch = megatron.micro_batch_size * megatron.data_parallel_size * calculator.get_num_microbatches()
    return float(batch) / max(1, int(megatron.world_size))


def _parallel() -> Dict[str, Tuple[int, int]]:
    state = importlib.import_module("megatron.core.parallel_state")
    found: Dict[str, Tuple[int, int]] = {}
    for name, group in GROUPS.items():
        try:
            rank = getattr(state, "get_%s_rank" % group)()
            found[name] = (rank, getattr(state, "get_%s_world_size" % group)())
        except Exception:
            continue  # a version without that dimension, or an uninitialised group
    return found
