"""mpi4py's communicators, by a stand-in with its classes; real ones are in `slow_mpi`."""

import sys
import time
import types
import unittest
from unittest import mock

from lapwing_steps import Steps, mpi

from .reading import InAFolder, said


class Request:
    def __init__(self, other=None):
        self.waited = getattr(other, "waited", [])

    def Wait(self):
        time.sleep(0.02)
        self.waited.append(True)

    def wait(self):
        self.Wait()
        return "received"


class Intracomm:
    def __init__(self, other):
        self.handle = getattr(other, "handle", other)

    def Allreduce(self, send, receive):
        time.sleep(0.02)
        return send, receive

    def Ireduce(self, value):
        return Request()

    def Barrier(self):
        raise RuntimeError("a rank is gone")

    def Split(self, color):
        return Intracomm(color)

    def Get_rank(self):
        return 3


def with_mpi4py(test):
    module = types.ModuleType("mpi4py.MPI")
    module.Intracomm, module.Request = Intracomm, Request
    return mock.patch.dict(sys.modules, {"mpi4py": types.ModuleType("mpi4py"), "mpi4py.MPI": module})(test)


class MpiTest(InAFolder):
    def setUp(self):
        super().setUp()
        mpi._classes.cache_clear()
        self.addCleanup(mpi._classes.cache_clear)

    def steps(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        return steps

    @with_mpi4py
    def test_collectives_and_waits_of_requests_are_communication(self):
        steps = self.steps()
        comm = mpi.watch(Intracomm("world"), steps=steps)
        for _ in range(3):
            with steps.step():
                time.sleep(0.01)
                self.assertEqual(comm.Allreduce(1, receive=2), (1, 2))
                self.assertEqual(comm.Ireduce(1).wait(), "received")
                comm.Split(7).Allreduce(1, 2)
        for each in said(steps):
            self.assertGreaterEqual(each["communication"], 0.06)
            self.assertGreaterEqual(each["compute"], 0.01)
            self.assertAlmostEqual(each["compute"] + each["communication"], each["duration"])

    @with_mpi4py
    def test_it_is_the_same_communicator(self):
        comm = mpi.watch(Intracomm("world"), steps=self.steps())
        self.assertIsInstance(comm, Intracomm)
        self.assertEqual((comm.handle, comm.Get_rank(), comm.Split(7).handle), ("world", 3, 7))
        self.assertIs(mpi.watch(comm, steps=self.steps()), comm)
        other = object()
        self.assertIs(mpi.watch(other, steps=self.steps()), other)

    @with_mpi4py
    def test_an_error_is_the_programs_and_ends_the_wait(self):
        steps = self.steps()
        comm = mpi.watch(Intracomm("world"), steps=steps)
        steps.open()
        with self.assertRaisesRegex(RuntimeError, "a rank is gone"):
            comm.Barrier()
        self.assertFalse(steps.is_waiting_for_others())

    def test_without_mpi4py_the_communicator_is_as_it_was(self):
        comm = object()
        with mock.patch.dict(sys.modules, {"mpi4py": None}), mock.patch("lapwing_steps.mpi.complain") as complain:
            self.assertIs(mpi.watch(comm, steps=self.steps()), comm)
        complain.assert_called_once()


if __name__ == "__main__":
    unittest.main()
