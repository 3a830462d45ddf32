"""Which checkpoint is durable, reported by loops, by savers in the background and by the frameworks' own files."""

import concurrent.futures
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from unittest import mock

import lapwing_steps
from lapwing_steps import Steps, layout, trackers

from .reading import InAFolder, at, contents, record

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(lapwing_steps.__file__)))
UNKNOWN = 2**64 - 1
LOOP, MEGATRON, DEEPSPEED, DCP = 1, 3, 4, 5
PATIENCE = 20.0


class Report:
    """The words at 160."""

    def __init__(self, data):
        self.sequence, self.step, self.durable, self.unsaved, self.source = (at(data, 160 + 8 * n, "Q") for n in range(5))


def end_of(data, number):
    it = record(data, number)
    return it["start"] + int(it["duration"] * 1e9)


class Checkpointing(InAFolder):
    def setUp(self):
        super().setUp()
        self.saved = os.path.join(self.folder, "saved")
        os.mkdir(self.saved)
        self.steps = self.loop()

    def loop(self, **arguments):
        steps = Steps(directory=os.path.join(self.folder, "steps"), job="j", **{"rank": 0, "local_rank": 0, **arguments})
        steps.phase("training")
        self.addCleanup(steps.close)
        return steps

    def train(self, *numbers):
        for number in numbers:
            self.steps.record(number, 0.001)

    def data(self):
        return contents(self.steps.path)

    def report(self):
        return Report(self.data())

    def await_report(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds(self.report()):
            self.assertLess(time.monotonic(), end, "no such report: %s" % vars(self.report()))
            time.sleep(0.02)
        return self.report()


class Loops(Checkpointing):
    def test_a_loop_that_does_not_say_reports_nothing(self):
        self.train(1)
        with self.steps.checkpoint():
            pass
        self.assertEqual(self.data()[160:256], bytes(96))

    def test_a_blocking_save_is_durable_at_its_end(self):
        self.train(1, 2)
        before = time.time_ns()
        with self.steps.checkpoint(durable=True):
            time.sleep(0.05)
            self.assertEqual(self.report().sequence, 0)
        got = self.report()
        self.assertEqual((got.sequence, got.step, got.source), (2, 2, LOOP))
        self.assertEqual(got.unsaved, end_of(self.data(), 1))
        self.assertGreaterEqual(got.durable, before + 50_000_000)

    def test_a_save_that_raises_is_not_durable(self):
        self.train(1)
        with self.assertRaises(OSError):
            with self.steps.checkpoint(durable=True):
                raise OSError("no space left on device")
        self.assertEqual(self.report().sequence, 0)

    def test_a_save_inside_a_step_has_the_state_before_that_step(self):
        self.train(1)
        with self.steps.step(2) as step:
            with step.checkpoint(durable=True):
                pass
        self.assertEqual((self.report().step, self.report().unsaved), (1, end_of(self.data(), 0)))

    def test_a_save_before_the_first_step_has_an_unknown_step(self):
        with self.steps.checkpoint(durable=True):
            pass
        got = self.report()
        self.assertEqual((got.step, got.sequence), (UNKNOWN, 2))
        self.assertLess(time.time_ns() - got.unsaved, 10 * 10**9)

    def test_a_save_in_the_background_has_the_state_of_its_beginning(self):
        self.train(1, 2, 3)
        with self.steps.checkpoint():
            saving = threading.Thread(target=lambda: (time.sleep(0.1), self.steps.checkpointed()))
            saving.start()
        self.train(4, 5, 6)
        self.assertEqual(self.report().sequence, 0)
        saving.join()
        got = self.report()
        self.assertEqual((got.step, got.source), (3, LOOP))
        self.assertEqual(got.unsaved, end_of(self.data(), 2))

    def test_a_future_counts_when_it_ends_well(self):
        ends = [concurrent.futures.Future() for _ in range(4)]
        for number, future in enumerate(ends):
            self.train(number)
            self.steps.checkpointed_when(future)
        ends[0].set_exception(OSError("no space left on device"))
        ends[1].cancel()
        ends[1].set_running_or_notify_cancel()
        self.assertEqual(self.report().sequence, 0)
        ends[2].set_result(None)
        self.assertEqual((self.report().sequence, self.report().step), (2, 2))

    def test_a_response_of_staging_and_upload_counts_when_it_is_uploaded(self):
        response = mock.Mock(spec=["staging_completion", "upload_completion"])
        response.staging_completion, response.upload_completion = (concurrent.futures.Future() for _ in range(2))
        self.train(7)
        self.steps.checkpointed_when(response)
        response.staging_completion.set_result(None)
        self.assertEqual(self.report().sequence, 0)
        response.upload_completion.set_result(None)
        self.assertEqual(self.report().step, 7)

    def test_what_is_no_future_never_counts(self):
        writer = mock.patch("lapwing_steps.durable.complain")
        with writer as complain:
            for odd in (None, 7, object()):
                self.steps.checkpointed_when(odd)
        self.assertEqual(self.report().sequence, 0)
        self.assertEqual(str(complain.call_args_list[0][0][0]), "checkpointed_when needs a future, not NoneType")

    def test_odd_steps_are_unknown(self):
        self.train(1)
        for number, odd in enumerate((-1, 2**53, 2**70, "x", 1.5, float("nan"), object()), 1):
            self.steps.checkpointed(odd)
            got = self.report()
            self.assertEqual((got.sequence, got.step), (2 * number, UNKNOWN))
            self.assertLessEqual(got.unsaved, got.durable)

    def test_a_step_that_has_left_the_ring_ended_no_later_than_known(self):
        self.steps = self.loop(rank=1, capacity=2)
        self.train(1, 2)
        with self.steps.checkpoint():
            began = time.time_ns()
        time.sleep(0.02)
        self.train(3, 4, 5, 6)
        self.steps.checkpointed(4)
        self.assertLessEqual(self.report().unsaved, began)
        self.steps.checkpointed(1)
        self.assertLessEqual(self.report().unsaved, began)
        self.assertEqual(self.report().step, 1)

    def test_the_report_is_repeated_in_a_file_that_replaces_a_removed_one(self):
        self.train(1)
        self.steps.checkpointed()
        before = self.report()
        os.unlink(self.steps.path)
        self.steps._check_at = 0.0
        self.train(2)
        self.train(3)
        self.assertEqual(vars(self.report()), vars(before))

    def test_a_copy_opens_a_file_without_a_report(self):
        self.train(1)
        self.steps.checkpointed()
        with mock.patch.dict(os.environ, {"LAPWING_RUN": "other"}):
            copied = pickle.loads(pickle.dumps(self.steps))
        self.addCleanup(copied.close)
        copied.open()
        self.assertEqual(Report(contents(copied.path)).sequence, 0)

    def test_many_threads_leave_a_whole_report(self):
        self.train(*range(50))
        torn = []

        def read():
            while saving.is_alive():
                first, second = self.report(), self.report()
                if first.sequence == second.sequence and first.sequence % 2 == 0 and first.sequence:
                    if first.unsaved != ends[first.step]:
                        torn.append(vars(first))

        data = self.data()
        ends = {number: end_of(data, number) for number in range(50)}

        def save(numbers):
            for number in numbers:
                self.steps.checkpointed(number)

        saving = threading.Thread(target=lambda: [save(range(50)) for _ in range(20)])
        saving.start()
        others = [threading.Thread(target=save, args=(range(50),)) for _ in range(3)]
        for thread in others:
            thread.start()
        read()
        for thread in others + [saving]:
            thread.join()
        self.assertEqual(torn, [])
        self.assertEqual(self.report().sequence, 2 * 50 * 23)


class Files(Checkpointing):
    """The files are as the frameworks write them: Megatron's text, DeepSpeed's tag, a renamed .metadata."""

    def watch(self, **arguments):
        self.steps.watch_checkpoints(self.saved, every=0.05, **arguments)

    def write(self, name, text=""):
        path = os.path.join(self.saved, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def test_before_the_first_one_everything_is_unsaved(self):
        self.watch()
        self.train(1, 2)
        got = self.await_report(lambda report: report.sequence == 2)
        self.assertEqual((got.step, got.durable, got.source), (UNKNOWN, 0, 0))
        self.assertLess(time.time_ns() - got.unsaved, 10 * 10**9)

    def test_megatron(self):
        self.watch()
        self.train(*range(1, 6))
        self.write("iter_0000003/mp_rank_00/model_optim_rng.pt", "half of it")
        time.sleep(0.3)
        self.assertEqual(self.report().durable, 0)
        self.write("latest_checkpointed_iteration.txt", "3")
        got = self.await_report(lambda report: report.durable)
        self.assertEqual((got.step, got.source, got.unsaved), (3, MEGATRON, end_of(self.data(), 2)))
        self.write("latest_checkpointed_iteration.txt", "5")
        self.assertEqual(self.await_report(lambda report: report.step == 5).unsaved, end_of(self.data(), 4))

    def test_deepspeed(self):
        self.train(*range(1, 6))
        self.write("latest", "global_step4")
        self.watch()
        got = self.await_report(lambda report: report.durable)
        self.assertEqual((got.step, got.source, got.unsaved), (4, DEEPSPEED, end_of(self.data(), 3)))
        self.write("latest", "best")  # a tag of one's own
        got = self.await_report(lambda report: report.step != 4)
        self.assertEqual((got.step, got.source), (UNKNOWN, DEEPSPEED))
        self.assertLessEqual(got.unsaved, end_of(self.data(), 0))

    def test_distributed_checkpoint(self):
        self.train(*range(1, 12))
        self.write("step-2/.metadata", "pickled")
        self.write("step-10/.metadata", "pickled")
        self.write("step-11/__0_0.distcp", "half of it")
        self.write("step-11/.metadata.tmp", "half of it")
        self.watch()
        got = self.await_report(lambda report: report.durable)
        self.assertEqual((got.step, got.source, got.unsaved), (10, DCP, end_of(self.data(), 9)))
        os.rename(os.path.join(self.saved, "step-11/.metadata.tmp"), os.path.join(self.saved, "step-11/.metadata"))
        self.await_report(lambda report: report.step == 11)

    def set_time(self, name, seconds_ago, of_folder=True):
        path = os.path.join(self.saved, name)
        at = time.time() - seconds_ago
        os.utime(path, (at, at))
        if of_folder:
            os.utime(os.path.dirname(path), (at, at))

    def test_after_a_rollback_the_newest_checkpoint_has_a_lower_number(self):
        for step, ago in ((500, 7200), (1000, 3600)):
            self.write(f"step-{step}/.metadata", "of the run before")
            self.set_time(f"step-{step}/.metadata", ago)
        self.watch()
        self.await_report(lambda report: report.step == 1000)
        self.train(501, 502)
        self.write("step-600/.metadata", "pickled")
        self.await_report(lambda report: report.step == 600)
        self.write("step-700/.metadata.tmp", "half of it")
        self.write("step-1000/.metadata.tmp", "half of it: saved again")
        time.sleep(0.3)
        self.assertEqual(self.report().step, 600)
        os.rename(os.path.join(self.saved, "step-700/.metadata.tmp"), os.path.join(self.saved, "step-700/.metadata"))
        self.await_report(lambda report: report.step == 700)
        os.rename(os.path.join(self.saved, "step-1000/.metadata.tmp"), os.path.join(self.saved, "step-1000/.metadata"))
        self.await_report(lambda report: report.step == 1000)

    def test_the_number_decides_between_checkpoints_of_one_time(self):
        for step in (9, 30, 10):
            self.write(f"step-{step}/.metadata", "pickled")
            os.utime(os.path.join(self.saved, f"step-{step}/.metadata"), (1_700_000_000, 1_700_000_000))
        self.assertEqual(trackers.newest(self.saved)[:2], ("dcp", 30))

    def test_of_many_folders_those_that_changed_last_count(self):
        for step in range(1000, 1100):
            self.write(f"step-{step}/.metadata", "of the run before")
            self.set_time(f"step-{step}/.metadata", 3600)
        for step in range(3000, 3100):
            self.write(f"part-{step}", "not a folder")
        self.write("step-600/.metadata", "pickled")
        self.assertEqual(trackers.newest(self.saved)[:2], ("dcp", 600))

    def test_trackers_name_the_step_after_a_rollback(self):
        self.watch()
        for name, text, back in (("latest_checkpointed_iteration.txt", "{}", 600), ("latest", "global_step{}", 700)):
            self.write(name, text.format(1000))
            self.await_report(lambda report: report.step == 1000)
            self.write(name, text.format(back))
            self.await_report(lambda report, back=back: report.step == back)

    def test_names_of_checkpoints(self):
        for name, step in (
            ("step-1000", 1000), ("step_1000", 1000), ("checkpoint-1000", 1000), ("global_step1000", 1000),
            ("iter_0001000", 1000), ("1000", 1000), ("epoch=1-step=1000.ckpt", 1000), ("step-1000.incomplete", None),
            ("step-1000.tmp", None), ("best", None), ("", None), ("9" * 16, None), ("step-" + "9" * 99, None),
        ):  # fmt: skip
            self.assertEqual(trackers._step(name), step, name)

    def test_the_checkpoint_may_be_the_folder_itself(self):
        self.write("step-7/.metadata", "pickled")
        self.assertEqual(trackers.newest(os.path.join(self.saved, "step-7/"))[:2], ("dcp", 7))

    def test_files_of_another_kind_are_no_checkpoints(self):
        for text in ("", "release", "-3", "1e9", "9" * 16, "\0\xff", "3\n4", "x" * 10_000):
            self.write("latest_checkpointed_iteration.txt", text)
            self.assertIsNone(trackers.newest(self.saved), text[:20])
        os.unlink(os.path.join(self.saved, "latest_checkpointed_iteration.txt"))
        os.mkfifo(os.path.join(self.saved, "latest"))
        os.makedirs(os.path.join(self.saved, "step-3", ".metadata"))
        os.symlink("nowhere", os.path.join(self.saved, "latest_checkpointed_iteration.txt"))
        self.assertIsNone(trackers.newest(self.saved))
        self.assertIsNone(trackers.newest(os.path.join(self.saved, "missing")))

    def test_of_two_trackers_the_newer_counts(self):
        self.write("latest_checkpointed_iteration.txt", "10")
        self.write("latest", "global_step20")
        os.utime(os.path.join(self.saved, "latest"), (1, 1))
        self.assertEqual(trackers.newest(self.saved)[:2], ("megatron", 10))

    def test_the_checkpoint_that_the_loop_began_from_leaves_all_of_its_work_unsaved(self):
        self.write("latest_checkpointed_iteration.txt", "900")
        os.utime(os.path.join(self.saved, "latest_checkpointed_iteration.txt"), (1_700_000_000, 1_700_000_000))
        self.watch()
        self.train(901, 902)
        got = self.await_report(lambda report: report.durable)
        self.assertEqual((got.step, got.durable), (900, 1_700_000_000 * 10**9))
        self.assertLess(time.time_ns() - got.unsaved, 10 * 10**9)

    def test_a_time_in_the_future_is_now(self):
        self.train(1)
        self.write("latest_checkpointed_iteration.txt", "1")
        ahead = time.time() + 86_400
        os.utime(os.path.join(self.saved, "latest_checkpointed_iteration.txt"), (ahead, ahead))
        self.watch()
        got = self.await_report(lambda report: report.durable)
        self.assertLessEqual(got.durable, time.time_ns())

    def test_only_the_first_rank_of_a_node_looks(self):
        for rank, local_rank, looks in ((8, 0, True), (1, 1, False), (1, -1, False), (0, -1, True), (-1, -1, True)):
            steps = self.loop(rank=rank, local_rank=local_rank)
            steps.watch_checkpoints(self.saved)
            self.assertEqual(Report(contents(steps.path)).sequence, 2 if looks else 0, (rank, local_rank))

    def test_the_thread_ends_with_the_writer(self):
        def watching():
            return {thread for thread in threading.enumerate() if thread.name == "lapwing-checkpoints"}

        others = watching()  # of earlier tests; they may be about to end
        steps = self.loop(rank=9)
        steps.watch_checkpoints(self.saved, every=0.05)
        own = watching() - others
        self.assertEqual(len(own), 1)
        steps.close()
        end = time.monotonic() + PATIENCE
        while watching() & own and time.monotonic() < end:
            time.sleep(0.02)
        self.assertFalse(watching() & own)

    def test_odd_folders_are_ignored(self):
        with mock.patch("lapwing_steps.durable.complain"):
            for odd in (None, 7, object()):
                self.steps.watch_checkpoints(odd)
            self.steps.watch_checkpoints("a\0b", every=-1.0)
            self.steps.watch_checkpoints(self.saved, every="often")


class Programs(InAFolder):
    """Processes of their own."""

    def run_program(self, text, **more):
        os.makedirs(os.path.join(self.folder, "steps"), exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": PACKAGE, "LAPWING_STEPS_DIR": os.path.join(self.folder, "steps")}
        began = time.monotonic()
        ended = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(text)], env=environment, timeout=60, capture_output=True, text=True, **more
        )
        return ended, time.monotonic() - began

    def test_a_file_system_that_hangs_delays_neither_the_loop_nor_its_end(self):
        ended, took = self.run_program("""
            import time
            import lapwing_steps
            from lapwing_steps import trackers
            trackers.newest = lambda folder: time.sleep(600)
            lapwing_steps.watch_checkpoints("/fsx/run", every=0.1)
            slowest = 0.0
            for number in range(2000):
                began = time.perf_counter()
                lapwing_steps.record(number, 0.001)
                slowest = max(slowest, time.perf_counter() - began)
            print(slowest)
        """)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertLess(float(ended.stdout), 5.0)
        self.assertLess(took, 30.0)

    def test_a_process_that_dies_while_it_saves_leaves_no_durable_checkpoint(self):
        ended, _ = self.run_program("""
            import os, signal, threading, time
            import lapwing_steps
            lapwing_steps.record(1, 0.1)
            lapwing_steps.checkpointed()
            lapwing_steps.record(2, 0.1)
            def save():
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGKILL)
                lapwing_steps.checkpointed(2)
            with lapwing_steps.default().checkpoint():
                threading.Thread(target=save).start()
            for number in range(3, 1000):
                lapwing_steps.record(number, 0.01)
                time.sleep(0.01)
        """)
        self.assertEqual(ended.returncode, -9)
        (name,) = os.listdir(os.path.join(self.folder, "steps"))
        got = Report(contents(os.path.join(self.folder, "steps", name)))
        self.assertEqual((got.sequence, got.step), (2, 1))

    def test_savers_in_other_processes(self):
        """Half of the saves fail: the process that writes ends with an error."""
        ended, _ = self.run_program("""
            import concurrent.futures, sys
            import lapwing_steps
            from multiprocessing import get_context
            def main():
                steps = lapwing_steps.open(job="j", rank=0)
                with concurrent.futures.ProcessPoolExecutor(1, get_context("fork")) as pool:
                    for number in range(1, 7):
                        steps.record(number, 0.1)
                        with steps.checkpoint():
                            saving = pool.submit(divmod, number, number % 2)
                        steps.checkpointed_when(saving)
                        steps.record(100 + number, 0.1)
                        concurrent.futures.wait([saving])
                        data = open(steps.path, "rb").read()
                        print(int.from_bytes(data[168:176], "little"))
            main()
        """)
        self.assertEqual((ended.stderr, ended.stdout.split()), ("", ["1", "1", "3", "3", "5", "5"]))

    def test_the_metadata_of_a_real_torch(self):
        ended, _ = self.run_program("""
            import os, sys
            try:
                import torch
                try:
                    from torch.distributed import checkpoint
                except ImportError:
                    from torch.distributed._shard import checkpoint
            except Exception:  # none, or one that this Python cannot import
                sys.exit(77)
            from lapwing_steps import trackers
            os.makedirs("saved/step-12")
            assert trackers.newest("saved") is None
            writer = checkpoint.FileSystemWriter("saved/step-12")
            checkpoint.save_state_dict({"weight": torch.ones(3)}, writer, no_dist=True)
            print(trackers.newest("saved")[:2])
        """, cwd=self.folder)  # fmt: skip
        if ended.returncode == 77:
            self.skipTest("no torch with distributed checkpoints")
        self.assertEqual(ended.stdout.strip(), "('dcp', 12)", ended.stderr)


class ModuleFunctions(InAFolder):
    def test_plain_functions(self):
        steps = lapwing_steps.open(directory=self.folder, rank=0)
        self.addCleanup(lapwing_steps.close)
        lapwing_steps.record(3, 0.1)
        lapwing_steps.watch_checkpoints(self.folder)
        lapwing_steps.checkpointed(3)
        got = Report(contents(steps.path))
        self.assertEqual((got.step, got.source), (3, layout.CHECKPOINT_SOURCES["loop"]))
        future = concurrent.futures.Future()
        lapwing_steps.record(4, 0.1)
        lapwing_steps.checkpointed_when(future)
        future.set_result(None)
        self.assertEqual(Report(contents(steps.path)).step, 4)


if __name__ == "__main__":
    unittest.main()
