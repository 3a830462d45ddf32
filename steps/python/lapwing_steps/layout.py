"""The byte layout of a step file, version 1; see docs/steps-format.md."""

from __future__ import annotations

import math
import struct
from typing import Any

MAGIC = b"LAPWSTEP"
VERSION = 1
HEADER_SIZE = 1024
RECORD_SIZE = 192
DEFAULT_CAPACITY = 512
SMALLEST_CAPACITY = 2
LARGEST_CAPACITY = 16384
LARGEST_COUNT = 2**53  # of tokens or samples of a step

SIMULATED = 1
LOCKED = 2

PHASES = {"unknown": 0, "training": 1, "evaluation": 2, "checkpoint": 3, "ended": 4, "starting": 5, "after_loop": 6}
# Whether the rank is at its own work, or in a collective and waiting for other ranks.
OWN_WORK = 1
IN_COLLECTIVE = 2
DIMENSIONS = ("dp", "tp", "pp", "cp", "ep")

# Offset 0 to 112: the constant numbers of the header.
HEADER = struct.Struct("<8s6I2Q2iIi5i5IdQ")
WRITTEN = 120
PHASE = 128
WAITING = 144
FRAME = (200, 56)  # the stack frame of a loop that finishes no step
CHECKPOINT = 160  # sequence, step, durable since, unsaved since, source
UNKNOWN_STEP = 2**64 - 1
CHECKPOINT_SOURCES = {"loop": 1, "framework": 2, "megatron": 3, "deepspeed": 4, "dcp": 5}
TEXTS = {
    "job": (256, 128),
    "run": (384, 128),
    "gpu_uuid": (512, 96),
    "precision": (608, 16),
    "framework": (624, 32),
    "host": (656, 64),
}

# A record without the first sequence number, which is stored separately before and after the rest.
BODY = struct.Struct("<2Qd2Q7d3Q5dQ")
BODY_OFFSET = 8


def file_size(capacity: int) -> int:
    return HEADER_SIZE + capacity * RECORD_SIZE


def text(value: object, size: int) -> bytes:
    """UTF-8 without control characters, truncated at a character boundary, padded with at least one NUL."""
    # Truncate first, so that a huge text costs no time.
    plain = "".join(c if c.isprintable() else " " for c in str(value)[:size])
    cut = plain.encode("utf-8", "replace")[: size - 1].decode("utf-8", "ignore")
    return cut.encode("utf-8").ljust(size, b"\0")


def whole(value: Any) -> int:
    """A count from an int, a float, a NumPy number or a CPU tensor; 0 if invalid."""
    try:
        number = int(value)
    except Exception:
        return 0
    return number if 0 <= number < LARGEST_COUNT else 0


def real(value: Any) -> float:
    """A number, maybe infinite; NaN if invalid."""
    try:
        return float(value)
    except Exception:
        return math.nan


def finite(value: Any) -> float:
    """The number; NaN if invalid."""
    number = real(value)
    return number if math.isfinite(number) else math.nan
