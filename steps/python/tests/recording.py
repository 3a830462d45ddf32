"""The records of c/writer.c by the Python writer: `python3 -m tests.recording FILE` keeps them as a file."""

import sys
import tempfile
from unittest import mock

from lapwing_steps import Steps, opening, writer
from lapwing_steps.file import Process

BEGAN = 1_700_000_000_000_000_000


def write_known_records(folder, run="python"):
    namespace = Process.current().namespace
    steps = Steps(
        directory=folder, job="recorded", run=run, host="node-1", gpu="GPU-00000000-0000-0000-0000-000000000001",
        precision="bf16", framework="none", rank=3, local_rank=1, world_size=16, parallel={"dp": (1, 8), "tp": (1, 2)},
        model_flops_per_token=4.2e10, capacity=8, process=Process(4242, 123456, namespace),
    )  # fmt: skip
    fixed = {"return_value": BEGAN}
    with mock.patch.object(opening, "wall_ns", **fixed), mock.patch.object(writer, "wall_ns", **fixed):
        steps.open()
        for n in range(11):
            with mock.patch.object(writer, "_wall", return_value=BEGAN + (n + 1) * 500_000_000):
                steps.record(
                    100 + n, 0.5, 4096, 2, 2.5 - 0.125 * n, 0.75, 0.0001, 0.0625, 0.25, 0.125,
                    1.5 if n == 10 else float("nan"),
                )  # fmt: skip
    with open(steps.path, "rb") as written:
        data = written.read()
    steps.close()
    return data


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, open(sys.argv[1], "wb") as kept:
        kept.write(write_known_records(folder))
