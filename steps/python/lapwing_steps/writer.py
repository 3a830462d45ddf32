"""The writer of one training loop. It never raises into the loop, waits, or needs the agent."""

from __future__ import annotations

import math
import time
from typing import Any, Iterable, Iterator, Optional, TypeVar, Union

from . import frames, layout
from .blocks import Computing, Part, Pause, Saving, Step, Waiting
from .checkpoints import Checkpoints
from .complaints import complain
from .durable import Durable
from .file import Process, wall_ns
from .identity import Parallel
from .opening import RETRY, Opening

T = TypeVar("T")
NAN = math.nan
PARTS = ("data", "compute", "communication", "checkpoint")
LONGEST = 1e9  # seconds; longer values come from a wrong clock
COUNTS = layout.LARGEST_COUNT
LARGEST_TOTAL = 2**62
TRAINING = layout.PHASES["training"]
STARTING = layout.PHASES["starting"]
EVALUATION = layout.PHASES["evaluation"]
CHECKPOINT = layout.PHASES["checkpoint"]
AFTER_LOOP = layout.PHASES["after_loop"]

_clock = time.perf_counter
_wall = time.time_ns
_pack = layout.BODY.pack_into
_RECORD = layout.RECORD_SIZE
_BODY = layout.HEADER_SIZE + layout.BODY_OFFSET
_SEQ = layout.HEADER_SIZE // 8
_SEQ_STEP = layout.RECORD_SIZE // 8
_WRITTEN = layout.WRITTEN // 8
_PHASE = layout.PHASE // 8
_WAITING = layout.WAITING // 8
_WAITING_SINCE = _WAITING + 1
_OWN_WORK = layout.OWN_WORK
_IN_COLLECTIVE = layout.IN_COLLECTIVE


class Steps(Opening, Durable):
    """Writes the steps of one rank. The start of the first step, a phase, ``batches`` or ``open`` creates the file.

    Use it from one thread at a time: a record during another one's is left out. In a process forked while the file was open, such
    as a data loader's worker, it does nothing. A copy by the module copy is the same writer; unpickled in another process it opens
    a file of its own.

    Without a folder or memory it tries again once a minute, also if the file is removed.

    Args:
      job, run, rank, local_rank, world_size, host: override the environment.
      gpu: a UUID, or the NVML index on the host.
      model_flops_per_token: forward and backward, see ``flops_per_token``; required for MFU.
      precision: bf16, fp16, tf32, fp8 or fp4; selects the peak FLOPS for MFU.
      parallel: ``{"tp": (rank, size), ...}`` with dp, tp, pp, cp, ep.
      directory: instead of LAPWING_STEPS_DIR or /run/lapwing/steps. Empty: write nowhere.
      capacity: records in the ring for late readers, 2 to 16384.
      simulated: marks the metrics as simulated.
    """

    __slots__ = (
        "_careful",
        "_inside",
        "_left_out_since",
        "_number",
        "_phase",
        "_loops",
        "_phase_began",
        "_away",
        "_away_before",
        "_mark",
        "_waiting_since",
        "_own_work",
        "_checkpoints",
        "_last_step",
        "_has_parts",
        "_data",
        "_compute",
        "_communication",
        "_checkpoint",
        "_all_tokens",
        "_all_samples",
        "_all_duration",
        "_all_data",
        "_all_compute",
        "_all_communication",
        "_all_checkpoint",
        "_data_part",
        "_compute_part",
        "_communication_part",
    )

    def __init__(
        self,
        *,
        job: Optional[str] = None,
        run: Optional[str] = None,
        rank: Optional[int] = None,
        local_rank: Optional[int] = None,
        world_size: Optional[int] = None,
        gpu: Optional[Union[int, str]] = None,
        model_flops_per_token: Optional[float] = None,
        precision: Optional[str] = None,
        framework: Optional[str] = None,
        parallel: Optional[Parallel] = None,
        host: Optional[str] = None,
        directory: Optional[str] = None,
        capacity: int = layout.DEFAULT_CAPACITY,
        simulated: bool = False,
        process: Optional[Process] = None,
    ) -> None:
        given = {
            "job": job,
            "run": run,
            "rank": rank,
            "local_rank": local_rank,
            "world_size": world_size,
            "gpu": gpu,
            "host": host,
            "precision": precision,
            "framework": framework,
            "model_flops_per_token": model_flops_per_token,
            "parallel": parallel,
        }
        super().__init__(given, directory, capacity, simulated, process)
        self._careful = False
        self._inside = False  # a record is under way
        self._left_out_since = (-1, 0.0)  # the number of the record that was under way, and when one was left out
        self._number = 0
        self._phase = STARTING
        self._loops = 0  # running loops, nested
        self._phase_began = _clock()
        self._away = 0.0  # time of evaluations and checkpoints, which no step includes
        self._away_before = 0.0  # at the last record
        self._mark = NAN  # start of the current step, if known from the last record or the start of training
        self._waiting_since = NAN
        self._own_work: Any = None  # tells compute from waiting for other ranks: see `waiting.py`
        self._checkpoints = Checkpoints()
        self._last_step = -1
        self._forget_parts()
        self._all_tokens = 0
        self._all_samples = 0
        self._all_duration = 0.0
        self._all_data = self._all_compute = self._all_communication = self._all_checkpoint = NAN
        self._data_part = Part(self, "data")
        self._compute_part = Computing(self, "compute")
        self._communication_part = Waiting(self, "communication")

    # --- A step at a time ---

    def step(self, step: Optional[int] = None, *, tokens: int = 0, samples: int = 0) -> Step:
        """A context manager for one step. The default number is the previous one plus 1."""
        return Step(self, step, tokens, samples)

    def data(self) -> Part:
        """A context manager for waiting for input."""
        return self._data_part

    def compute(self) -> Part:
        """A context manager for computation, without `communication()` inside it. Parts need not add up to the step."""
        return self._compute_part

    def communication(self) -> Part:
        """A context manager for exposed communication: waiting for other ranks."""
        return self._communication_part

    def checkpoint(self, durable: bool = False) -> Saving:
        """A context manager for a blocking checkpoint in or between steps; it counts for the step that ends next, besides its
        duration.

        Args:
          durable: the checkpoint is durable at the end of the block, unless that raises. Not for asynchronous savers, which
            have only begun by then: see ``checkpointed``.
        """
        return Saving(self, durable)

    def evaluation(self) -> Pause:
        """A context manager for an evaluation, in or between steps; no step includes its time."""
        return Pause(self, "evaluation")

    def batches(self, loader: Iterable[T]) -> Iterator[T]:
        """The loader's batches. The wait for each is data wait of the step that ends next, and part of its duration; not so
        in an evaluation."""
        self._first_step()  # of which the wait for its batch is a part
        self._loops += 1
        try:
            iterator = iter(loader)
            while True:
                began = _clock()
                try:
                    batch = next(iterator)
                except StopIteration:
                    return
                if self._phase != EVALUATION:
                    self.add("data", _clock() - began)
                    if self._waiting_since != self._waiting_since:
                        self._waiting_since = began - self._away
                yield batch
        finally:
            self._loop_over()

    def add(self, part: str, seconds: float) -> None:
        """Adds seconds to a part (data, compute, communication, checkpoint) of the step that ends next."""
        try:
            seconds = float(seconds)
            if part not in PARTS or not 0.0 <= seconds <= LONGEST:
                return
            before = getattr(self, "_" + part)
            self._has_parts = True
            setattr(self, "_" + part, seconds if before != before else before + seconds)
        except Exception as problem:
            complain(problem)

    # --- Plain ---

    def record(
        self,
        step: Optional[int] = None,
        duration: Optional[float] = None,
        tokens: int = 0,
        samples: int = 0,
        loss: float = NAN,
        gradient_norm: float = NAN,
        learning_rate: float = NAN,
        data: float = NAN,
        compute: float = NAN,
        communication: float = NAN,
        checkpoint: float = NAN,
    ) -> None:
        """Records a step that ends now. The default duration is the time since the last record, or since the phase was set
        to training. If neither exists, nothing is recorded and only the clock starts.

        Pass plain numbers: a GPU tensor would make the loop wait for it. Invalid numbers (negative, infinite, None) and a NaN
        loss count as not given.
        """
        if self._inside:
            self._left_out()
            return
        self._inside = True  # no call is between test and store, so that no other thread is
        try:
            now = _clock()
            if not self._live and not self._opened(now):
                return
            if now > self._check_at and not self._still_there(now):
                return
            now -= self._away
            if duration is None or not 0.0 <= duration <= LONGEST:
                began = self._waiting_since
                duration = now - (began if began == began else self._mark)
            if self._phase != TRAINING:
                self._set_phase(TRAINING)
            else:
                self._mark = now
            if duration != duration:
                return  # the start of the first one is unknown
            if step is None:
                step = self._last_step + 1
            if self._has_parts:
                if data != data:
                    data = self._data
                if compute != compute:
                    compute = self._compute
                if communication != communication:
                    communication = self._communication
                if checkpoint != checkpoint:
                    checkpoint = self._checkpoint
                self._forget_parts()
            if tokens.__class__ is not int or samples.__class__ is not int or duration.__class__ is not float:
                raise TypeError  # totals would otherwise become float32 if the argument is
            if not (0 <= tokens < COUNTS and 0 <= samples < COUNTS):
                raise ValueError
            if self._own_work is not None:
                # By the clock, the step began at this time or later: `now` is paused in evaluations and checkpoints.
                began = now - duration + self._away_before
                self._away_before = self._away
                compute, communication = self._own_work.of_step(began, duration, data, compute, communication)
            # Update totals only after packing, which raises if a value does not fit.
            all_data = self._all_data
            if data == data:
                if data.__class__ is not float:
                    raise TypeError
                if 0.0 <= data <= LONGEST:
                    all_data = data if all_data != all_data else all_data + data
                else:
                    data = NAN
            all_compute = self._all_compute
            if compute == compute:
                if compute.__class__ is not float:
                    raise TypeError
                if 0.0 <= compute <= LONGEST:
                    all_compute = compute if all_compute != all_compute else all_compute + compute
                else:
                    compute = NAN
            all_communication = self._all_communication
            if communication == communication:
                if communication.__class__ is not float:
                    raise TypeError
                if 0.0 <= communication <= LONGEST:
                    before = all_communication
                    all_communication = communication if before != before else before + communication
                else:
                    communication = NAN
            all_checkpoint = self._all_checkpoint
            if checkpoint == checkpoint:
                if checkpoint.__class__ is not float:
                    raise TypeError
                if 0.0 <= checkpoint <= LONGEST:
                    all_checkpoint = checkpoint if all_checkpoint != all_checkpoint else all_checkpoint + checkpoint
                else:
                    checkpoint = NAN
            all_tokens = self._all_tokens + tokens
            all_samples = self._all_samples + samples
            if all_tokens > LARGEST_TOTAL or all_samples > LARGEST_TOTAL:
                raise ValueError  # as with a count that is too large
            all_duration = self._all_duration + duration
            start = _wall() - int(duration * 1e9)
            if start < 0:
                start = 0  # the clock is before 1970
            number = self._number
            slot = number % self._capacity
            whole = 2 * number + 2
            words = self._words
            words[_SEQ + slot * _SEQ_STEP] = whole - 1
            _pack(
                self._map, _BODY + slot * _RECORD, step, start, duration, tokens, samples, loss,
                gradient_norm, learning_rate, data, compute, communication, checkpoint, number + 1, all_tokens, all_samples,
                all_duration, all_data, all_compute, all_communication, all_checkpoint, whole,
            )  # fmt: skip
            words[_SEQ + slot * _SEQ_STEP] = whole
            words[_WRITTEN] = self._number = number + 1
            self._last_step = step
            self._all_tokens = all_tokens
            self._all_samples = all_samples
            self._all_duration = all_duration
            self._all_data = all_data
            self._all_compute = all_compute
            self._all_communication = all_communication
            self._all_checkpoint = all_checkpoint
        except Exception as problem:
            self._inside = False
            self._record_as_numbers(
                problem, step, duration, tokens, samples, loss, gradient_norm, learning_rate, data, compute, communication,
                checkpoint,
            )  # fmt: skip
        finally:
            self._inside = False

    def _left_out(self) -> None:
        """A record within another one's, of a second thread or of a signal handler, would spoil both."""
        complain("a writer is for one thread; the record of another one, or of a signal handler, is left out")
        number, since = self._left_out_since
        if number != self._number:
            self._left_out_since = (self._number, _clock())
        elif _clock() - since > RETRY:
            self._inside = False  # none is under way: an interrupt came at its very end

    def _record_as_numbers(
        self, problem: Exception, step: Any, duration: Any, tokens: Any, samples: Any, *rest: Any
    ) -> None:
        """Packs again, with other types converted to plain numbers or left out."""
        if self._careful or not self._live:
            complain(problem)
            return
        self._careful = True
        try:
            loss, gradient_norm, learning_rate, *parts = rest
            self.record(
                None if step is None else layout.whole(step), layout.finite(duration), layout.whole(tokens),
                layout.whole(samples),
                layout.real(loss), layout.real(gradient_norm), layout.real(learning_rate), *map(layout.finite, parts),
            )  # fmt: skip
        except Exception as again:
            complain(again)
        finally:
            self._careful = False

    def phase(self, name: str) -> None:
        """Sets the phase: starting, training, evaluation, checkpoint or after_loop. A record sets it to training."""
        number = layout.PHASES.get(name) if isinstance(name, str) else None
        if number is not None:
            self._set_phase(number)

    def _set_phase(self, number: int, within_step: bool = False) -> None:
        """Time in an evaluation or a checkpoint does not count for the step around it."""
        try:
            now = _clock()
            if not self._live and not self._opened(now):
                return
            if self._phase == CHECKPOINT:
                self.add("checkpoint", now - self._phase_began)
            if self._phase == CHECKPOINT or self._phase == EVALUATION:
                self._away += now - self._phase_began
            if number == TRAINING and not within_step:
                self._mark = now - self._away
            if number == CHECKPOINT:
                self._checkpoints.begin(self)
            self._phase = number
            self._phase_began = now
            self._words[_PHASE + 1] = wall_ns()
            self._words[_PHASE] = number
        except Exception as problem:
            complain(problem)

    def _first_step(self) -> None:
        """The first step of a loop begins: from now on a hang in it is visible."""
        if self._phase == AFTER_LOOP:
            self._set_phase(TRAINING, within_step=True)
        elif self._phase == STARTING:
            self._set_phase(TRAINING, within_step=True)
            if self._own_work is not None:
                self._own_work.first_step()

    def _loop_over(self) -> None:
        """No batch is left, or the loop was left: what the process does now has no steps."""
        self._loops -= 1
        if self._loops == 0 and self._live and self._phase == TRAINING:
            self._set_phase(AFTER_LOOP)

    def waiting_for_others(self, waiting: bool) -> None:
        """Says that this rank enters a collective, where it waits for other ranks (True), or is back at its own work (False).

        Without it the agent cannot tell which rank of a stalled job the others wait for. `communication()` calls it. It
        costs two stores and a clock, and does nothing before the first record or phase.
        """
        if self._live:
            try:
                words = self._words
                words[_WAITING_SINCE] = _wall()
                words[_WAITING] = _IN_COLLECTIVE if waiting else _OWN_WORK
            except Exception as problem:
                complain(problem)

    def _waiting_unknown(self) -> None:
        """From now on the header does not say whether this rank waits."""
        if self._live:
            self._words[_WAITING] = 0

    def is_waiting_for_others(self) -> bool:
        """Whether `waiting_for_others(True)` was the last call."""
        return self._live and bool(self._words[_WAITING] == _IN_COLLECTIVE)

    def open(self) -> bool:
        """Creates the file now, so that a loop without any step is visible too. Returns whether it is open."""
        try:
            return self._live or self._opened(_clock())
        except Exception as problem:
            complain(problem)
            return False

    def _new_file(self, now: float) -> None:
        self._phase = STARTING
        self._phase_began = now
        self._number = self._all_tokens = self._all_samples = 0
        self._all_duration = 0.0
        self._all_data = self._all_compute = self._all_communication = self._all_checkpoint = NAN
        self._checkpoints.reopened(self)
        frames.watch(self)

    def _forget_parts(self) -> None:
        self._has_parts = False
        self._data = self._compute = self._communication = self._checkpoint = NAN
        self._waiting_since = NAN
