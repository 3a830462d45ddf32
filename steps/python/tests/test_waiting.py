import contextlib
import copy
import gc
import io
import math
import pickle
import sys
import threading
import types
import unittest
from unittest import mock

from lapwing_steps import (
    Steps, backward, complaints, deepspeed, functions, huggingface, layers, lightning, pytorch, waiting, waits, writer,
)  # fmt: skip

from .fake_torch import Engine, Gpu, Model, Stream, torch
from .reading import InAFolder, at, contents, record


class Clock:
    """A host's clock that the test sets."""

    on_gpu = False
    now = 0.0

    def here(self):
        pass

    def mark(self):
        return self.now

    def reached(self, mark):
        return True

    def seconds(self, first, last):
        return last - first


class Watched(InAFolder):
    def setUp(self):
        super().setUp()
        self.process = waits.Waits()
        for module in (waits, waiting, layers, backward, functions, pytorch):
            self.patch(module, "process", self.process)
        self.patch(layers, "_installed", False)
        self.patch(backward, "_engine", None)
        complaints._said.clear()
        self.now = 1000.0  # s, of the host
        for module in (waits, waiting, writer):
            self.patch(module, "_clock", lambda: self.now)
        self.steps = Steps(directory=self.folder)
        self.addCleanup(self.steps.close)

    def patch(self, owner, name, value):
        patch = mock.patch.object(owner, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def record(self, duration, **parts):
        """Of a step that lasts as long by the host's clock."""
        self.now += duration
        self.steps.record(duration=duration, **parts)
        self.now += 0.01

    def parts(self, number):
        got = record(contents(self.steps.path), number)
        return got["compute"], got["communication"]

    def assert_parts(self, number, compute, communication):
        got = self.parts(number)
        self.assertNotIn(None, got)
        self.assertAlmostEqual(got[0], compute)
        self.assertAlmostEqual(got[1], communication)


class Accounts(Watched):
    """Without any framework: what the layers report becomes parts of a step."""

    def setUp(self):
        super().setUp()
        self.clock = self.process.clock = Clock()
        self.own = self.steps._own_work = waiting.OwnWork(self.steps)
        self.process.add(self.own)
        self.steps.phase("training")

    def wait(self, seconds):
        if self.process.enter():
            self.clock.now += seconds
            self.process.leave()

    def test_the_rest_of_a_step_is_compute(self):
        self.wait(1.0)
        self.wait(2.0)
        self.record(10.0, data=4.0)
        self.record(10.0)
        self.assert_parts(0, 3.0, 3.0)
        self.assert_parts(1, 10.0, 0.0)

    def test_only_the_outermost_wait_counts(self):
        self.assertTrue(self.process.enter())
        self.wait(1.0)
        self.clock.now += 2.0
        self.process.leave()
        self.record(10.0)
        self.assert_parts(0, 8.0, 2.0)

    def test_unknown_before_a_wait_was_seen_and_with_a_model_before_a_backward(self):
        self.record(10.0)
        self.own.has_model = True
        self.wait(1.0)
        self.record(10.0)
        self.process.backward_done()
        self.record(10.0)
        self.assertEqual((self.parts(0), self.parts(1)), ((None, None), (None, None)))
        self.assert_parts(2, 10.0, 0.0)

    def test_a_wait_longer_than_the_step_makes_its_parts_unknown(self):
        self.wait(11.0)
        self.record(10.0)
        self.wait(1.0)
        self.record(10.0)
        self.assertEqual(self.parts(0), (None, None))
        self.assert_parts(1, 9.0, 1.0)

    def test_a_step_with_too_many_waits_is_unknown_and_costs_no_memory(self):
        for _ in range(waiting.WAITS_OF_A_STEP + 1):
            self.wait(0.0)
        self.record(10.0)
        self.assertEqual((self.parts(0), self.own._waits), ((None, None), []))

    def test_waits_of_other_threads_and_phases_and_of_the_loader_do_not_count(self):
        thread = threading.Thread(target=self.wait, args=(1.0,))
        thread.start()
        thread.join()
        with self.steps.evaluation():
            self.wait(2.0)
        with self.steps.checkpoint():
            self.wait(3.0)
        self.assertEqual(list(self.process.without(self.wait(4.0) or n for n in range(2))), [0, 1])
        self.wait(0.5)
        self.record(10.0)
        self.assert_parts(0, 9.5, 0.5)

    def test_what_the_loop_measures_itself_is_not_taken_twice(self):
        self.wait(2.0)
        self.record(10.0, communication=1.5, compute=9.0)
        self.wait(2.0)
        self.record(10.0, communication=3.0, compute=5.0)
        self.assert_parts(0, 8.0, 2.0)
        self.assert_parts(1, 5.0, 3.0)

    def test_a_wait_that_an_exception_left_open_ends_with_the_step(self):
        self.process.enter()
        self.record(10.0)
        self.wait(1.0)
        self.record(10.0)
        self.assertEqual((self.parts(0), at(contents(self.steps.path), 144, "Q")), ((None, None), 1))
        self.assert_parts(1, 9.0, 1.0)

    def test_the_header_says_that_the_rank_waits(self):
        self.process.enter()
        self.assertEqual(at(contents(self.steps.path), 144, "Q"), 2)
        self.process.leave()
        self.assertEqual(at(contents(self.steps.path), 144, "Q"), 1)

    def test_a_rank_that_never_waited_says_so_from_its_first_step_on(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        waiting.own_work(steps)
        with steps.step():
            self.assertEqual(at(contents(steps.path), 144, "Q"), 1)

    def test_a_clock_that_fails_costs_the_loop_nothing(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.clock.mark = lambda: 1 / 0
            self.wait(1.0)
            self.wait(1.0)
        self.record(10.0)
        self.assertEqual((self.parts(0), said.getvalue().count("\n")), ((None, None), 1))

    def test_a_writer_that_is_gone_is_let_go(self):
        other = Steps(directory="")
        self.process.add(waiting.OwnWork(other))
        del other
        gc.collect()
        self.wait(1.0)
        self.process.add(self.own)
        self.assertEqual(self.process._writers, [self.own])


class OnAGpu(Watched):
    """Against the stand-in for CUDA: this code never ran on a GPU."""

    def setUp(self):
        super().setUp()
        self.gpu, self.engine = Gpu(), Engine()
        self.torch = torch(self.gpu, self.engine)
        patch = mock.patch.dict(sys.modules, self.torch)
        patch.start()
        self.addCleanup(patch.stop)
        self.model = Model()
        pytorch.watch(self.model, steps=self.steps)
        self.steps.phase("training")
        self.model()  # the first forward shows the device
        self.record(1.0)

    def train(self, own, wait):
        """A step: the host runs ahead, the stream computes and then waits for the stream of NCCL."""
        output = self.model()
        stream = self.gpu.default
        stream.work(own / 3)
        self.engine.backward(
            output["loss"], lambda: stream.work(own * 2 / 3), lambda: stream.wait_until(stream.done + wait)
        )
        self.record((own + wait) / 1000.0)

    def test_the_wait_is_known_when_the_gpu_has_got_there(self):
        self.train(60.0, 40.0)
        self.train(70.0, 30.0)
        self.assertEqual((self.parts(1), self.parts(2)), ((None, None), (None, None)))
        self.gpu.now = 100.0
        self.train(80.0, 20.0)
        self.gpu.now = 1000.0
        self.train(90.0, 10.0)
        self.assert_parts(3, 0.060, 0.040)
        self.assert_parts(4, 0.240, 0.060)

    def test_events_are_used_again(self):
        for _ in range(20):
            self.train(60.0, 40.0)
            self.gpu.now = self.gpu.default.done
        self.assertLessEqual(self.gpu.events, 4)

    def test_a_gpu_that_never_gets_there_costs_no_memory(self):
        for _ in range(50):
            self.train(60.0, 40.0)
        self.assertEqual(len(self.steps._own_work._under_way), waiting.STEPS_UNDER_WAY)

    def test_from_the_first_forward_on_a_gpu_the_header_no_longer_says_that_the_rank_does_not_wait(self):
        self.process.use(waits.HostClock())
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        pytorch.watch(self.model, steps=steps)
        with steps.step():
            self.assertEqual(at(contents(steps.path), 144, "Q"), 1)
            self.model()
            self.assertEqual(at(contents(steps.path), 144, "Q"), 0)

    def test_a_model_without_a_backward_is_said_after_eight_steps(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            for _ in range(6):
                self.record(1.0)
            self.assertNotIn("backward", said.getvalue())
            self.record(1.0)
            self.record(1.0)
        self.assertEqual(said.getvalue().count("no backward of the given model in 8 steps"), 1)

    def test_the_host_does_not_say_that_it_waits(self):
        self.train(60.0, 40.0)
        self.assertEqual(at(contents(self.steps.path), 144, "Q"), 0)

    def test_a_collective_on_the_stream_of_the_loop_is_a_wait(self):
        output = self.model()
        self.torch["torch.distributed"].all_reduce(25.0)
        self.engine.backward(output["loss"], lambda: self.gpu.default.work(75.0), lambda: None)
        self.gpu.now = 1000.0
        self.record(0.1)
        self.assert_parts(1, 0.075, 0.025)

    def test_one_on_another_stream_may_be_hidden_so_the_step_is_unknown(self):
        output = self.model()
        self.gpu.current = Stream()
        self.torch["torch.distributed.distributed_c10d"].all_reduce(25.0)
        self.gpu.current = self.gpu.default
        self.gpu.now = 1000.0
        self.engine.backward(output["loss"], lambda: None, lambda: None)
        self.record(0.1)
        self.assertEqual(self.parts(1), (None, None))
        self.train(60.0, 40.0)
        self.assert_parts(2, 0.060, 0.040)

    def test_nothing_is_recorded_into_a_graph(self):
        self.gpu.capturing = True
        self.gpu.now = 1000.0
        events = self.gpu.events
        self.train(60.0, 40.0)
        self.assertEqual((self.parts(1), self.gpu.events), ((None, None), events))

    def test_with_fsdp_the_waits_for_its_streams_count_and_not_what_runs_on_them(self):
        gpu, reduce = self.gpu, self.torch["torch.distributed"]

        class FSDPModule(Model):
            pass

        class FSDPParamGroup:
            def wait_for_unshard(self):
                gpu.default.wait_until(gpu.default.done + 15.0)

            def post_backward(self):
                gpu.current = Stream()
                reduce.all_reduce(500.0)
                gpu.current = gpu.default
                gpu.default.wait_until(gpu.default.done + 5.0)

            finalize_backward = wait_for_unshard

        fsdp = "torch.distributed.fsdp"
        names = {fsdp: types.SimpleNamespace(FSDPModule=FSDPModule)}
        names[fsdp + "._fully_shard._fsdp_param_group"] = types.SimpleNamespace(FSDPParamGroup=FSDPParamGroup)
        with mock.patch.dict(sys.modules, names):
            self.process.use(waits.HostClock())
            model, group = FSDPModule(), FSDPParamGroup()
            pytorch.watch(model, steps=self.steps)
            model()
            self.record(0.1)
            output = model()
            group.wait_for_unshard()
            self.engine.backward(output["loss"], group.post_backward, group.finalize_backward)
        gpu.now = 1000.0
        self.record(0.1)
        self.assert_parts(2, 0.065, 0.035)


class BeforeTheGpu(Watched):
    def test_a_loop_without_a_model_may_open_the_gpu_after_watch(self):
        gpu = Gpu()
        modules = torch(gpu, Engine())
        modules["torch"].cuda.is_initialized = lambda: False
        with mock.patch.dict(sys.modules, modules):
            pytorch.watch(steps=self.steps)
            self.assertFalse(self.process.clock.on_gpu)
            modules["torch"].cuda.is_initialized = lambda: True
            self.record(0.1)
            modules["torch.distributed"].all_reduce(25.0)
            gpu.now = 1000.0
            self.record(0.1)
            self.record(0.1)
        self.assertEqual(self.parts(0), (None, None))
        self.assert_parts(1, 0.075, 0.025)
        self.assert_parts(2, 0.1, 0.0)


class OtherVersions(Watched):
    def watch(self, change, model=None):
        gpu, engine = Gpu(), Engine()
        modules = torch(gpu, engine)
        change(modules["torch"])
        model = model or Model("cpu")
        with mock.patch.dict(sys.modules, modules), contextlib.redirect_stderr(io.StringIO()) as said:
            for _ in range(2):
                self.assertIs(pytorch.watch(model, steps=self.steps), self.steps)
                output = model()
                engine.backward(output["loss"], lambda: None, lambda: None)
                self.record(0.1)
        return said.getvalue()

    def test_a_host_without_a_gpu(self):
        self.assertEqual(self.watch(lambda torch: None), "")
        self.assertIsNotNone(self.parts(1)[0])
        self.assertGreaterEqual(self.parts(1)[1], 0.0)

    def test_without_the_engine_one_line_says_so_and_parts_are_unknown(self):
        def change(torch):
            del torch.autograd.Variable._execution_engine

        self.assertRegex(self.watch(change), r"\Alapwing_steps: waiting for other ranks is not measured: .*\n\Z")
        self.assertEqual(self.parts(1), (None, None))

    def test_an_engine_that_takes_no_callbacks(self):
        def change(torch):
            torch.autograd.Variable._execution_engine = types.SimpleNamespace()

        self.assertEqual(self.watch(change).count("\n"), 1)
        self.assertEqual(self.parts(1), (None, None))

    def test_another_accelerator_is_unknown(self):
        def change(torch):
            torch.cuda.current_stream = lambda device=None: 1 / 0

        self.assertEqual(self.watch(change, Model("xpu")).count("\n"), 1)
        self.assertEqual(self.parts(1), (None, None))

    def test_while_a_compiler_traces_nothing_happens(self):
        def change(torch):
            torch.compiler = types.SimpleNamespace(is_compiling=lambda: True)

        self.assertEqual(self.watch(change), "")
        self.assertEqual(self.parts(1), (None, None))

    def test_without_torch_or_with_what_is_no_model_nothing_is_thrown(self):
        with contextlib.redirect_stderr(io.StringIO()) as said, mock.patch.dict(sys.modules, {"torch": None}):
            pytorch.watch(object(), steps=self.steps)
            for _ in pytorch.Loop([1, 2], model=object(), steps=self.steps):
                pass
        self.assertEqual((self.parts(1), said.getvalue().count("\n")), ((None, None), 1))

    def test_copies_and_pickles_of_a_hooked_model_work(self):
        model = Model("cpu")
        self.watch(lambda torch: None, model)
        self.assertEqual(len(copy.deepcopy(model).hooks), 1)
        self.assertEqual(len(pickle.loads(pickle.dumps(model)).hooks), 1)

    def test_a_writer_of_the_module_functions(self):
        with mock.patch.dict(sys.modules, torch(Gpu(), Engine())), mock.patch.dict("os.environ", LAPWING_STEPS_DIR=""):
            import lapwing_steps

            self.assertIs(pytorch.watch(Model("cpu")), lapwing_steps.default())
        lapwing_steps.close()
        self.assertFalse(math.isnan(self.process._began))

class Frameworks(Watched):
    """The callbacks watch the model themselves, where they can reach it."""

    def setUp(self):
        super().setUp()
        base = types.SimpleNamespace(TrainerCallback=object, Callback=object)
        modules = {**torch(Gpu(), Engine()), "transformers": base, "lightning.pytorch": base}
        patch = mock.patch.dict(sys.modules, modules)
        patch.start()
        self.addCleanup(patch.stop)

    def assert_watched(self, model):
        self.assertEqual((len(model.hooks), self.steps._own_work.has_model), (1, True))

    def test_hugging_face(self):
        model = Model("cpu")
        callback = huggingface.callback(steps=self.steps)
        callback.on_train_begin(None, types.SimpleNamespace(num_input_tokens_seen=0), None, model=model, optimizer=None)
        self.assert_watched(model)

    def test_lightning(self):
        wrapped, inner = Model("cpu"), Model("cpu")
        trainer = types.SimpleNamespace(global_step=0, strategy=types.SimpleNamespace(model=wrapped))
        lightning.callback(steps=self.steps).on_train_start(trainer, inner)
        self.assert_watched(wrapped)
        self.assertEqual(inner.hooks, [])
        lightning.callback(steps=self.steps).on_train_start(types.SimpleNamespace(global_step=0), inner)
        self.assert_watched(inner)

    def engine(self, **also):
        engine = type("Engine", (Model,), also)("cpu")
        engine.step = engine.backward = engine.save_checkpoint = lambda: None
        return engine

    def test_deepspeed(self):
        engine = self.engine()
        self.assertIs(deepspeed.watch(engine, steps=self.steps), self.steps)
        self.assert_watched(engine)

    def test_a_pipeline_of_deepspeed_shows_its_collectives_only(self):
        engine = self.engine(train_batch=lambda self: None)
        deepspeed.watch(engine, steps=self.steps)
        self.assertEqual((engine.hooks, self.steps._own_work.has_model), ([], False))


if __name__ == "__main__":
    unittest.main()
