"""The limits of the shipped units, read from their files."""

import pathlib
import re
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]
_SIZES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _values(name):
    """The last value of each directive."""
    text = (ROOT / "systemd" / name).read_text()
    return dict(re.findall(r"^([A-Za-z]+)=(.*)$", text, re.MULTILINE))


@dataclass(frozen=True)
class Limits:
    memory: int  # bytes
    cpu: int  # microseconds of 100 ms
    tasks: int
    files: int
    nice: int
    oom_score: int
    restart: float  # seconds
    capabilities: tuple

    @staticmethod
    def shipped():
        unit = _values("lapwing.service")
        return Limits(
            memory=int(unit["MemoryMax"][:-1]) * _SIZES[unit["MemoryMax"][-1]],
            cpu=int(unit["CPUQuota"].rstrip("%")) * 1000,
            tasks=int(unit["TasksMax"]),
            files=int(unit["LimitNOFILE"]),
            nice=int(unit["Nice"]),
            oom_score=int(unit["OOMScoreAdjust"]),
            restart=float(unit["RestartSec"].rstrip("s")),
            capabilities=tuple(c.removeprefix("CAP_").lower() for c in unit["AmbientCapabilities"].split()),
        )


def steps_mount():
    """The mount options of the folder of the step files; None if no unit mounts it."""
    if not (ROOT / "systemd" / "run-lapwing-steps.mount").exists():
        return None
    return _values("run-lapwing-steps.mount")["Options"]


def backlog():
    """Of the socket that systemd holds; None if no unit holds one."""
    if not (ROOT / "systemd" / "lapwing.socket").exists():
        return None
    return int(_values("lapwing.socket").get("Backlog", 4096))


def runtime_directory():
    """Below /run, for the agent's user, made and removed with the service; None if the unit has none."""
    return _values("lapwing.service").get("RuntimeDirectory")
