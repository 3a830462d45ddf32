"""Ring files, as Lapwing's profiler plugin for NCCL writes them: docs/nccl-format.md."""

import fcntl
import os
import struct
import time

HEADER, COMMUNICATOR, RECORD, OPERATION = 1024, 1024, 64, 96


def totals(entered, started, ended, since=None):
    """Of an operation: the numbers of the last collective that was entered, started, and ended."""
    since = since or time.time_ns()
    return (entered, 10**9, entered, since, started, started, since, ended, ended, since, ended, 5 * 10**9)


def communicator(hash_, rank, operations, name=b"dp"):
    """The operations by their place in the table, from 0: all-reduce."""
    return dict(hash=hash_, rank=rank, operations=operations, name=name)


def place(folder, name, communicators, gpu=-1, job=b""):
    """Puts a ring file in place with one rename; its lock is this process's."""
    capacity, count = 2, len(communicators)
    data = bytearray(HEADER + COMMUNICATOR * count + RECORD * capacity)
    data[:8] = b"LAPWNCCL"
    struct.pack_into("<IIIIII", data, 8, 1, HEADER, RECORD, capacity, os.getpid(), 2)
    struct.pack_into("<iiIiIII", data, 48, 0, 0, 0, gpu, count, COMMUNICATOR, 6)
    struct.pack_into("<Q", data, 80, time.time_ns())
    data[256:256 + len(job)] = job
    for number, one in enumerate(communicators):
        at = HEADER + COMMUNICATOR * number
        struct.pack_into("<IIQiII", data, at, 1, 1, one["hash"], one["rank"], 8, 1)
        data[at + 64:at + 64 + len(one["name"])] = one["name"]
        for operation, values in one["operations"].items():
            struct.pack_into("<12Q", data, at + 128 + OPERATION * operation, *values)
    new = folder / f".{name}.tmp"
    file = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(file, data)
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
    os.rename(new, folder / f"{name}.nccl")
    return file
