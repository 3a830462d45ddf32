"""Whatever happens to the file, the folder, the clock or the arguments: nothing reaches the loop."""

import copy
import errno
import fcntl
import gc
import io
import math
import mmap
import os
import pickle
import shutil
import struct
import subprocess
import sys
import threading
import time
import unittest
import warnings
from unittest import mock

import lapwing_steps
from lapwing_steps import Steps, complaints, pytorch, writer

from .reading import InAFolder, at, contents, last, record, sequences

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(lapwing_steps.__file__)))


class Hostile(InAFolder):
    def setUp(self):
        super().setUp()
        complaints._said.clear()
        self.stderr = io.StringIO()
        patch = mock.patch("sys.stderr", self.stderr)
        patch.start()
        self.addCleanup(patch.stop)

    def run_through(self, **arguments):
        steps = Steps(**arguments)
        steps.phase("starting")
        for _ in steps.batches([1, 2]):
            with steps.step(tokens=1) as step, step.data(), step.compute(), step.communication(), step.checkpoint():
                step.loss = 1.0
        with steps.evaluation():
            pass
        steps.close()
        return steps

    def said(self):
        return self.stderr.getvalue()

    def test_a_folder_that_cannot_be_made_is_said_once(self):
        blocked = os.path.join(self.folder, "file")
        open(blocked, "w").close()
        self.run_through(directory=os.path.join(blocked, "steps"))
        self.run_through(directory=os.path.join(blocked, "steps"))
        self.assertEqual(self.said().count("\n"), 1)

    def test_a_folder_that_had_to_be_made_is_said(self):
        steps = Steps(directory=os.path.join(self.folder, "mistyped"))
        self.addCleanup(steps.close)
        steps.open()
        self.assertIn("made %s/mistyped, which the agent reads only if it is the host's" % self.folder, self.said())

    def test_nobody_else_can_open_the_file_before_it_is_locked(self):
        allocate, seen = os.posix_fallocate, []

        def watched(fd, offset, size):
            hidden = os.path.join(self.folder, os.listdir(self.folder)[0])
            child = os.fork()
            if child == 0:
                with open(hidden, "rb") as file:
                    try:
                        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1)
                        os._exit(0)
                    except OSError:
                        os._exit(1)
            refused = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
            seen.append((os.fstat(fd).st_mode & 0o777, refused))
            allocate(fd, offset, size)

        with mock.patch("os.posix_fallocate", watched), Steps(directory=self.folder) as steps:
            steps.record(1)
            self.assertEqual(seen, [(0o600, True)], self.said())
            self.assertEqual(os.stat(steps.path).st_mode & 0o777, 0o644)

    def test_an_empty_folder_name_switches_off_without_a_word(self):
        with mock.patch.dict(os.environ, {"LAPWING_STEPS_DIR": ""}):
            self.run_through()
        self.assertEqual(self.said(), "")

    def test_no_space_leaves_no_file(self):
        with mock.patch("os.posix_fallocate", side_effect=OSError(errno.ENOSPC, "no space")):
            self.run_through(directory=self.folder)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("no space", self.said())

    def test_a_mapping_that_fails_leaves_no_file(self):
        with mock.patch.object(mmap, "mmap", side_effect=OSError(errno.ENOMEM, "no memory")):
            self.run_through(directory=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_rename_that_fails_leaves_no_file(self):
        with mock.patch("os.rename", side_effect=OSError(errno.EACCES, "no")):
            self.run_through(directory=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_lock_that_cannot_be_had_is_no_obstacle(self):
        with mock.patch("fcntl.lockf", side_effect=OSError(errno.ENOLCK, "no locks")):
            steps = Steps(directory=self.folder)
            steps.record(1, 1.0)
        self.addCleanup(steps.close)
        self.assertEqual(at(contents(steps.path), 28, "I"), 0)
        self.assertEqual(last(contents(steps.path))["step"], 1)

    def test_even_a_closed_stderr_is_no_error(self):
        with mock.patch("sys.stderr", None):
            self.run_through(directory="/proc/nowhere/steps")

    def test_odd_numbers_are_left_out_and_sums_stay_sums(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.record(1, 1.0, 10, data=0.5)
        for odd in (math.nan, math.inf, -math.inf, -1.0, 1e300, None, "x", [], 10**400):
            steps.record(2, odd, odd, odd, odd, odd, odd, odd, odd, odd, odd)
            got = last(contents(steps.path))
            self.assertTrue(0 <= got["duration"] < 60, odd)
            self.assertEqual((got["data"], got["compute"], got["checkpoint"]), (None, None, None))
            self.assertEqual((got["all_tokens"], got["all_data"]), (10, 0.5), odd)
        self.assertEqual(at(contents(steps.path), 120, "Q"), 10)
        self.assertEqual(self.said(), "")

    def test_an_infinite_loss_is_written(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.record(1, 1.0, loss=math.inf)
        self.assertEqual(last(contents(steps.path))["loss"], math.inf)

    def test_numbers_of_other_types_are_taken(self):
        class Tensor:
            def __int__(self):
                return 7

            def __float__(self):
                return 0.5

        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.record(Tensor(), Tensor(), Tensor(), Tensor(), Tensor(), data=Tensor())
        steps.record("8", 1, True)
        first, second = record(contents(steps.path), 0), record(contents(steps.path), 1)
        self.assertEqual((first["step"], first["duration"], first["tokens"], first["data"]), (7, 0.5, 7, 0.5))
        self.assertEqual((second["step"], second["all_duration"], second["all_tokens"]), (8, 1.5, 8))

    def test_an_argument_that_throws_costs_nothing(self):
        class Bomb:
            def __float__(self):
                raise RuntimeError("boom")

            __int__ = __index__ = __lt__ = __le__ = __ge__ = __add__ = __radd__ = __float__

        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.record(Bomb(), Bomb(), Bomb(), Bomb(), Bomb(), data=Bomb())
        steps.record(5, 1.0, 3)
        self.assertEqual(last(contents(steps.path))["all_tokens"], 3)

    def test_parts_that_are_none_are_passed_over(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        for part, seconds in (
            ("file", 1.0),
            ("data", "x"),
            ("data", -1.0),
            ([], 1.0),
            ("compute", 0.5),
            ("compute", 1),
        ):
            steps.add(part, seconds)
        steps.phase([])
        steps.record(1, 2.0)
        got = last(contents(steps.path))
        self.assertEqual((got["data"], got["compute"], got["checkpoint"]), (None, 1.5, None))

    def test_misuse_is_a_warning(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            steps = Steps(directory=self.folder, capacity=1)
        self.assertEqual(len(caught), 1)
        steps.open()
        self.addCleanup(steps.close)
        self.assertEqual(at(contents(steps.path), 20, "I"), 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Steps(capacity="many")
        lapwing_steps.open(directory=self.folder, no_such_argument=1)
        lapwing_steps.close()

    def test_a_clock_that_goes_back_is_written_as_it_is(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        for now in (2_000_000_000_000_000_000, 1_000_000_000_000_000_000, 5):
            with mock.patch.object(writer, "_wall", return_value=now):
                steps.record(1, 2.0)
        data = contents(steps.path)
        self.assertEqual(record(data, 1)["start"], 1_000_000_000_000_000_000 - 2_000_000_000)
        self.assertEqual(record(data, 2)["start"], 0)
        self.assertEqual(record(data, 2)["all_duration"], 6.0)

    def test_a_step_that_throws_is_no_step(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        with self.assertRaises(KeyError):
            with steps.step(tokens=5) as step, step.data():
                raise KeyError
        with steps.step(tokens=6):
            pass
        got = last(contents(steps.path))
        self.assertEqual((got["step"], got["all_tokens"], got["data"]), (0, 6, None))

    def test_each_writer_of_a_process_has_a_file(self):
        writers = [Steps(directory=self.folder, job="j", rank=0) for _ in range(40)]
        for step, steps in enumerate(writers):
            self.addCleanup(steps.close)
            steps.record(step, 1.0)
        self.assertEqual(len(os.listdir(self.folder)), 40)
        self.assertEqual([last(contents(steps.path))["step"] for steps in writers], list(range(40)))
        self.assertEqual(self.said(), "")

    def test_names_that_can_be_guessed_are_not_used(self):
        for number in range(1, 17):
            name = "j.0.%d%s.steps" % (os.getpid(), "" if number == 1 else ".%d" % number)
            os.mkdir(os.path.join(self.folder, name))
            os.mkdir(os.path.join(self.folder, "." + name + ".tmp"))
        os.mkfifo(os.path.join(self.folder, "fifo.steps"))
        steps = Steps(directory=self.folder, job="j", rank=0)
        self.addCleanup(steps.close)
        steps.record(1, 1.0)
        self.assertEqual((last(contents(steps.path))["step"], self.said()), (1, ""))

    def test_a_name_that_is_taken_all_the_same_is_no_obstacle(self):
        taken = [b"\0\0\0\0"] * 3
        for name in (".j.0.%d.00000000.tmp", "j.0.%d.00000001.steps"):
            os.mkdir(os.path.join(self.folder, name % os.getpid()))
        with mock.patch("os.urandom", side_effect=[*taken, b"\0\0\0\2", b"\0\0\0\1", b"\0\0\0\3"]):
            steps = Steps(directory=self.folder, job="j", rank=0)
            steps.record(1, 1.0)
        self.addCleanup(steps.close)
        self.assertEqual(os.path.basename(steps.path), "j.0.%d.00000003.steps" % os.getpid())

    def test_files_of_other_containers_are_swept_by_their_lock(self):
        script = (
            "import os, sys, lapwing_steps as s; from lapwing_steps.file import Process\n"
            "steps = s.Steps(process=Process(os.getpid(), 5, 99)); steps.record(1, 1.0); print(steps.path, flush=True)\n"
            "sys.stdin.read(); os._exit(0)"
        )
        child = self.start(script)
        path = child.stdout.readline().strip()
        with Steps(directory=self.folder) as steps:
            steps.open()
            self.assertTrue(os.path.exists(path))
        child.communicate()
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.open()
        self.assertEqual(os.listdir(self.folder), [os.path.basename(steps.path)])

    def test_a_process_that_executes_itself_again_sweeps_its_file(self):
        script = (
            "import os, sys, lapwing_steps as s\n"
            "s.record(1, 1.0)\n"
            "if sys.argv[1] == '0': os.execv(sys.executable, [sys.executable, '-c', sys.argv[2], '1', ''])\n"
            "print(len(os.listdir(os.environ['LAPWING_STEPS_DIR'])))"
        )
        self.assertEqual(self.python(script, "0", script), b"1\n")

    def test_files_that_other_libraries_of_the_process_have_open_keep_their_lock(self):
        script = (
            "import fcntl, os, lapwing_steps as s; from lapwing_steps.file import Process\n"
            "one = s.Steps(process=Process(1, 1, Process.current().namespace)); one.record(1, 1.0)\n"
            "other = s.Steps(); other.record(1, 1.0)\n"
            "if os.fork() == 0:\n"
            "    for path in (one.path, other.path):\n"
            "        try: fcntl.lockf(open(path, 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB, 1); print('free', flush=True)\n"
            "        except OSError: print('held', flush=True)\n"
            "    os._exit(0)\n"
            "os.wait()"
        )
        self.assertEqual(self.python(script), b"held\nheld\n")

    def test_a_file_that_was_never_published_is_swept(self):
        old, new = os.path.join(self.folder, ".j.0.1.ab.tmp"), os.path.join(self.folder, ".j.0.1.cd.tmp")
        for path in (old, new):
            open(path, "w").close()
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.open()
        self.assertTrue(os.path.exists(old))
        with mock.patch("lapwing_steps.file.ABANDONED", -1.0):
            other = Steps(directory=self.folder)
            self.addCleanup(other.close)
            other.open()
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_a_writer_that_nothing_refers_to_ends_its_file_at_once(self):
        gc.disable()
        self.addCleanup(gc.enable)
        steps = Steps(directory=self.folder)
        with steps.step() as step, step.compute(), step.communication():
            pass
        part = steps.data()
        with steps.checkpoint(), steps.evaluation():
            pass
        self.assertEqual(len(os.listdir(self.folder)), 1)
        del steps, step
        self.assertEqual(os.listdir(self.folder), [])
        with part:
            pass

    def test_a_record_within_a_record_is_left_out(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)

        def wall():  # as a signal handler, or a second thread
            if not inner:
                inner.append(True)
                steps.record(7, 1.0)
            return time.time_ns()

        inner = []
        with mock.patch.object(writer, "_wall", side_effect=wall), mock.patch.object(writer, "complain") as complain:
            steps.record(1, 1.0)
            steps.record(2, 1.0)
        self.assertEqual(len(inner), 1)
        self.assertIn("one thread", complain.call_args[0][0])
        data = contents(steps.path)
        self.assertEqual([record(data, n)["step"] for n in range(at(data, 120, "Q"))], [1, 2])

    @unittest.skipIf(sys.version_info < (3, 10), "before 3.10 threads take turns between any two instructions")
    def test_threads_that_share_a_writer_leave_it_whole(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.open()
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        self.addCleanup(sys.setswitchinterval, interval)

        def run():
            for _ in range(5000):
                steps.record(duration=0.5, tokens=1)

        with mock.patch.object(writer, "complain"):
            threads = [threading.Thread(target=run) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        data = contents(steps.path)
        written = at(data, 120, "Q")
        self.assertGreater(written, 0)
        kept = range(max(0, written - 512), written)
        self.assertEqual([record(data, n)["all_steps"] for n in kept], [n + 1 for n in kept])
        self.assertEqual(last(data)["all_tokens"], written)

    def test_what_an_interrupt_leaves_behind_does_not_last(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.record(1, 1.0)
        steps._inside = True
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        with clock, mock.patch.object(writer, "complain"):
            for clock.now in (1000.0, 1059.0, 1061.0, 1062.0):
                steps.record(int(clock.now), 1.0)
        self.assertEqual(last(contents(steps.path))["step"], 1062)

    def test_who_cannot_open_tries_again_after_a_minute(self):
        blocked = os.path.join(self.folder, "file")
        open(blocked, "w").close()
        steps = Steps(directory=os.path.join(blocked, "steps"))
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0
        with clock:
            steps.record(1, 1.0)
            os.unlink(blocked)
            clock.now = 130.0
            steps.record(2, 1.0)
            self.assertEqual(os.listdir(self.folder), [])
            clock.now = 161.0
            steps.record(3, 1.0)
        self.assertEqual(last(contents(steps.path))["step"], 3)

    def test_a_file_that_somebody_removes_is_made_again(self):
        steps = Steps(directory=os.path.join(self.folder, "a", "steps"))
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0
        before = None
        with clock:
            for now in (100.0, 161.0, 222.0, 283.0):
                clock.now = now
                steps.record(int(now), 1.0, 5)
                self.assertEqual(last(contents(steps.path))["all_tokens"], 5)
                self.assertEqual(at(contents(steps.path), 128, "Q"), 1)
                before = before or len(os.listdir("/proc/self/fd"))
                shutil.rmtree(os.path.join(self.folder, "a"))
            self.assertEqual(len(os.listdir("/proc/self/fd")), before)
            steps.record(284, 1.0)  # lost, for a minute
        self.assertFalse(os.path.exists(steps.path))

    def test_a_writer_that_is_not_open_belongs_to_nobody(self):
        script = (
            "import os, sys, lapwing_steps as s\n"
            "steps = s.Steps()\n"
            "for rank in range(2):\n"
            "    if os.fork() == 0:\n"
            "        steps.record(1, 1.0); print(os.path.exists(steps.path), flush=True)\n"
            "        sys.exit(0)\n"
            "    os.wait()\n"
            "steps.record(1, 1.0)\n"
            "print(len(os.listdir(os.environ['LAPWING_STEPS_DIR'])))"
        )
        self.assertEqual(self.python(script), b"True\nTrue\n1\n")

    def test_copies_are_the_writer_and_pickles_make_one_of_their_own(self):
        steps = Steps(directory=self.folder, job="j", rank=3, capacity=8, parallel={"dp": (1, 2)})
        self.addCleanup(steps.close)
        steps.record(1, 1.0)
        loop = pytorch.Loop([1, 2], steps=steps)
        next(iter(loop))
        other = copy.deepcopy(loop)
        self.assertIs(copy.copy(steps), steps)
        self.assertIs(other.steps, steps)
        with steps.step() as step:
            self.assertIs(copy.deepcopy(step)._steps, steps)
        unpickled = pickle.loads(pickle.dumps(loop)).steps
        self.addCleanup(unpickled.close)
        self.assertIsNone(unpickled.path)
        unpickled.record(1, 1.0)
        self.assertEqual(contents(unpickled.path)[48:104], contents(steps.path)[48:104])
        self.assertEqual(contents(unpickled.path)[256:1024], contents(steps.path)[256:1024])
        self.assertNotEqual(unpickled.path, steps.path)
        for name in ("data", "compute", "communication"):
            part = getattr(steps, name)()
            self.assertIs(copy.deepcopy(part), part)
            with pickle.loads(pickle.dumps(part)):
                pass
        timer = pytorch.CudaTimer(steps)
        timer._under_way.append(("no copy of", open(os.devnull)))
        self.assertIs(copy.deepcopy(timer)._steps, steps)
        timer._under_way.pop()[1].close()

    def test_a_writer_travels_to_a_spawned_process(self):
        with open(os.path.join(self.folder, "spawned.py"), "w") as script:
            script.write(
                "import multiprocessing, os, lapwing_steps\n"
                "def child(steps):\n"
                "    steps.record(7, 1.0)\n"
                "    print(os.path.exists(steps.path), flush=True)\n"
                "if __name__ == '__main__':\n"
                "    steps = lapwing_steps.Steps(job='j'); steps.record(1, 1.0)\n"
                "    for kind in ('spawn', 'forkserver'):\n"
                "        process = multiprocessing.get_context(kind).Process(target=child, args=(steps,))\n"
                "        process.start(); process.join()\n"
            )
        environment = {**os.environ, "LAPWING_STEPS_DIR": self.folder, "PYTHONPATH": PACKAGE}
        run = subprocess.run(
            [sys.executable, script.name], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertEqual((run.stdout, run.stderr), (b"True\nTrue\n", b""))

    def test_a_count_that_no_step_has_spoils_no_total(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        for absurd in (5, 2**53, 2**63, 2**64 - 1, -1, 6):
            steps.record(1, 1.0, tokens=absurd, samples=absurd)
        got = last(contents(steps.path))
        self.assertEqual((got["all_steps"], got["all_tokens"], got["all_samples"]), (6, 11, 11))

    def test_a_replaced_file_is_not_removed(self):
        steps = Steps(directory=self.folder)
        steps.record(1, 1.0)
        os.unlink(steps.path)
        open(steps.path, "w").close()
        steps.close()
        self.assertEqual(len(os.listdir(self.folder)), 1)

    def test_files_of_dead_processes_are_swept(self):
        script = "import os, lapwing_steps as s; s.record(1, 1.0); os._exit(0)"
        self.python(script)
        self.assertEqual(len(os.listdir(self.folder)), 1)
        steps = Steps(directory=self.folder, job="other")
        steps.record(1, 1.0)
        self.addCleanup(steps.close)
        self.assertEqual(os.listdir(self.folder), [os.path.basename(steps.path)])

    def test_a_writer_that_is_dropped_ends_its_file(self):
        gc.collect()
        before = len(os.listdir("/proc/self/fd"))
        steps = Steps(directory=self.folder)
        steps.record(1, 1.0)
        with open(steps.path, "rb") as held:
            del steps
            gc.collect()
            self.assertEqual(at(held.read(), 128, "Q"), 4)
        self.assertEqual((os.listdir(self.folder), len(os.listdir("/proc/self/fd"))), ([], before))

    def test_a_process_that_ends_leaves_no_file(self):
        self.python("import lapwing_steps as s; s.record(1, 1.0); raise SystemExit(0)")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_writer_killed_in_the_middle_leaves_an_odd_sequence(self):
        self.python(
            "import os, lapwing_steps as s; from lapwing_steps import writer\n"
            "s.record(1, 1.0)\n"
            "writer._pack = lambda *_: os._exit(0)\n"
            "s.record(2, 1.0)"
        )
        (name,) = os.listdir(self.folder)
        data = contents(os.path.join(self.folder, name))
        self.assertEqual(at(data, 120, "Q"), 1)
        self.assertEqual(sequences(data, 1), (3, 0))
        self.assertEqual(last(data)["step"], 1)

    def test_a_child_that_was_forked_off_leaves_the_file_alone(self):
        script = (
            "import os, lapwing_steps as s\n"
            "s.record(1, 1.0)\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    s.record(2, 1.0); s.phase('checkpoint'); s.close(); raise SystemExit(0)\n"
            "os.waitpid(child, 0)\n"
            "s.record(3, 1.0)\n"
            "import sys; sys.stdout.buffer.write(open(s.default().path, 'rb').read())"
        )
        data = self.python(script)
        self.assertEqual((at(data, 120, "Q"), at(data, 128, "Q"), last(data)["step"]), (2, 1, 3))

    def test_a_child_may_write_a_file_of_its_own(self):
        script = (
            "import os, lapwing_steps as s\n"
            "s.record(1, 1.0)\n"
            "if os.fork() == 0:\n"
            "    own = s.Steps(); own.record(5, 1.0)\n"
            "    print(sorted(os.listdir(os.environ['LAPWING_STEPS_DIR'])), flush=True)\n"
            "    own.close(); os._exit(0)\n"
            "os.wait()"
        )
        self.assertEqual(self.python(script).count(b".steps"), 2)

    def test_the_lock_is_held_while_the_writer_lives(self):
        steps = Steps(directory=self.folder)
        steps.record(1, 1.0)
        self.addCleanup(steps.close)
        script = (
            "import fcntl, sys; f = open(sys.argv[1], 'r+b')\n"
            "try: fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 1); print('free')\n"
            "except OSError: print('held')"
        )
        self.assertEqual(self.python(script, steps.path), b"held\n")

    def test_what_a_reader_accepts_while_the_writer_writes_is_whole(self):
        script = (
            "import lapwing_steps as s\n"
            "steps = s.Steps(job='j', rank=0, capacity=2); steps.open(); print(steps.path, flush=True)\n"
            "for n in range(100_000): steps.record(n, 1.0, 3 * n, 5 * n, loss=float(n))\n"
            "import sys; sys.stdin.read()"
        )
        environment = {**os.environ, "LAPWING_STEPS_DIR": self.folder, "PYTHONPATH": PACKAGE}
        child = subprocess.Popen(
            [sys.executable, "-c", script], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(child.communicate)
        fd = os.open(child.stdout.readline().strip(), os.O_RDONLY)
        self.addCleanup(os.close, fd)
        number = accepted = 0
        while number < 99_999 and child.poll() is None:
            number = struct.unpack("<Q", os.pread(fd, 8, 120))[0] - 1
            if number < 0:
                continue
            slot = 1024 + 192 * (number % 2)
            once, again = os.pread(fd, 192, slot), os.pread(fd, 192, slot)
            if once != again or {at(once, 0, "Q"), at(once, 168, "Q")} != {2 * number + 2}:
                continue
            accepted += 1
            got = tuple(at(once, *place) for place in ((8, "Q"), (32, "Q"), (40, "Q"), (48, "d"), (104, "Q")))
            self.assertEqual(got, (number, 3 * number, 5 * number, float(number), number + 1))
        self.assertEqual(number, 99_999)
        self.assertGreater(accepted, 0)

    def start(self, script):
        environment = {**os.environ, "LAPWING_STEPS_DIR": self.folder, "PYTHONPATH": PACKAGE}
        return subprocess.Popen(
            [sys.executable, "-c", script], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def python(self, script, *arguments):
        environment = {**os.environ, "LAPWING_STEPS_DIR": self.folder, "PYTHONPATH": PACKAGE}
        run = subprocess.run(
            [sys.executable, "-c", script, *arguments], env=environment, stdout=subprocess.PIPE, check=True
        )
        return run.stdout
