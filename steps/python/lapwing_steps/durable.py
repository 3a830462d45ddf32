"""What a loop says of its durable checkpoints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional

from .complaints import CHECKPOINTS, complain
from .identity import identify
from .trackers import EVERY, Watcher

if TYPE_CHECKING:
    from .writer import Steps


class Durable:
    """The part of ``Steps`` that reports checkpoints."""

    __slots__ = ()

    def checkpointed(self: "Steps", step: Optional[int] = None) -> None:
        """Says that a checkpoint is durable now: a restart would find it whole, with the parts of all ranks.

        Call it from any thread, on one rank or on all.

        Args:
          step: the last step that is in it. The default is the last one before the last ``checkpoint()`` began, without any
            the last one. Give it if a save may begin before the last one is durable.
        """
        self._durable(step, "loop")

    def _durable(self: "Steps", step: Optional[int], source: str) -> None:
        try:
            if step is None:
                step = self._checkpoints.step(self)
            self._checkpoints.durable(self, step, source)
        except Exception as problem:
            complain(problem, CHECKPOINTS)

    def checkpointed_when(self: "Steps", saving: Any, step: Optional[int] = None) -> None:
        """As ``checkpointed``, when an asynchronous save ends without an exception: for what `async_save` of
        torch.distributed.checkpoint returns, and for any other future with ``add_done_callback``."""
        try:
            if step is None:
                step = self._checkpoints.step(self)
            ending = getattr(saving, "upload_completion", saving)
            if not hasattr(ending, "add_done_callback"):
                raise TypeError("checkpointed_when needs a future, not %s" % type(saving).__name__)

            def done(future: Any) -> None:
                if _succeeded(future):
                    self._durable(step, "loop")

            ending.add_done_callback(done)
        except Exception as problem:
            complain(problem, CHECKPOINTS)

    def watch_checkpoints(self: "Steps", folder: Any, every: float = EVERY) -> None:
        """For loops that do not say when a checkpoint is durable: a thread looks every few seconds for the file that Megatron,
        DeepSpeed or torch.distributed.checkpoint write last into this folder.

        Call it once on every rank; only the first of each node looks.
        """
        try:
            who = identify(**self._given)
            if (who.local_rank if who.local_rank >= 0 else who.rank) > 0 or self._closed:
                return
            self._checkpoints.none_yet(self)
            Watcher(self, os.fspath(folder), float(every)).start()
        except Exception as problem:
            complain(problem, CHECKPOINTS)


def _succeeded(future: Any) -> bool:
    try:
        if hasattr(future, "exception"):
            return not future.cancelled() and future.exception() is None
        future.value()  # of torch.futures: raises what it ended with
        return True
    except BaseException:
        return False
