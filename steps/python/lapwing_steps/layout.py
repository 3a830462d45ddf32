"""The bytes of a step file, version 1: docs/steps-format.md says what they mean."""

from __future__ import annotations

import math
import struct

MAGIC = b"LAPWSTEP"
VERSION = 1
HEADER_SIZE = 1024
RECORD_SIZE = 192
DEFAULT_CAPACITY = 512
SMALLEST_CAPACITY = 2
LARGEST_CAPACITY = 16384

SIMULATED = 1
LOCKED = 2

PHASES = {"unknown": 0, "training": 1, "evaluation": 2, "checkpoint": 3, "ended": 4, "starting": 5}
DIMENSIONS = ("dp", "tp", "pp", "cp", "ep")

# Offset 0 to 112: all of the header that is a number and does not change.
HEADER = struct.Struct("<8s6I2Q2iIi5i5IdQ")
WRITTEN = 120
PHASE = 128
TEXTS = {
    "job": (256, 128),
    "run": (384, 128),
    "gpu_uuid": (512, 96),
    "precision": (608, 16),
    "framework": (624, 32),
    "host": (656, 64),
}

# Of a record all but the first sequence number: it is stored alone, before and after the rest.
BODY = struct.Struct("<2Qd2Q7d3Q5dQ")
BODY_OFFSET = 8


def file_size(capacity: int) -> int:
    return HEADER_SIZE + capacity * RECORD_SIZE


def text(value: object, size: int) -> bytes:
    """UTF-8 without control characters, cut at a character so that a NUL follows, padded with NULs."""
    # Cut first: whoever hands over a megabyte shall not wait for a megabyte.
    plain = "".join(c if c.isprintable() else " " for c in str(value)[:size])
    cut = plain.encode("utf-8", "replace")[: size - 1].decode("utf-8", "ignore")
    return cut.encode("utf-8").ljust(size, b"\0")


def finite(value: object) -> float:
    """The number, or NaN for what is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except Exception:
        return math.nan
    return number if math.isfinite(number) else math.nan
