"""What the kernel log says, and who wrote it."""

import os
import pathlib
import subprocess
import time

from rig import client
from rig.attack import attack
from rig.node import PCI
from rig.outcome import done, held
from rig.process import NOBODY, Counter, named, run_as

XID = "NVRM: Xid (PCI:0000:{}:00): {}, pid={}, name={}, {}"


def xids(agent, number=None):
    """The events of XIDs, or of one number."""
    events = client.document(agent.port, "/api/v1/events?limit=10000")["events"]
    return [event for event in events if event["kind"] == "xid" and number in (None, event.get("number"))]


def replayed(world, lines):
    """What `lapwing replay` says of such a log."""
    log = world.folder / "saved.log"
    log.write_text("".join(f"[{seconds:>12.6f}] {text}\n" for seconds, text in lines))
    ran = subprocess.run([*world.programs.agent, "replay", "--kmsg", str(log), "--json"], capture_output=True, text=True, check=False, timeout=120)
    done(ran.returncode == 0, f"replay ended with {ran.returncode}: {ran.stderr[-300:]}")
    return ran.stdout


@attack("A14", "two crashes of one program are not a fault of the GPU", root=False, seconds=20)
def crashes(world):
    """A user's program commits the same illegal access twice, an hour apart, as in a developer's afternoon (XID 31, another pid each
    time). Held if the replayed log is not degraded; the same with different programs must still be, or nothing is proved."""
    boot = [(0.0, "Linux version 6.8.0"), (5.0, "nvidia: loading out-of-tree module taints kernel.")]

    def crash(at, pid, name):
        return at, XID.format(PCI[2], 31, pid, name, "Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f_00000000")

    same = replayed(world, [*boot, crash(100, 4000, "train.py"), crash(3800, 5000, "train.py")])
    different = replayed(world, [*boot, crash(100, 4000, "train.py"), crash(3800, 5000, "other.py")])
    done("xid_31" in same and "degraded" in different, "replay does not know the rule: two different programs are not degraded either")
    held("degraded" not in same, "degraded after two crashes of one program")
    return "healthy with one program, degraded with two"


@attack("A15a", "a log that users write does not ask for a replacement", seconds=45)
def fallback(world):
    """Where /dev/kmsg cannot be opened, the agent reads syslog's file, and a user writes an XID 79 into it with `logger -t kernel`.
    Held if the XID is seen and the action stays at watch, as NVML confirms nothing."""
    node = world.own_node()
    log = node.folder / "var" / "log" / "messages"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(time.strftime("%b %e %H:%M:%S node syslogd: started\n"))
    agent = world.agent(path__kmsg=str(world.folder / "no-such-device"), path__rootfs=str(node.folder))
    with log.open("a") as lines:  # syslog's daemon, with the user's text
        lines.write(time.strftime("%b %e %H:%M:%S node kernel: ") + XID.format(PCI[3], 79, "'<unknown>'", "<unknown>", "GPU has fallen off the bus.") + "\n")
    until = time.monotonic() + 20
    while time.monotonic() < until and not xids(agent, 79):
        time.sleep(0.5)
    done(xids(agent, 79), f"the agent has not seen the line; its log: {agent.log_end(5)}")
    until = time.monotonic() + 8
    while time.monotonic() < until:
        says = agent.health()
        held(says["action"] in ("none", "watch"), f"the node asks for {says['action']}: {says['summary'][:200]}")
        time.sleep(1)
    code, text = agent.check("--brief")
    held("replace" not in text and "reboot" not in text, f"lapwing check: {code}: {text[:200]}")
    agent.check_same()
    return f"action {says['action']}"


@attack("A15b", "an XID line that NVML does not confirm orders no replacement by itself", seconds=110)
def unconfirmed(world):
    """A firewall's log prefix puts a whole XID 79 line into the kernel log, while the GPU answers. Held if within two minutes the
    finding says that NVML does not confirm it (`confirmed="0"`), which is what automation and alerts go by."""
    node = world.own_node()
    agent = world.agent()
    node.kernel.write(XID.format(PCI[3], 79, "'<unknown>'", "<unknown>", "GPU has fallen off the bus. IN=eth0 OUT= SRC=10.0.0.7"))
    until, seen, confirmed = time.monotonic() + 120, None, None
    while time.monotonic() < until and confirmed != "0":
        for labels, value in agent.page().series.get("lapwing_health_finding", []):
            if "79" in labels.get("rule", "") and value:
                seen = labels
                confirmed = labels.get("confirmed")
        time.sleep(1)
    done(seen is not None, "the line opened no finding")
    held(confirmed == "0", f"after two minutes the finding is {seen}, verdict {agent.health()['verdict']}")
    agent.check_same()
    return f"{seen}"


@attack("A15c", "an XID line that NVML does not confirm orders no reset by itself", seconds=110)
def unconfirmed_reset(world):
    """As A15b, with an XID 119, which asks for a reset. Held if within two minutes the finding says `confirmed="0"`."""
    node = world.own_node()
    agent = world.agent()
    node.kernel.write(XID.format(PCI[3], 119, 7062, "python3", "Timeout after 6s of waiting for RPC response from GPU3 GSP! IN=eth0 OUT= SRC=10.0.0.7"))
    until, seen = time.monotonic() + 120, {}
    while time.monotonic() < until and seen.get("confirmed") != "0":
        found = [labels for labels, value in agent.page().series.get("lapwing_health_finding", []) if labels.get("rule") == "xid_119" and value]
        seen = found[0] if found else seen
        time.sleep(1)
    done(seen.get("action") == "reset_gpu", f"the line opened no finding that asks for a reset: {seen}")
    held(seen.get("confirmed") == "0", f"after two minutes the finding is {seen}")
    agent.check_same()
    return f"{seen}"


@attack("A15d", "a load message of the driver that somebody else wrote ends no finding", seconds=60)
def load_message(world):
    """A GPU has a real XID 119, which NVML has too. Then the kernel log has a load message of the driver's version, first with a firewall's text
    behind it, then exactly as the driver's. Held if the finding stays failing, and another real XID 119 asks for no more than a reset."""
    node = world.own_node()
    agent = world.agent()
    text = "Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 76 (GSP_RM_CONTROL)"

    def real(number):
        node.kernel.write(XID.format(PCI[4], 119, 7062, "python3", text))
        node.set(**{f"event__{number}": "4 xid 119"})

    def finding():
        return next((one for one in agent.findings() if one["rule"] == "xid_119"), {})

    real(1)
    until = time.monotonic() + 20
    while time.monotonic() < until and finding().get("action") != "reset_gpu":
        time.sleep(0.5)
    done(finding().get("action") == "reset_gpu", f"the XID 119 is {finding()}")
    version = next(labels["driver_version"] for labels, _ in agent.page().series["lapwing_gpu_driver_info"])
    load = f"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  {version}  "
    for forged in (load + "IN= OUT=lo SRC=127.0.0.1 DST=127.0.0.1 LEN=84", load + "Tue Sep 23 10:11:16 UTC 2025"):
        node.kernel.write(forged)
        until = time.monotonic() + 8
        while time.monotonic() < until:
            held(finding().get("severity") == "failing", f"the XID 119 became {finding()} after: {forged}")
            time.sleep(1)
    events = len(xids(agent, 119))
    real(2)
    until = time.monotonic() + 20
    while time.monotonic() < until and len(xids(agent, 119)) == events:
        time.sleep(0.5)
    done(len(xids(agent, 119)) > events, "the agent has not seen the second XID 119")
    time.sleep(2)
    held(finding().get("action") == "reset_gpu", f"after the second XID 119 the finding is {finding()}")
    agent.check_same()
    return "failing, reset_gpu, before and after both messages"


@attack("N23", "a line that NVML does not confirm explains no other GPU's fault", seconds=120)
def suppress(world):
    """A GPU has a real fatal XID 145. 20 s later a firewall's log prefix puts an XID 79 of another GPU into the kernel log. Held if the finding of
    the XID 145 is failing all the time, and still is when NVML has not confirmed the XID 79."""
    node = world.own_node()
    agent = world.agent()
    link = "RLW_RXPIPE Fatal XC0 i0 Link 13 (0x000004c2 0x00000001 0x0 0x0 0x0 0x0)"
    node.kernel.write(f"NVRM: Xid (PCI:0000:{PCI[4]}:00): 145, {link}")
    node.set(event__1="4 xid 145")

    def severity(rule):
        return next((one["severity"] for one in agent.findings() if one["rule"] == rule), None)

    until = time.monotonic() + 20
    while time.monotonic() < until and severity("xid_145") != "failing":
        time.sleep(0.5)
    done(severity("xid_145") == "failing", f"the XID 145 is {severity('xid_145')}")
    time.sleep(20)
    node.kernel.write(XID.format(PCI[3], 79, "'<unknown>'", "<unknown>", "GPU has fallen off the bus. IN=eth0 OUT= SRC=10.0.0.7"))
    until, denied = time.monotonic() + 80, False
    while time.monotonic() < until and not denied:
        held(severity("xid_145") == "failing", f"the XID 145 became {severity('xid_145')} beside the line")
        denied = any(one["rule"] == "xid_79" and not one["confirmed"] for one in agent.findings())
        time.sleep(1)
    done(denied, "the line was never marked as not confirmed")
    time.sleep(6)
    held(severity("xid_145") == "failing", f"the XID 145 is {severity('xid_145')}")
    agent.check_same()
    return "failing before, beside and after the line"


@attack("N5", "users' messages and process names are not XIDs", seconds=30)
def names(world):
    """A user writes XIDs to /dev/kmsg as far as the kernel lets him, crashes programs whose names are pieces of XID lines, and has an XID
    with such a name as its process. Held if the node stays healthy; an XID 13 of the driver must be seen, or nothing is proved."""
    node = world.own_node()
    agent, tried = world.agent(), Counter()
    whole = XID.format(PCI[2], 79, "'<unknown>'", "<unknown>", "GPU has fallen off the bus.")
    for priority in (8, 9, 12, 14, 191):
        node.kernel.write(whole, priority)
    node.kernel.write(f"NVRM: Xid (PCI:[4242]: segfault at 0 ip 00007f2a3c0012f0 sp 00007ffd5e1c0a80 error 4 in libc.so.6[{PCI[2]}]", 6)
    node.kernel.write(f"traps: x: 79, GPU has [4243] general protection fault ip:7f2a3c0012f0 Xid (PCI:0000:{PCI[2]}:00): 79", 6)
    node.kernel.write("audit: type=1400 comm=\"NVRM: Xid (PCI:\" " + whole, 5)
    node.kernel.write(f"a message of a program\n {whole}", 12)
    node.kernel.write(XID.format(PCI[1], 13, 4244, f"NVRM: Xid (PCI", f"Graphics Exception: {whole}"))

    def write():
        named(b"NVRM: Xid (PCI:")
        for device in (pathlib.Path("/dev/kmsg"), node.kernel.path):
            tried.add()
            try:
                os.write(os.open(device, os.O_WRONLY), whole.encode())
            except OSError:
                tried.add(100)

    run_as(NOBODY, write)
    done(tried.value == 202, "an ordinary user could write to the kernel log of this machine")
    until = time.monotonic() + 25
    while time.monotonic() < until and not xids(agent, 13):
        time.sleep(0.5)
    seen = xids(agent)
    done(xids(agent, 13), f"the agent has not seen the driver's own XID 13: {seen}")
    held(not xids(agent, 79), f"a forged XID 79 is an event: {seen}")
    agent.check_all()
    return f"{len(seen)} XID event"
