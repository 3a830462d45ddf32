"""A simulated p5.48xlarge, and the kernel log and NVML state that an attack or a fault writes into it."""

import os
import subprocess
import time

from .outcome import Failed

UUID = "GPU-da8deb50-51a7-4ed0-8000-5eed0000000{}"
PCI = ("53", "64", "75", "86", "97", "a8", "b9", "ca")


class Node:
    """A played node in a folder; `flags` are the agent's flags for it, by name."""

    def __init__(self, folder, command, scenario="healthy"):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder / "node"
        self.log = folder / "simulator.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--play", "--out", str(self.folder), "--instance-type", "p5.48xlarge", "--scenario", str(scenario)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.flags = self._flags()
        self.kernel = KernelLog(folder / "kmsg")

    def _flags(self):
        until = time.monotonic() + 120
        while time.monotonic() < until and self.process.poll() is None:
            for line in self.log.read_text().splitlines():
                if line.startswith("--"):
                    return dict(word.removeprefix("--").split("=", 1) for word in line.split())
            time.sleep(0.05)
        raise Failed(f"the simulated node did not start: {self.log.read_text()[-500:]}")

    def set(self, **lines):
        """Adds lines to the state of the driver; `__` in a name stands for a dot."""
        state, more = self.folder / "state", "".join(f"{k.replace('__', '.')} = {v}\n" for k, v in lines.items())
        new = state.with_name("state.new")
        for _ in range(10):
            new.write_text(state.read_text() + more)
            os.chmod(new, 0o644)
            os.replace(new, state)
            time.sleep(0.3)
            if more in state.read_text():  # the simulator writes the file too
                return
        raise Failed("the simulator overwrites the state of the driver")

    def xid_79(self, gpu=5):
        """GPU off the bus, on each channel where a driver shows it."""
        self.kernel.write(f"NVRM: Xid (PCI:0000:{PCI[gpu]}:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.")
        self.kernel.write(f"NVRM: GPU 0000:{PCI[gpu]}:00.0: GPU has fallen off the bus.")
        self.set(**{f"gpu__{gpu}__lost": 1, "event__1": f"{gpu} xid 79"})

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class KernelLog:
    """A file in the format of /dev/kmsg, with the times of this machine."""

    def __init__(self, path):
        self.path = path
        self.sequence = 100
        path.write_text("")
        self.write("Linux version 6.8.0", priority=5)

    def write(self, text, priority=4):
        """One record; a priority from 8 on is of user space."""
        micros = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
        self.sequence += 1
        with self.path.open("a") as log:
            log.write(f"{priority},{self.sequence},{micros},-;{text}\n")
