"""Cost of recording a step in Python and in C, compared with other ways to send it to an agent.

    record.py --c PROGRAM [--rounds N] [--json FILE]

All are measured in each round, one after another, so that a busy machine is busy for all of them. A figure is the median over
the rounds; the row "nothing" is the cost of the measurement itself, which every other row includes.
"""

import argparse
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

BUDGET_NS = {"Python": 2000, "C": 100}
CALLS = 10_000
SLOW_CALLS = 500


def nothing(folder):
    return lambda n: None


def record(folder):
    import lapwing_steps

    steps = lapwing_steps.Steps(directory=folder)
    write = steps.record
    return lambda n: write(n, 0.5, 4096, 2, 2.5, 0.5, 1e-4, 0.01, 0.4, 0.05)


def step_block(folder):
    import lapwing_steps

    steps = lapwing_steps.Steps(directory=folder)

    def call(n):
        with steps.step(tokens=4096) as step:
            step.loss = 2.5

    return call


def datagram(folder):
    sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.setblocking(False)
    sender.connect(os.path.join(folder, "agent.sock"))
    pack = struct.Struct("<QQd2Q7d").pack

    def call(n):
        try:
            sender.send(pack(n, time.time_ns(), 0.5, 4096, 2, 2.5, 0.5, 1e-4, 0.01, 0.4, 0.05, 0.0))
        except BlockingIOError:
            pass  # a full queue is no reason to wait: the datagram is lost

    return call


def prometheus(folder):
    try:
        import prometheus_client as client
    except ImportError:
        return None
    duration = client.Histogram("train_step_seconds", "Step.", ["rank"]).labels("0")
    gauges = [client.Gauge("train_" + name, name, ["rank"]).labels("0") for name in ("loss", "norm", "rate")]

    def call(n):
        duration.observe(0.5)
        for gauge in gauges:
            gauge.set(2.5)

    return call


def text_file(folder):
    path = os.path.join(folder, "python.prom")

    def call(n):
        with open(path + ".tmp", "w") as file:
            file.write("train_step %d\ntrain_step_seconds_sum %g\ntrain_step_seconds_count %d\n" % (n, n * 0.5, n))
            file.write("train_tokens_total %d\ntrain_loss %g\ntrain_gradient_norm %g\n" % (n * 4096, 2.5, 0.5))
        os.rename(path + ".tmp", path)

    return call


PYTHON = {
    "nothing": (nothing, CALLS),
    "record": (record, CALLS),
    "record, with-block": (step_block, CALLS),
    "datagram": (datagram, CALLS),
    "prometheus_client": (prometheus, CALLS),
    "textfile": (text_file, SLOW_CALLS),
}


def percentiles(call, calls):
    clock = time.perf_counter_ns
    taken = []
    for n in range(calls):
        began = clock()
        call(n)
        taken.append(clock() - began)
    taken.sort()
    return taken[calls // 2], taken[calls // 100 * 99]


def agent(folder):
    """A process that receives datagrams, as an agent would."""
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(os.path.join(folder, "agent.sock"))
    child = os.fork()
    if child == 0:
        try:
            while receiver.recv(4096) != b"end":
                pass
        finally:
            os._exit(0)
    receiver.close()
    return child


def dismiss(folder, child):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"end", os.path.join(folder, "agent.sock"))
    os.waitpid(child, 0)


def rounds_of(folder, program, rounds):
    found = {}
    ready = {name: (make(folder), calls) for name, (make, calls) in PYTHON.items()}
    for each in range(rounds + 1):
        taken = {("Python", name): percentiles(call, calls) for name, (call, calls) in ready.items() if call}
        said = subprocess.run([program, folder, os.path.join(folder, "agent.sock")], stdout=subprocess.PIPE, check=True)
        for line in said.stdout.decode().splitlines():
            name, p50, p99 = line.split("\t")
            taken["C", name] = int(p50), int(p99)
        if each > 0:  # the first is to warm up
            for key, pair in taken.items():
                found.setdefault(key, []).append(pair)
    return {key: tuple(statistics.median(pair[i] for pair in pairs) for i in (0, 1)) for key, pairs in found.items()}


def show(found):
    print("%-8s %-20s %12s %12s %16s" % ("", "a step recorded by", "p50 [us]", "p99 [us]", "p50, of record's"))
    for (language, name), (p50, p99) in found.items():
        ratio = p50 / found[language, "record"][0]
        print("%-8s %-20s %12.3f %12.3f %15.1fx" % (language, name, p50 / 1e3, p99 / 1e3, ratio))
    for language, budget in BUDGET_NS.items():
        p50 = found[language, "record"][0]
        print(
            "%s: budget %d ns p50, measured %d ns: %s" % (language, budget, p50, "met" if p50 <= budget else "MISSED")
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--c", required=True, help="record.c, compiled")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", help="the figures, in nanoseconds")
    options = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # as /run is
    with tempfile.TemporaryDirectory(prefix="lapwing-bench-", dir=memory) as folder:
        # prometheus_client reads it at import; its values are then in memory-mapped files, as ours
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        child = agent(folder)
        try:
            found = rounds_of(folder, options.c, options.rounds)
        finally:
            dismiss(folder, child)
    print("Python %s, %d rounds" % (sys.version.split()[0], options.rounds))
    show(found)
    if ("Python", "prometheus_client") not in found:
        print("prometheus_client is not there: not measured")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"/".join(key): {"p50": p50, "p99": p99} for key, (p50, p99) in found.items()}, file, indent=2)


if __name__ == "__main__":
    main()
