"""A simulated training job: one process per GPU that writes step records like a real loop.

    python3 -m training_job JOB FLOPS_PER_TOKEN NODES GPU_UUID...

Standard input has the properties of steps, with a line for each change: "data=0.01 compute=0.4 communication=0.09
checkpoint=1.5 durable=0 every=240 tokens=4096 stopped=0 uneven=0 slower=1,1,1.4,1". The first line starts the job, the end
of input ends it. Standard output lists each rank ("rank 3 4242") and later each rank that exits by itself ("gone 4242").

Ranks really wait for each other: `all_reduce` blocks until every rank has called it, and the loop does not know how long
it waits there. The library takes that time out of the step, as it does for the collectives of torch.distributed.
"""

import math
import os
import random
import select
import signal
import socket
import sys
import time

import lapwing_steps
from lapwing_steps import functions, waiting

ENDS_WITHIN = 2.0  # seconds until a rank is killed
WARM_UP = 100  # steps
GONE = "gone"  # last message of a rank


class Ended(Exception):
    """The job has ended: the other end of the socket is closed."""


class Conditions:
    """Properties of steps."""

    def __init__(self, line):
        words = dict(word.split("=", 1) for word in line.split())
        self.data = float(words["data"])
        self.compute = float(words["compute"])
        self.communication = float(words["communication"])
        self.checkpoint = float(words["checkpoint"])
        self.durable = float(words["durable"])
        self.uneven = float(words["uneven"])
        self.every = int(words["every"])
        self.tokens = int(words["tokens"])
        self.stopped = words["stopped"] == "1"
        self.slower = [float(factor) for factor in words["slower"].split(",")]

    def step(self, number, rank):
        """Properties of one step of a rank; it saves before the step that follows a multiple of `every`."""
        saves = self.every > 0 and number > 1 and (number - 1) % self.every == 0
        longer = 1 + self.uneven if number % len(self.slower) == rank else 1
        return "%d %d %.6f %.6f %.6f %.6f %.6f" % (
            number,
            self.tokens,
            self.checkpoint if saves else 0,
            self.data,
            self.compute * self.slower[rank] * longer,
            self.communication,
            self.durable,
        )


# --- A rank ---


class Rank:
    def __init__(self, rank, uuids, job, flops, nodes, line):
        self.line = line
        self.chance = random.Random(rank)
        self.saving = None  # the step and the due time of a checkpoint that is not durable yet
        self.steps = lapwing_steps.Steps(
            job=job,
            run="llama-8b",
            rank=rank,
            local_rank=rank,
            world_size=nodes * len(uuids),
            gpu=uuids[rank],
            model_flops_per_token=flops,
            precision="bf16",
            framework="simulated",
            parallel={"dp": (rank, nodes * len(uuids))},
            simulated=True,
        )
        waiting.own_work(self.steps)  # as lapwing_steps.pytorch.watch() does

    def run(self):
        try:
            self.hear()
            self.steps.open()
            self.line.send(b"ready")
            while True:
                self.step(*self.hear().split())
        except (Ended, OSError):
            pass
        finally:
            self.steps.close()

    def step(self, number, tokens, checkpoint, data, compute, communication, durable):
        if float(checkpoint) > 0:
            self.save(int(number) - 1, float(checkpoint), float(durable))
        with self.steps.step(int(number), tokens=int(tokens), samples=1) as step:
            with step.data():
                self.pause(float(data) * self.about(0.1))
            self.pause(float(compute) * self.about(0.01))  # forward and backward
            all_reduce(self, float(communication))
            self.learn(step, int(number))
        self.settle()
        self.line.send(b"done")

    def save(self, step, seconds, durable):
        with self.steps.checkpoint():
            self.pause(seconds)
        self.saving = (step, time.monotonic() + durable)
        self.settle()

    def settle(self):
        """A saver in the background has completed."""
        if self.saving and time.monotonic() >= self.saving[1]:
            self.steps.checkpointed(step=self.saving[0])
            self.saving = None

    def learn(self, step, number):
        step.loss = (2.0 + 9.76 * (1 + number / 30) ** -0.55) * self.about(0.005)
        step.gradient_norm = (0.4 + 6.0 * math.exp(-number / 80)) * self.about(0.08)
        step.learning_rate = 3e-4 * min(1.0, number / WARM_UP)

    def about(self, share):
        return 1 + self.chance.uniform(-share, share)

    def hear(self):
        heard = self.line.recv(256)
        if not heard:
            raise Ended
        return heard.decode("ascii")

    def pause(self, seconds):
        """The program never writes first, so readable input means the end."""
        if select.select([self.line], [], [], seconds)[0]:
            raise Ended


@functions._timed
def all_reduce(rank, seconds):
    """Returns some time after the last rank has called it."""
    rank.line.send(b"arrived")
    rank.hear()
    rank.pause(seconds)


# --- The job ---


class Job:
    def __init__(self, name, flops, nodes, uuids):
        self.pids = []
        self.lines = []
        for rank in range(len(uuids)):
            self.fork(rank, uuids, name, flops, nodes)
        self.conditions = None
        self.rest = b""
        self.said = [""] * len(uuids)
        self.number = 0

    def fork(self, rank, uuids, name, flops, nodes):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            try:
                # Otherwise the sockets would stay open after the end of this program.
                ours.close()
                for line in self.lines:
                    line.close()
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, 0)
                os.dup2(nowhere, 1)
                Rank(rank, uuids, name, flops, nodes, theirs).run()
            finally:
                os._exit(0)
        theirs.close()
        self.pids.append(pid)
        self.lines.append(ours)

    def run(self):
        try:
            for rank, pid in enumerate(self.pids):
                say("rank %d %d" % (rank, pid))
            while self.conditions is None:
                self.listen()
            self.all("begin", "ready")
            while True:
                self.number += 1
                for rank in range(len(self.lines)):
                    self.tell(rank, self.conditions.step(self.number, rank))
                self.await_all("arrived")
                while self.conditions.stopped:
                    self.listen()
                self.all("go", "done")
        except Ended:
            pass

    def all(self, word, answer):
        for rank in range(len(self.lines)):
            self.tell(rank, word)
        self.await_all(answer)

    def tell(self, rank, text):
        try:
            self.lines[rank].send(text.encode("ascii"))
        except OSError:
            pass  # it has exited; `listen` detects that

    def await_all(self, answer):
        """Without a rank that has exited no other rank can continue, as in a real job."""
        while any(said != answer for said in self.said):
            self.listen()

    def listen(self):
        """Reads messages of the ranks and the input of this program."""
        alive = [self.lines[rank] for rank, said in enumerate(self.said) if said != GONE]
        readable = select.select([0] + alive, [], [])[0]
        for rank, line in enumerate(self.lines):
            if line in readable:
                self.said[rank] = heard_on(line)
                if self.said[rank] == GONE:
                    os.waitpid(self.pids[rank], 0)
                    say("gone %d" % self.pids[rank])
        if 0 in readable:
            self.take_in(os.read(0, 65536))

    def take_in(self, text):
        if not text:
            raise Ended
        *lines, self.rest = (self.rest + text).split(b"\n")
        for line in lines:
            self.conditions = Conditions(line.decode("ascii"))

    def close(self):
        for line in self.lines:
            line.close()
        end = time.monotonic() + ENDS_WITHIN
        left = set(self.pids)
        while left:
            for pid in list(left):
                try:
                    if os.waitpid(pid, os.WNOHANG)[0]:
                        left.discard(pid)
                    elif time.monotonic() > end:
                        os.kill(pid, signal.SIGKILL)
                except OSError:
                    left.discard(pid)
            time.sleep(0.01)


def heard_on(line):
    try:
        return line.recv(256).decode("ascii") or GONE
    except OSError:
        return GONE


def say(text):
    try:
        os.write(1, (text + "\n").encode("ascii"))
    except OSError:
        pass  # the parent has exited; the end of input shows that too


def end(*_):
    raise Ended


def main(job, flops, nodes, *uuids):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    running = None
    try:
        running = Job(job, float(flops), int(nodes), uuids)
        running.run()
    except Ended:
        pass
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if running is not None:
            running.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
