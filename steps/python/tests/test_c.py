"""A file of the C writer and one of this writer differ only in the fields that the test sets differently."""

import os
import shutil
import subprocess
import unittest


from .reading import InAFolder, contents, last
from .recording import write_known_records

C = os.path.join(os.path.dirname(__file__), "..", "..", "c")


@unittest.skipUnless(shutil.which("cc") and shutil.which("make"), "needs cc and make")
class WrittenByC(InAFolder):
    def test_a_header_that_is_included_too_late_says_so_in_a_line(self):
        source = os.path.join(self.folder, "late.c")
        with open(source, "w") as late:
            late.write('#include <stdio.h>\n#define LAPWING_STEPS_IMPLEMENTATION\n#include "lapwing_steps.h"\n')
        run = subprocess.run(
            ["cc", "-std=c11", "-fsyntax-only", "-I", C, source], stderr=subprocess.PIPE, text=True
        )
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("include it before any other header", run.stderr.splitlines()[0] + run.stderr.splitlines()[1])

    @unittest.skipUnless(shutil.which("c++"), "needs c++")
    def test_the_interface_has_no_old_casts(self):
        source = os.path.join(self.folder, "use.cpp")
        with open(source, "w") as use:
            use.write('#include "lapwing_steps.h"\nstruct lapwing_steps_record record = LAPWING_STEPS_RECORD;\n')
        subprocess.run(["c++", "-std=c++17", "-Wold-style-cast", "-Werror", "-fsyntax-only", "-I", C, source], check=True)

    def test_a_file_written_by_c_has_the_same_bytes(self):
        subprocess.run(["make", "-s", "-C", C, "writer"], check=True)
        path = subprocess.run(
            [os.path.join(C, "build", "writer"), self.folder], stdout=subprocess.PIPE, check=True, text=True
        ).stdout.strip()
        by_c = contents(path)
        os.unlink(path)
        by_python = write_known_records(self.folder, run="c")
        self.assertRegex(os.path.basename(path), r"^recorded\.3\.4242\.[0-9a-f]{8}\.steps$")
        self.assertEqual(len(by_c), len(by_python))
        differing = [at for at in range(len(by_c)) if by_c[at] != by_python[at]]
        # the start of the phase is the one time that neither receives
        self.assertEqual([at for at in differing if not 136 <= at < 144], [])
        self.assertEqual(last(by_c)["all_checkpoint"], 1.5)
