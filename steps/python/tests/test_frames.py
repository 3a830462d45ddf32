"""The frame of a loop that finishes no step."""

import os
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from lapwing_steps import Steps, frames

from .reading import InAFolder, contents, text


def stuck(event):
    event.wait(20)


class FramesTest(InAFolder):
    def steps(self):
        steps = Steps(directory=self.folder)
        self.addCleanup(steps.close)
        return steps

    def frame(self, steps):
        return text(contents(steps.path), 200, 56)

    def until(self, condition):
        end = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_it_is_off_by_default(self):
        self.steps().record(1, 1.0)
        self.assertNotIn("lapwing-frames", [thread.name for thread in threading.enumerate()])

    def test_a_loop_that_finishes_no_step_says_where_it_is_until_it_goes_on(self):
        with mock.patch.dict(os.environ, {frames.SWITCH: "1"}), mock.patch.multiple(frames, EVERY=0.02, STILL=0.1):
            steps, event = self.steps(), threading.Event()

            def loop():
                steps.record(1, 1.0)
                stuck(event)
                while not ended.is_set():
                    steps.record(duration=0.001)
                    time.sleep(0.001)

            ended = threading.Event()
            thread = threading.Thread(target=loop)
            thread.start()
            self.addCleanup(thread.join)
            self.addCleanup(ended.set)
            self.addCleanup(event.set)
            self.until(lambda: steps.path is not None and self.frame(steps))
            line = stuck.__code__.co_firstlineno + 1
            self.assertEqual(self.frame(steps), "test_frames.py:%d stuck" % line)  # not Event.wait, of Python itself
            event.set()
            self.until(lambda: not self.frame(steps))
            ended.set()
            thread.join()
            steps.close()
            self.until(lambda: "lapwing-frames" not in [each.name for each in threading.enumerate()])

    def test_a_program_ends_with_it(self):
        script = "import lapwing_steps as s; s.record(1, 1.0)"
        environment = {**os.environ, frames.SWITCH: "1", "LAPWING_STEPS_DIR": self.folder}
        ran = subprocess.run([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE, timeout=20)
        self.assertEqual((ran.returncode, ran.stderr, os.listdir(self.folder)), (0, b"", []))

    def test_a_long_name_is_cut(self):
        code = compile("def %s():\n import sys\n return sys._getframe()" % ("f" * 200), "/a/b/long.py", "exec")
        scope = {}
        exec(code, scope)
        self.assertTrue(frames.innermost(scope["f" * 200]()).startswith("long.py:3 ffff"))
        self.assertEqual(frames.innermost(None), "")


if __name__ == "__main__":
    unittest.main()
