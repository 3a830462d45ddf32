"""Namespaces and control groups of one attack: its own mounts, network and cgroup root, so that attacks run side by side
on the ports and paths that ship."""

import ctypes
import fcntl
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import time

_libc = ctypes.CDLL(None, use_errno=True)
_NEWNS, _NEWCGROUP, _NEWNET = 0x20000, 0x2000000, 0x40000000
_CGROUPS = pathlib.Path("/sys/fs/cgroup")


def _unshare(flags):
    if _libc.unshare(flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def mount(kind, where, options=""):
    where.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", kind, *(["-o", options] if options else []), kind, str(where)], check=True)


def own_mounts():
    """New mounts are invisible outside."""
    _unshare(_NEWNS)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def own_network():
    """A network of nothing but the loopback interface, which is up and has the addresses of other machines."""
    _unshare(_NEWNET)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up, running
    subprocess.run(["ip", "route", "add", "local", "10.9.0.0/16", "dev", "lo"], check=True)


class Groups:
    """Control groups with the limits of the unit, of version 1 or 2; those that cannot be made are named in `missing`."""

    def __init__(self, name, limits):
        self.made, self.files, self.missing, self._memory = [], [], [], None
        two = self._version_two()
        if two:
            self._make(two / name, {"memory.max": limits.memory, "cpu.max": f"{limits.cpu} 100000", "pids.max": limits.tasks})
            self._memory = two / name if not self.missing else None
            return
        self._make(_CGROUPS / "memory" / name, {"memory.limit_in_bytes": limits.memory})
        self._memory = None if self.missing else _CGROUPS / "memory" / name
        self._make(_CGROUPS / "cpu" / name, {"cpu.cfs_period_us": 100000, "cpu.cfs_quota_us": limits.cpu})
        self._make(_CGROUPS / "pids" / name, {"pids.max": limits.tasks})

    @staticmethod
    def _version_two():
        file = _CGROUPS / "cgroup.controllers"
        if not file.exists():
            return None
        here = pathlib.Path("/proc/self/cgroup").read_text().split("0::", 1)[1].split("\n", 1)[0].lstrip("/")
        for group in (_CGROUPS / here, _CGROUPS):
            try:
                (group / "cgroup.subtree_control").write_text("+memory +cpu +pids")
                return group
            except OSError:
                continue
        return _CGROUPS

    def _make(self, group, settings):
        try:
            group.mkdir()
            self.made.append(group)
            for file, value in settings.items():
                (group / file).write_text(str(value))
            self.files.append(group / "cgroup.procs")
        except OSError as refused:
            self.missing += [f"{file} ({refused.strerror})" for file in settings]

    def join(self):
        for file in self.files:
            file.write_text(str(os.getpid()))

    def killed_for_memory(self):
        """How often; None if there is no group."""
        if self._memory is None:
            return None
        two = self._memory / "memory.events"
        text = (two if two.exists() else self._memory / "memory.oom_control").read_text()
        return int(dict(line.split() for line in text.splitlines()).get("oom_kill", 0))

    def remove(self):
        remove_groups(self.made)


def remove_groups(groups):
    """An exiting process stays in its group for a moment."""
    for group in groups:
        for _ in range(50):
            try:
                group.rmdir()
                break
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.1)


def groups_of(name):
    """The groups of an attack in all hierarchies, the innermost first."""
    tops = [group for where in {_CGROUPS, *_CGROUPS.glob("*/"), Groups._version_two() or _CGROUPS} for group in (where / name, where / f"{name}-agent") if group.is_dir()]
    inner = [path for top in tops for path in top.rglob("*") if path.is_dir()]
    return sorted(inner, key=lambda path: len(path.parts), reverse=True) + tops


def unified():
    """The root of the cgroup2 hierarchy, which names the groups of processes even if it has no controllers."""
    for path in (_CGROUPS / "unified", _CGROUPS):
        if (path / "cgroup.procs").exists() and (path / "cgroup.controllers").exists():
            return path
    return None


def own_cgroup_root(name):
    """Moves this process into a new group, which becomes the root that /proc/PID/cgroup shows. None if refused."""
    top = unified()
    if top is None:
        return None
    group = top / name
    try:
        group.mkdir()
        (group / "cgroup.procs").write_text(str(os.getpid()))
        _unshare(_NEWCGROUP)
    except OSError:
        shutil.rmtree(group, ignore_errors=True)
        return None
    return group
