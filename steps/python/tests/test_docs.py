import os
import runpy
import sys
import unittest
from unittest import mock

from lapwing_steps.file import StepFile

from .reading import InAFolder, at, contents, last, text

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "examples", "loop.py")
PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "training.md")


class TheUsersPage(InAFolder):
    @unittest.skipUnless(os.path.exists(PAGE), "the documentation is not here")
    def test_the_loop_of_the_page_is_the_file(self):
        with open(EXAMPLE) as example, open(PAGE) as page:
            self.assertIn("```python\n" + example.read() + "```", page.read())

    def test_it_has_at_most_twenty_lines(self):
        with open(EXAMPLE) as example:
            self.assertLessEqual(sum(1 for line in example if line.strip()), 20)

    def test_it_runs_and_tells_what_it_does(self):
        environment = mock.patch.dict(os.environ, {"LAPWING_STEPS_DIR": self.folder, "RANK": "2"})
        kept = mock.patch.object(StepFile, "end", lambda self: None)
        with environment, kept, mock.patch.object(sys, "argv", ["loop.py", "3"]):
            runpy.run_path(EXAMPLE)
        (name,) = os.listdir(self.folder)
        data = contents(os.path.join(self.folder, name))
        self.assertEqual((text(data, 256, 128), text(data, 608, 16)), ("example", "bf16"))
        self.assertEqual((at(data, 48, "i"), at(data, 104, "d")), (2, 6e9 + 12 * 16 * 16 * 128 * 2048))
        got = last(data)
        self.assertEqual((got["step"], got["all_steps"], got["all_tokens"]), (2, 3, 6144))
        self.assertAlmostEqual(got["loss"], 8 / 3)
        self.assertGreaterEqual(got["duration"], got["data"] + got["compute"])
        self.assertGreater(got["data"], 0.004)
