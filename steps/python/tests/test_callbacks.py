"""The callbacks against stand-ins that have the frameworks' signatures. The frameworks themselves are not here."""

import gc
import importlib.util
import inspect
import math
import os
import sys
import types
import unittest
from unittest import mock

import lapwing_steps
from lapwing_steps import Steps, deepspeed, hooks, huggingface, lightning, megatron, pytorch, verl

from .reading import InAFolder, at, contents, last, record, text


def module(**contents):
    return types.SimpleNamespace(**contents)


class Standing(InAFolder):
    """With modules that stand in for a framework, and a writer whose file stays where the test can read it."""

    def setUp(self):
        super().setUp()
        environment = mock.patch.dict(os.environ, {"LAPWING_STEPS_DIR": self.folder})
        environment.start()
        self.addCleanup(environment.stop)

    def stand_in(self, **modules):
        patch = mock.patch.dict(sys.modules, {name.replace("__", "."): each for name, each in modules.items()})
        patch.start()
        self.addCleanup(patch.stop)

    def data(self):
        (name,) = os.listdir(self.folder)
        return contents(os.path.join(self.folder, name))


class Event:
    """torch.cuda.Event: through after the GPU has been given its time."""

    through = False
    clock = 0.0

    def __init__(self, enable_timing=False):
        self.enable_timing = enable_timing

    def record(self, stream=None):
        Event.clock += 25.0
        self.time = Event.clock

    def query(self):
        return Event.through

    def elapsed_time(self, end_event):
        return end_event.time - self.time


def durable(data):
    """The step of the last durable checkpoint, and who says so; zeros if nobody does."""
    return at(data, 168, "Q"), at(data, 192, "Q")


class Tensor:
    """A tensor on the GPU: whoever makes a number of it waits."""

    is_cuda = True

    def __init__(self, value):
        self.value = value

    def detach(self):
        return self

    def __float__(self):
        raise AssertionError("synchronised")

    __int__ = __index__ = __float__


class Pinned:
    def copy_(self, source, non_blocking=False):
        assert non_blocking
        self.value = source.value

    def __float__(self):
        return self.value


class PyTorch(Standing):
    def setUp(self):
        super().setUp()
        Event.through = False
        cuda = module(is_available=lambda: True, is_initialized=lambda: False, Event=Event)
        self.stand_in(torch=module(cuda=cuda, float32="float32", empty=lambda size, dtype, pin_memory: Pinned()))

    def test_a_loop_records_each_batch(self):
        loop = pytorch.Loop([[1, 2], [3]], tokens=len, samples=1, precision="bf16")
        for batch in loop:
            loop.loss(float(len(batch)))
        self.addCleanup(loop.steps.close)
        first, second = record(self.data(), 0), record(self.data(), 1)
        self.assertEqual((first["step"], first["tokens"], first["samples"], first["loss"]), (0, 2, 1, 2.0))
        self.assertEqual((second["step"], second["all_tokens"], second["loss"]), (1, 3, 1.0))
        self.assertGreaterEqual(first["duration"], first["data"])
        self.assertEqual(text(self.data(), 624, 32), "pytorch")

    def test_nothing_waits_for_the_gpu(self):
        loop = pytorch.Loop(range(4), tokens=1, cuda_timing=True)
        for batch in loop:
            Event.through = batch >= 2
            loop.loss(Tensor(float(batch)))
        self.addCleanup(loop.steps.close)
        data = self.data()
        self.assertEqual([record(data, n)["loss"] for n in range(4)], [None, None, 2.0, 3.0])
        self.assertEqual([record(data, n)["compute"] is None for n in range(2)], [True, True])
        self.assertGreater(record(data, 2)["compute"], 0.02)

    def test_a_broken_count_or_gpu_costs_the_loop_nothing(self):
        sys.modules["torch"].cuda.is_available = lambda: 1 / 0
        loop = pytorch.Loop([1, 2], tokens=lambda batch: batch.numel(), cuda_timing=True)
        seen = []
        for batch in loop:
            loop.loss("no number")
            seen.append(batch)
        self.addCleanup(loop.steps.close)
        self.assertEqual((seen, last(self.data())["all_tokens"]), ([1, 2], 0))

    def test_a_loop_left_in_the_middle_records_the_step_of_its_last_batch(self):
        loop = pytorch.Loop(range(10), tokens=1)
        self.addCleanup(loop.steps.close)

        def first_of(batches):
            for batch in batches:
                return batch

        for _ in range(3):
            for batch in loop:
                if batch == 3:
                    break
        self.assertEqual(last(self.data())["all_tokens"], 12)
        first_of(loop)
        self.assertEqual((last(self.data())["step"], last(self.data())["all_tokens"]), (12, 13))

    def test_with_accumulation_a_step_has_several_batches(self):
        loop = pytorch.Loop(range(10), tokens=lambda batch: batch, samples=2, accumulate=4)
        self.addCleanup(loop.steps.close)
        self.assertEqual((list(loop), len(loop)), (list(range(10)), 10))
        steps = [record(self.data(), n) for n in range(3)]
        self.assertEqual([step["tokens"] for step in steps], [0 + 1 + 2 + 3, 4 + 5 + 6 + 7, 8 + 9])
        self.assertEqual([step["samples"] for step in steps], [8, 8, 4])
        self.assertEqual(at(self.data(), 120, "Q"), 3)

    def test_a_loader_without_a_length_has_none(self):
        with self.assertRaises(TypeError):
            len(pytorch.Loop(iter([1])))
        self.assertEqual(list(pytorch.Loop(iter([1]), directory="")), [1])

    def test_a_loop_for_each_epoch_goes_on_with_the_same_file(self):
        for _ in range(20):
            for _ in pytorch.Loop([1, 2], tokens=1):
                pass
        self.assertEqual((last(self.data())["step"], last(self.data())["all_tokens"]), (39, 40))
        gc.collect()
        before = len(os.listdir("/proc/self/fd"))
        for epoch in range(20):
            for _ in pytorch.Loop([1, 2], tokens=1, run="epoch %d" % epoch):
                pass
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        self.assertEqual(text(self.data(), 384, 128), "epoch 19")
        hooks.writer_for("pytorch", None, {"run": "epoch 19"}).close()

    def phase(self):
        return at(self.data(), 128, "Q")

    def test_the_phase_says_that_a_loop_is_over_until_the_next_one_begins(self):
        loop = pytorch.Loop([1, 2, 3], accumulate=2)
        self.addCleanup(loop.steps.close)
        for _ in range(2):
            for _ in loop:
                self.assertEqual(self.phase(), 1)
            self.assertEqual(self.phase(), 6)
        with loop.checkpoint():
            self.assertEqual(self.phase(), 3)
        self.assertEqual(self.phase(), 6)
        iterator = iter(pytorch.Loop(self.asked()))
        next(iterator)
        self.assertEqual(self.asked_in, [1])
        iterator.close()  # as break does
        self.assertEqual(self.phase(), 6)
        with loop.steps.step():
            self.assertEqual(self.phase(), 1)

    def asked(self):
        """Notes the phase in which a batch is asked for."""
        self.asked_in = [self.phase()]
        yield 1

    def test_the_end_of_a_loop_within_a_loop_or_after_the_end_of_the_writer_changes_nothing(self):
        loop = pytorch.Loop([1])
        for _ in loop:
            for _ in loop.steps.batches([1]):
                pass
            self.assertEqual(self.phase(), 1)
        with loop.evaluation():
            for _ in loop.steps.batches([1]):
                pass
            self.assertEqual(self.phase(), 2)
        for _ in loop:
            loop.steps.close()
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_loop_without_arguments_uses_the_writer_that_is_open(self):
        lapwing_steps.open(rank=7)
        self.addCleanup(lapwing_steps.close)
        self.assertIs(pytorch.Loop([1]).steps, lapwing_steps.default())
        self.assertIsNot(pytorch.Loop([1], rank=8).steps, lapwing_steps.default())


class HuggingFace(Standing):
    def test_trainer(self):
        class TrainerCallback:
            def on_train_begin(self, args, state, control, **kwargs): ...

            on_step_begin = on_substep_end = on_step_end = on_log = on_save = on_evaluate = on_train_begin
            on_epoch_begin = on_epoch_end = on_prediction_step = on_train_end = on_train_begin

        self.stand_in(transformers=module(TrainerCallback=TrainerCallback))
        callback = huggingface.callback(precision="bf16", rank=2)
        self.assertIsInstance(callback, TrainerCallback)
        args = module(per_device_train_batch_size=4, gradient_accumulation_steps=2, world_size=8)
        state = module(global_step=0, num_input_tokens_seen=0)

        def event(name, **kwargs):
            self.assertIsNone(getattr(callback, name)(args, state, "control", model="m", optimizer="o", **kwargs))

        event("on_train_begin")
        self.assertEqual(at(self.data(), 128, "Q"), 5)
        event("on_epoch_begin")
        for step in (1, 2, 3):
            event("on_step_begin")
            event("on_substep_end")
            state.global_step, state.num_input_tokens_seen = step, state.num_input_tokens_seen + 80_000
            event("on_step_end")
            event("on_log", logs={"loss": 2.5 - step, "grad_norm": 0.5, "learning_rate": 1e-4, "epoch": 0.1})
        event("on_prediction_step")
        self.assertEqual(at(self.data(), 128, "Q"), 2)
        event("on_evaluate", metrics={})
        event("on_log", logs={"eval_loss": 9.0})
        args.save_only_model = True
        event("on_save")
        self.assertEqual(durable(self.data()), (0, 0))
        args.save_only_model = False
        event("on_save")
        self.assertEqual(durable(self.data()), (3, 2))
        event("on_step_begin")
        state.global_step = 4
        event("on_step_end")
        data = self.data()
        second, fourth = record(data, 1), record(data, 3)
        self.assertEqual((second["step"], second["tokens"], second["samples"]), (2, 10_000, 8))
        self.assertEqual((second["loss"], second["gradient_norm"], second["learning_rate"]), (1.5, 0.5, 1e-4))
        self.assertGreaterEqual(second["duration"], second["data"])
        self.assertEqual((fourth["loss"], fourth["tokens"]), (-0.5, 0))
        self.assertIsNotNone(fourth["checkpoint"])
        self.assertIsNone(second["checkpoint"])
        event("on_train_end")
        self.assertEqual(os.listdir(self.folder), [])
        event("on_train_begin")  # train() a second time
        self.assertEqual(len(os.listdir(self.folder)), 1)
        event("on_train_end")

    def test_hooks_that_throw_are_quiet(self):
        self.stand_in(transformers=module(TrainerCallback=object))
        callback = huggingface.callback()
        callback.on_step_end(None, None, None)
        callback.on_log(None, None, None, logs=7)


@unittest.skipUnless(importlib.util.find_spec("transformers"), "needs transformers")
class RealHuggingFace(Standing):
    def test_the_handler_of_transformers_calls_the_callback(self):
        from transformers import TrainerControl, TrainerState
        from transformers.trainer_callback import CallbackHandler

        callbacks = [huggingface.callback()]
        models = [None] * (len(inspect.signature(CallbackHandler.__init__).parameters) - 2)
        handler, state, control = CallbackHandler(callbacks, *models), TrainerState(), TrainerControl()
        args = module(per_device_train_batch_size=4, gradient_accumulation_steps=2, world_size=8)
        handler.on_train_begin(args, state, control)
        for step in (1, 2):
            handler.on_step_begin(args, state, control)
            state.global_step, state.num_input_tokens_seen = step, step * 80_000
            handler.on_step_end(args, state, control)
            handler.on_log(args, state, control, {"loss": 1.5, "grad_norm": 0.5, "learning_rate": 1e-4})
        handler.on_save(args, state, control)
        got = last(self.data())
        self.assertEqual((got["step"], got["tokens"], got["samples"], got["loss"]), (2, 10_000, 8, 1.5))
        handler.on_train_end(args, state, control)
        self.assertEqual(os.listdir(self.folder), [])


class Lightning(Standing):
    def run_batches(self, name, checkpoint_io=None):
        class Callback:
            def setup(self, trainer, pl_module, stage): ...

        self.stand_in(**{name: module(Callback=Callback)})
        if name == "pytorch_lightning":
            self.stand_in(lightning__pytorch=None)
        callback = lightning.callback(tokens=len, samples=1, run="r")
        self.assertIsInstance(callback, Callback)
        strategy = module(checkpoint_io=checkpoint_io)
        trainer, loss = module(global_step=0, log_every_n_steps=2, strategy=strategy), [3.0]
        callback.on_train_start(trainer, "module")
        for index in range(8):  # two batches are a step
            callback.on_train_batch_start(trainer, "module", [1, 2, 3], index)
            trainer.global_step = (index + 1) // 2
            callback.on_train_batch_end(trainer, "module", {"loss": loss[0]}, [1, 2, 3], index)
            if index == 5:
                callback.on_validation_start(trainer, "module")
                self.assertEqual(at(self.data(), 128, "Q"), 2)
                callback.on_validation_end(trainer, "module")
                callback.on_save_checkpoint(trainer, "module", {})
        data = self.data()
        self.durable = durable(data)
        self.assertEqual(at(data, 120, "Q"), 4)
        self.assertEqual([record(data, n)["step"] for n in range(4)], [1, 2, 3, 4])
        self.assertEqual([record(data, n)["loss"] for n in range(4)], [None, 3.0, None, 3.0])
        self.assertEqual([record(data, n)["checkpoint"] is None for n in range(4)], [True, True, True, False])
        got = last(data)
        self.assertEqual((got["tokens"], got["all_tokens"], got["samples"]), (6, 24, 2))
        self.assertGreaterEqual(got["duration"], got["data"])
        callback.on_exception(trainer, "module", KeyboardInterrupt())
        callback.on_train_end(trainer, "module")
        self.assertEqual(os.listdir(self.folder), [])

    def test_lightning(self):
        self.run_batches("lightning__pytorch")

    def test_pytorch_lightning(self):
        self.run_batches("pytorch_lightning")

    def test_a_checkpoint_is_durable_when_the_next_batch_starts(self):
        self.run_batches("lightning__pytorch", type("TorchCheckpointIO", (), {})())
        self.assertEqual(self.durable, (3, 2))

    def test_a_checkpoint_that_is_written_in_the_background_is_not_durable(self):
        self.run_batches("lightning__pytorch", type("Mine", (type("AsyncCheckpointIO", (), {}),), {})())
        self.assertEqual(self.durable, (0, 0))


class Megatron(Standing):
    def run_megatron(self, training_log, call, **more_args):
        phases = []
        self.queued = 0

        def save_checkpoint_and_time(iteration, model, optimizer, non_persistent_ckpt=False, **more):
            self.queued += getattr(args, "async_save", False)
            phases.append(at(self.data(), 128, "Q"))

        def evaluate_and_print_results(prefix, *more):
            phases.append(at(self.data(), 128, "Q"))

        training = module(
            train_step=lambda *more: "loss",
            training_log=training_log,
            save_checkpoint_and_time=save_checkpoint_and_time,
            evaluate_and_print_results=evaluate_and_print_results,
            maybe_finalize_async_save=lambda blocking=False, terminate=False: "finalized",
        )
        args = module(
            micro_batch_size=2, data_parallel_size=4, world_size=16, seq_length=4096, log_interval=10, save="x",
            **more_args,
        )  # fmt: skip
        state = module(
            get_data_parallel_rank=lambda: 3, get_data_parallel_world_size=lambda: 4,
            get_tensor_model_parallel_rank=lambda: 1, get_tensor_model_parallel_world_size=lambda: 4,
        )  # fmt: skip
        calculator = module(get_num_microbatches=lambda: 8)
        self.stand_in(
            megatron__training=module(get_args=lambda: args),
            megatron__training__training=training,
            megatron__training__async_utils=module(is_empty_async_queue=lambda: self.queued == 0),
            megatron__core__parallel_state=state,
            megatron__core__num_microbatches_calculator=calculator,
        )
        steps = Steps(rank=7, parallel={"dp": (3, 4)})
        self.addCleanup(steps.close)
        megatron.watch(steps)
        for iteration in range(1, 11):
            self.assertEqual(training.train_step("forward_step_func", "data_iterator"), "loss")
            self.assertEqual(call(training.training_log, iteration), "flag")
        training.save_checkpoint_and_time(10, "model", "optimizer")
        training.evaluate_and_print_results("iteration 10")
        call(training.training_log, 11)
        self.assertEqual(phases, [3, 2])
        data = self.data()
        got = record(data, 9)
        # 2 x 4 x 8 samples of 4096 tokens, among 16 GPUs
        self.assertEqual((got["step"], got["samples"], got["tokens"]), (10, 4, 16384))
        self.assertEqual((got["loss"], got["gradient_norm"], got["learning_rate"]), (2.5, 0.75, 1e-4))
        self.assertIsNone(record(data, 8)["loss"])
        self.assertIsNotNone(record(data, 10)["checkpoint"])
        return training

    def test_a_version_of_2024(self):
        def training_log(
            loss_dict, total_loss_dict, learning_rate, decoupled_learning_rate, iteration, loss_scale,
            report_memory_flag, skipped_iter, grad_norm, params_norm, num_zeros_in_grad,
        ):  # fmt: skip
            return "flag"

        def call(function, iteration):
            return function({"lm loss": 2.5}, {}, 1e-4, None, iteration, 1.0, True, 0, 0.75, None, None)

        self.run_megatron(training_log, call)
        self.assertEqual(durable(self.data()), (10, 2))

    def test_a_version_of_2026(self):
        def training_log(
            loss_dict, total_loss_dict, learning_rate, iteration, loss_scale, report_memory_flag, skipped_iter,
            grad_norm, params_norm, num_zeros_in_grad, max_attention_logit, pg_collection=None, is_first_iteration=False,
        ):  # fmt: skip
            return "flag"

        def call(function, iteration):
            return function(
                {"lm loss": 2.5}, {}, 1e-4, iteration, 1.0, True, 0, 0.75, None, None, None, is_first_iteration=False
            )

        self.run_megatron(training_log, call)

    def test_an_asynchronous_save_is_durable_when_it_is_finalized(self):
        def training_log(loss_dict, learning_rate, iteration, grad_norm):
            return "flag"

        def call(function, iteration):
            return function({"lm loss": 2.5}, 1e-4, iteration, 0.75)

        training = self.run_megatron(training_log, call, async_save=True, non_persistent_ckpt_type="local")
        self.assertEqual((self.queued, durable(self.data())), (1, (0, 0)))
        self.assertEqual(training.maybe_finalize_async_save(blocking=False), "finalized")
        self.assertEqual(durable(self.data()), (0, 0))
        self.queued = 0
        training.maybe_finalize_async_save(blocking=False)
        self.assertEqual(durable(self.data()), (10, 2))
        training.save_checkpoint_and_time(11, "model", "optimizer", non_persistent_ckpt=True)  # on the node's own disk
        self.queued = 0
        training.maybe_finalize_async_save(blocking=False)
        self.assertEqual(durable(self.data()), (10, 2))

    def test_a_save_without_the_optimizer_is_no_checkpoint_to_go_on_with(self):
        def training_log(loss_dict, learning_rate, iteration, grad_norm):
            return "flag"

        self.run_megatron(training_log, lambda log, number: log({"lm loss": 2.5}, 1e-4, number, 0.75), no_save_optim=True)
        self.assertEqual(durable(self.data()), (0, 0))

    def test_the_layout_comes_from_parallel_state(self):
        state = module(
            get_data_parallel_rank=lambda: 3, get_data_parallel_world_size=lambda: 4,
            get_expert_model_parallel_rank=lambda: 1 / 0,
        )  # fmt: skip
        self.stand_in(megatron__core__parallel_state=state)
        self.assertEqual(megatron._parallel(), {"dp": (3, 4)})

    def test_without_megatron_nothing_happens(self):
        self.stand_in(megatron__training__training=None)
        megatron.watch()


class DeepSpeed(Standing):
    def test_engine(self):
        events = []

        class Engine:
            def __init__(self):
                self.global_steps = self.micro_steps = 0
                self.monitor = module(enabled=True, write_events=events.append)

            def backward(self, loss, retain_graph=False):
                return loss

            def step(self, lr_kwargs=None):
                self.micro_steps += 1
                self.monitor.write_events([("Train/Samples/train_loss", 1.25, self.micro_steps * 16)])
                self.global_steps += self.micro_steps % 4 == 0

            def save_checkpoint(self, save_dir, tag=None, client_state={}, save_latest=True):
                return True

            def train_micro_batch_size_per_gpu(self):
                return 2

            def gradient_accumulation_steps(self):
                return 4

            def get_lr(self):
                return [1e-4]

            def get_global_grad_norm(self):
                return 0.5

            def __getattr__(self, name):  # as the engine does for names of the model
                if name == "train_batch":
                    return lambda: 0
                raise AttributeError(name)

        engine = Engine()
        steps = deepspeed.watch(engine, tokens_per_sample=2048)
        self.addCleanup(steps.close)
        for _ in range(8):
            self.assertEqual(engine.backward("loss"), "loss")
            engine.step()
        engine.checkpoint_engine = type("DecoupledCheckpointEngine", (), {})()
        self.assertIs(engine.save_checkpoint("d", tag="t"), True)
        self.assertEqual(durable(self.data()), (0, 0))
        engine.checkpoint_engine = type("TorchCheckpointEngine", (), {})()
        self.assertIs(engine.save_checkpoint("d", tag="t"), True)
        self.assertEqual(durable(self.data()), (2, 2))
        for _ in range(4):
            engine.step(lr_kwargs=None)
        data = self.data()
        self.assertEqual((at(data, 120, "Q"), len(events)), (3, 12))
        got = last(data)
        self.assertEqual((got["step"], got["samples"], got["tokens"]), (3, 8, 16384))
        self.assertEqual((got["loss"], got["gradient_norm"], got["learning_rate"]), (1.25, 0.5, 1e-4))
        self.assertIsNotNone(got["checkpoint"])

    def test_pipeline_engine(self):
        class PipelineEngine:
            global_steps = 0

            def train_batch(self, data_iter=None):
                self.global_steps += 1
                return Tensor(2.0)

            def step(self, lr_kwargs=None):
                raise AssertionError

            def save_checkpoint(self, save_dir): ...

            train_micro_batch_size_per_gpu = gradient_accumulation_steps = lambda self: 2
            get_lr = get_global_grad_norm = lambda self: None

        engine = PipelineEngine()
        self.addCleanup(deepspeed.watch(engine).close)
        self.assertIsInstance(engine.train_batch(iter([])), Tensor)
        self.assertEqual(last(self.data())["samples"], 4)

    def test_what_is_no_engine_is_left_alone(self):
        self.assertIsNone(deepspeed.watch(object()))


class Verl(Standing):
    def test_tracking(self):
        class Tracking:
            def __init__(self):
                self.logger = {}

            def log(self, data, step, backend=None):
                for name, each in self.logger.items():
                    if backend is None or name in backend:
                        each.log(data=data, step=step)

        tracking = Tracking()
        verl.attach(tracking, precision="bf16")
        tracking.log({"val/score": 0.5}, step=0)
        self.assertEqual(os.listdir(self.folder), [])
        said = {
            "perf/time_per_step": 20.0, "perf/total_num_tokens": 640_000, "perf/throughput": 4000.0, "timing_s/gen": 8.0,
            "timing_s/update_actor": 6.0, "timing_s/step": 20.0, "timing_s/save_checkpoint": 2.0, "actor/pg_loss": 0.25,
            "actor/grad_norm": 0.5, "actor/lr": 1e-6,
        }  # fmt: skip
        tracking.log(data=said, step=1)
        got = last(self.data())
        self.assertEqual((got["step"], got["duration"], got["tokens"], got["compute"]), (1, 20.0, 80_000, 14.0))
        self.assertEqual((got["checkpoint"], got["loss"], got["learning_rate"]), (2.0, 0.25, 1e-6))
        self.assertEqual(at(self.data(), 48, "i"), 0)
        tracking.log("no mapping", step="x")
        tracking.logger["lapwing"].finish()
        self.assertEqual(os.listdir(self.folder), [])


class PlainFunctions(Standing):
    def test_plain_functions(self):
        self.addCleanup(lapwing_steps.close)
        lapwing_steps.phase("starting")
        for batch in lapwing_steps.batches([1, 2]):
            with lapwing_steps.step(tokens=10) as step:
                step.loss = batch
        lapwing_steps.record(step=7, duration=1.0, tokens=5, loss=math.nan)
        got = last(self.data())
        self.assertEqual((got["step"], got["all_tokens"], got["all_steps"]), (7, 25, 3))
        lapwing_steps.open(job="again")
        self.assertEqual(text(self.data(), 256, 128), "again")
        lapwing_steps.close()
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_checkpoint_between_steps_counts_with_the_next(self):
        steps = Steps()
        self.addCleanup(steps.close)
        steps.record(1, 1.0)
        with steps.checkpoint():
            self.assertEqual(at(self.data(), 128, "Q"), 3)
        steps.record(2)
        steps.record(3)
        data = self.data()
        self.assertEqual([record(data, n)["checkpoint"] is None for n in range(3)], [True, False, True])
        self.assertEqual(last(data)["all_checkpoint"], record(data, 1)["checkpoint"])
