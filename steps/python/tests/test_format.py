import math
import os
import stat
import time
from unittest import mock

from lapwing_steps import Steps, blocks, writer
from lapwing_steps.file import Process

from .reading import InAFolder, at, contents, last, record, sequences, text


class Format(InAFolder):
    def test_the_header_says_who_writes(self):
        steps = Steps(
            directory=self.folder, job="train/7b", run="first", rank=3, local_rank=1, world_size=16, gpu="GPU-0a1b",
            model_flops_per_token=4.5e10, precision="bf16", framework="ours", host="node7",
            parallel={"dp": (1, 4), "tp": (0, 2)}, capacity=8, process=Process(4242, 99, 4026531836),
        )  # fmt: skip
        steps.open()
        self.addCleanup(steps.close)
        data = contents(steps.path)
        self.assertRegex(os.path.basename(steps.path), r"^train_7b\.3\.4242\.[0-9a-f]{8}\.steps$")
        self.assertEqual(len(data), 1024 + 8 * 192)
        self.assertEqual(data[:8], b"LAPWSTEP")
        self.assertEqual([at(data, offset, "I") for offset in (8, 12, 16, 20, 24, 28)], [1, 1024, 192, 8, 4242, 2])
        self.assertEqual([at(data, offset, "Q") for offset in (32, 40)], [99, 4026531836])
        self.assertEqual([at(data, offset, "i") for offset in (48, 52, 56, 60)], [3, 1, 16, -1])
        self.assertEqual([at(data, offset, "i") for offset in range(64, 84, 4)], [1, 0, -1, -1, -1])
        self.assertEqual([at(data, offset, "I") for offset in range(84, 104, 4)], [4, 2, 0, 0, 0])
        self.assertEqual(at(data, 104, "d"), 4.5e10)
        self.assertLess(abs(at(data, 112, "Q") - time.time_ns()), 60e9)
        self.assertEqual([at(data, 120, "Q"), at(data, 128, "Q")], [0, 5])
        self.assertEqual(at(data, 136, "Q"), at(data, 112, "Q"))
        self.assertEqual(data[144:256], bytes(112))
        texts = [text(data, *place) for place in ((256, 128), (384, 128), (512, 96), (608, 16), (624, 32), (656, 64))]
        self.assertEqual(texts, ["train/7b", "first", "GPU-0a1b", "bf16", "ours", "node7"])
        self.assertEqual(data[720:1024], bytes(304))

    def test_unset_values_are_written_as_unknown(self):
        with mock.patch.dict(os.environ, {"NVIDIA_VISIBLE_DEVICES": "void"}, clear=True):
            steps = Steps(directory=self.folder)
            steps.open()
        self.addCleanup(steps.close)
        data = contents(steps.path)
        self.assertEqual([at(data, offset, "i") for offset in (48, 52, 56, 60, 64)], [-1, -1, 0, -1, -1])
        self.assertTrue(math.isnan(at(data, 104, "d")))
        self.assertEqual(at(data, 24, "I"), os.getpid())
        self.assertEqual(at(data, 40, "Q"), os.stat("/proc/self/ns/pid").st_ino)
        self.assertGreater(at(data, 32, "Q"), 0)

    def test_a_record_has_its_values_and_the_sums(self):
        steps = Steps(directory=self.folder, capacity=4)
        self.addCleanup(steps.close)
        before = time.time_ns()
        steps.record(100, 0.5, 4096, 2, 2.25, 0.75, 1e-4, data=0.125, compute=0.25, communication=0.0625)
        steps.record(101, 0.25, 4096, 2, checkpoint=0.125, data=0.125)
        data = contents(steps.path)
        first, second = record(data, 0), record(data, 1)
        self.assertLess(abs(first.pop("start") - (before - 500_000_000)), 60e9)
        self.assertEqual(
            first,
            {
                "step": 100, "duration": 0.5, "tokens": 4096, "samples": 2, "loss": 2.25, "gradient_norm": 0.75,
                "learning_rate": 1e-4, "data": 0.125, "compute": 0.25, "communication": 0.0625, "checkpoint": None,
                "all_steps": 1, "all_tokens": 4096, "all_samples": 2, "all_duration": 0.5, "all_data": 0.125,
                "all_compute": 0.25, "all_communication": 0.0625, "all_checkpoint": None,
            },
        )  # fmt: skip
        self.assertEqual(second["all_duration"], 0.75)
        self.assertEqual(second["all_data"], 0.25)
        self.assertEqual(second["all_compute"], 0.25)
        self.assertEqual(second["all_checkpoint"], 0.125)
        self.assertIsNone(second["loss"])
        self.assertEqual((second["all_steps"], second["all_tokens"], at(data, 120, "Q")), (2, 8192, 2))
        self.assertEqual(data[1024 + 176 : 1024 + 192], bytes(16))
        self.assertEqual(at(data, 128, "Q"), 1)

    def test_without_a_duration_a_step_lasted_since_the_last_one(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0
        with clock:
            steps.record(1, tokens=7)  # its start is unknown
            self.assertEqual(at(contents(steps.path), 120, "Q"), 0)
            self.assertEqual(at(contents(steps.path), 128, "Q"), 1)
            clock.now = 102.5
            steps.record(2)
            clock.now = 110.0
            steps.phase("checkpoint")
            clock.now = 130.0
            steps.phase("training")
            clock.now = 131.0
            steps.record(3)
        first, second = record(contents(steps.path), 0), record(contents(steps.path), 1)
        self.assertEqual((first["step"], first["duration"]), (2, 2.5))
        self.assertEqual((second["step"], second["duration"], second["checkpoint"]), (3, 1.0, 20.0))

    def test_after_the_phase_is_training_the_first_step_has_a_begin(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.phase("training")
        steps.record()
        self.assertEqual(last(contents(steps.path))["step"], 0)

    def test_waiting_for_a_batch_is_part_of_the_step(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0

        def loader():
            clock.now += 3.0
            yield 1

        with clock, mock.patch.object(blocks, "_clock", side_effect=lambda: clock.now):
            for _ in steps.batches(loader()):
                clock.now += 1.0
                with steps.step(tokens=1) as step:
                    with step.compute():
                        clock.now += 5.0
                    clock.now += 0.5
        got = last(contents(steps.path))
        self.assertEqual((got["duration"], got["data"], got["compute"]), (9.5, 3.0, 5.0))

    def test_the_first_step_is_seen_when_it_begins(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        seen = []
        for _ in steps.batches(self.phases(steps, seen)):
            with steps.step():
                seen.append(at(contents(steps.path), 128, "Q"))
        self.assertEqual(seen, [1, 1, 1, 1])

    @staticmethod
    def phases(steps, seen):
        """Batches; notes the phase in which the loader is asked."""
        for _ in range(2):
            seen.append(at(contents(steps.path), 128, "Q"))
            yield 0

    def test_evaluations_and_checkpoints_in_a_step_are_not_its_time(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0
        with clock, mock.patch.object(blocks, "_clock", side_effect=lambda: clock.now):
            for _ in steps.batches([1]):
                with steps.step(), steps.compute():
                    clock.now += 1.0
                    with steps.evaluation():
                        clock.now += 7.0
                        with steps.checkpoint():
                            clock.now += 4.0
                        clock.now += 5.0
                    self.assertEqual(at(contents(steps.path), 128, "Q"), 1)
                    with steps.checkpoint():
                        clock.now += 3.0
                    clock.now += 2.0
            self.assertEqual(self.parts(steps), (3.0, 3.0, 7.0))
            for _ in range(2):  # without blocks
                clock.now += 1.0
                with steps.evaluation():
                    clock.now += 7.0
                clock.now += 0.5
                steps.record()
                self.assertEqual(self.parts(steps), (1.5, None, None))
            with steps.evaluation():  # between steps
                clock.now += 7.0
            with steps.step():
                clock.now += 1.0
            self.assertEqual(self.parts(steps), (1.0, None, None))

    def parts(self, steps):
        got = last(contents(steps.path))
        return got["duration"], got["compute"], got["checkpoint"]

    def test_batches_of_an_evaluation_are_no_data_wait(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        clock = mock.patch.object(writer, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0

        def loader():
            for batch in range(3):
                clock.now += 3.0
                yield batch

        with clock, mock.patch.object(blocks, "_clock", side_effect=lambda: clock.now):
            steps.open()
            with steps.evaluation():
                list(steps.batches(loader()))
            with steps.step():
                clock.now += 1.0
        got = last(contents(steps.path))
        self.assertEqual((got["duration"], got["data"]), (1.0, None))

    def test_of_nested_parts_the_outermost_counts_and_computing_has_no_communication(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        clock = mock.patch.object(blocks, "_clock", side_effect=lambda: clock.now)
        clock.now = 100.0
        with clock, steps.step():
            with steps.communication():
                clock.now += 0.25
            with steps.compute():
                clock.now += 1.0
                with steps.communication():
                    clock.now += 4.0
                    with steps.communication():
                        clock.now += 2.0
                with steps.compute():
                    clock.now += 8.0
        got = last(contents(steps.path))
        self.assertEqual((got["duration"], got["compute"], got["communication"]), (15.25, 9.0, 6.25))

    def test_the_ring_keeps_the_newest(self):
        steps = Steps(directory=self.folder, capacity=4)
        self.addCleanup(steps.close)
        for step in range(11):
            steps.record(step, 1.0, 10)
        data = contents(steps.path)
        self.assertEqual(at(data, 120, "Q"), 11)
        self.assertEqual([record(data, number)["step"] for number in range(7, 11)], [7, 8, 9, 10])
        self.assertIsNone(record(data, 6))
        self.assertEqual(sequences(data, 10), (22, 22))
        self.assertEqual(last(data)["all_tokens"], 110)

    def test_everybody_may_read_and_only_the_owner_write(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        steps = Steps(directory=self.folder)
        steps.open()
        self.addCleanup(steps.close)
        self.assertEqual(stat.S_IMODE(os.stat(steps.path).st_mode), 0o644)
        self.assertEqual(os.listdir(self.folder), [os.path.basename(steps.path)])

    def test_phases_are_written_and_a_record_ends_them(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        for name, number in (("starting", 5), ("training", 1), ("evaluation", 2), ("checkpoint", 3)):
            steps.phase(name)
            self.assertEqual(at(contents(steps.path), 128, "Q"), number)
        self.assertGreater(at(contents(steps.path), 136, "Q"), at(contents(steps.path), 112, "Q"))
        steps.record(1, 1.0)
        self.assertEqual(at(contents(steps.path), 128, "Q"), 1)
        steps.phase("no such phase")
        self.assertEqual(at(contents(steps.path), 128, "Q"), 1)

    def test_a_rank_says_whether_it_waits_for_others(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        steps.waiting_for_others(True)  # no file yet to report it in
        steps.open()
        self.assertEqual([at(contents(steps.path), offset, "Q") for offset in (144, 152)], [0, 0])
        with steps.communication():
            self.assertEqual(at(contents(steps.path), 144, "Q"), 2)
            since = at(contents(steps.path), 152, "Q")
            self.assertLess(abs(since - time.time_ns()), 60e9)
            with steps.communication():
                pass
            self.assertEqual([at(contents(steps.path), offset, "Q") for offset in (144, 152)], [2, since])
        self.assertEqual(at(contents(steps.path), 144, "Q"), 1)
        self.assertGreater(at(contents(steps.path), 152, "Q"), since)
        steps.waiting_for_others(True)
        self.assertTrue(steps.is_waiting_for_others())
        steps.waiting_for_others(False)
        self.assertEqual(at(contents(steps.path), 144, "Q"), 1)
        self.assertEqual(contents(steps.path)[160:256], bytes(96))

    def test_the_end_is_written_and_the_file_is_removed(self):
        steps = Steps(directory=self.folder)
        steps.record(1, 1.0)
        with open(steps.path, "rb") as held:
            steps.close()
            self.assertEqual(at(held.read(), 128, "Q"), 4)
        self.assertEqual(os.listdir(self.folder), [])
        steps.record(2, 1.0)
        steps.close()
        self.assertEqual(os.listdir(self.folder), [])

    def test_texts_are_cut_at_a_character_and_hold_no_control_characters(self):
        steps = Steps(directory=self.folder, job="a\nb\x1b" + "é" * 1_000_000, run="x\0y", host="\ud800h")
        steps.open()
        self.addCleanup(steps.close)
        data = contents(steps.path)
        self.assertEqual(text(data, 256, 128), "a b " + "é" * 61)
        self.assertEqual(text(data, 384, 128), "x y")
        self.assertLess(len(os.path.basename(steps.path)), 100)
        self.assertNotIn("\n", steps.path)
