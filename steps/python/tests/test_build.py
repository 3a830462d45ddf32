"""The wheel, which is built without network and without setuptools."""

import base64
import hashlib
import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile

from .reading import InAFolder

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BACKEND = os.path.join(SOURCE, "lapwing_build.py")


class Build(InAFolder):
    def wheel(self, folder):
        os.makedirs(folder, exist_ok=True)
        name = subprocess.run([sys.executable, BACKEND, folder], stdout=subprocess.PIPE, check=True, text=True).stdout
        return os.path.join(folder, name.strip())

    def test_a_wheel_has_all_modules_and_their_hashes(self):
        path = self.wheel(self.folder)
        self.assertRegex(os.path.basename(path), r"^lapwing_steps-\d+\.\d+\.\d+-py3-none-any\.whl$")
        modules = {name for name in os.listdir(os.path.join(SOURCE, "lapwing_steps")) if name.endswith((".py", ".typed"))}
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            self.assertLessEqual({"lapwing_steps/" + name for name in modules}, set(names))
            info = os.path.basename(path).split("-py3")[0] + ".dist-info/"
            rows = [row.split(",") for row in wheel.read(info + "RECORD").decode().splitlines()]
            self.assertEqual([row[0] for row in rows], names)
            for name, digest, size in rows[:-1]:
                data = wheel.read(name)
                hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
                self.assertEqual((digest, size), ("sha256=" + hashed, str(len(data))))
            self.assertIn("Name: lapwing-steps\n", wheel.read(info + "METADATA").decode())
            self.assertIn("Requires-Python: >=3.9\n", wheel.read(info + "METADATA").decode())

    def test_the_same_sources_give_the_same_bytes(self):
        with open(self.wheel(self.folder + "/1"), "rb") as one, open(self.wheel(self.folder + "/2"), "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_a_wheel_can_be_imported(self):
        where = subprocess.run(
            [sys.executable, "-c", "import lapwing_steps; print(lapwing_steps.__file__)"], cwd="/", check=True,
            env={**os.environ, "PYTHONPATH": self.wheel(self.folder)}, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip
        self.assertIn(".whl", where)

    def test_pip_installs_the_folder_without_network(self):
        if importlib.util.find_spec("pip") is None:
            self.skipTest("no pip")
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", self.folder, SOURCE],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        )  # fmt: skip
        self.assertTrue(os.path.exists(os.path.join(self.folder, "lapwing_steps", "writer.py")))

    def test_a_source_archive_builds_too(self):
        spec = importlib.util.spec_from_file_location("lapwing_build", BACKEND)
        backend = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(backend)
        with tarfile.open(os.path.join(self.folder, backend.build_sdist(self.folder))) as archive:
            for member in archive.getmembers():
                archive.extract(member, self.folder)
        (unpacked,) = [name for name in os.listdir(self.folder) if not name.endswith(".gz")]
        build = os.path.join(self.folder, unpacked, "lapwing_build.py")
        name = subprocess.run([sys.executable, build, self.folder], stdout=subprocess.PIPE, check=True, text=True).stdout
        with open(os.path.join(self.folder, name.strip()), "rb") as one, open(self.wheel(self.folder + "/w"), "rb") as other:
            self.assertEqual(one.read(), other.read())
