"""Watches the layers of PyTorch in which a rank waits for others. Each only takes the time: nothing that is communicated changes.

`backward` has DistributedDataParallel's wait, `functions` those that Python calls. An API that this version of PyTorch lacks is
left out, and with it the parts of a step that it would have measured.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from . import backward, functions
from .clocks import StreamClock
from .waiting import own_work
from .waits import complain, process
from .writer import Steps

_installed = False


def watch(steps: Steps, *models: Any) -> None:
    """The writer's records get compute and communication from what PyTorch shows. Never raises."""
    try:
        own = own_work(steps)
        own.has_model = own.has_model or bool(models)
        torch: Any = importlib.import_module("torch")
        _install(torch)
        if not own.has_model:
            process.at_step = _use_gpu  # a model's outputs show its device
            _use_gpu()
        for model in models:
            for each in model if isinstance(model, (list, tuple)) else (model,):
                backward.hook(each)
    except Exception as problem:
        complain(problem)


def _use_gpu() -> None:
    cuda: Any = sys.modules["torch"].cuda
    if not process.clock.on_gpu and cuda.is_initialized():
        process.use(StreamClock(cuda.current_device()))


def _install(torch: Any) -> None:
    global _installed
    if not _installed:
        _installed = True
        process.compiling = getattr(getattr(torch, "compiler", None), "is_compiling", bool)
        functions.install(torch)
        backward.install(torch)
