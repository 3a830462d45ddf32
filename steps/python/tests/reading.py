"""Reads step files by the offsets of docs/steps-format.md, which are repeated here so that the writer's tables are tested too."""

import math
import struct
import tempfile
import unittest

RECORD = {
    "step": (8, "Q"), "start": (16, "Q"), "duration": (24, "d"), "tokens": (32, "Q"), "samples": (40, "Q"),
    "loss": (48, "d"), "gradient_norm": (56, "d"), "learning_rate": (64, "d"), "data": (72, "d"), "compute": (80, "d"),
    "communication": (88, "d"), "checkpoint": (96, "d"), "all_steps": (104, "Q"), "all_tokens": (112, "Q"),
    "all_samples": (120, "Q"), "all_duration": (128, "d"), "all_data": (136, "d"), "all_compute": (144, "d"),
    "all_communication": (152, "d"), "all_checkpoint": (160, "d"),
}  # fmt: skip


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def at(data, offset, kind):
    return struct.unpack_from("<" + kind, data, offset)[0]


def text(data, offset, size):
    field = data[offset : offset + size]
    assert field.rstrip(b"\0").count(0) == 0
    return field.rstrip(b"\0").decode("utf-8")


def sequences(data, number):
    slot = 1024 + 192 * (number % at(data, 20, "I"))
    return at(data, slot, "Q"), at(data, slot + 168, "Q")


def record(data, number):
    """The fields of that record, NaN as None; None if it is not whole."""
    if sequences(data, number) != (2 * number + 2, 2 * number + 2):
        return None
    slot = 1024 + 192 * (number % at(data, 20, "I"))
    fields = {name: at(data, slot + offset, kind) for name, (offset, kind) in RECORD.items()}
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in fields.items()}


def last(data):
    return record(data, at(data, 120, "Q") - 1)


def said(steps):
    """The parts of each step that the writer has recorded."""
    data = contents(steps.path)
    names = ("duration", "data", "compute", "communication", "checkpoint")
    return [{name: record(data, n)[name] for name in names} for n in range(at(data, 120, "Q"))]


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lapwing-steps-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
