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
