"""Builds the wheel of lapwing_steps with the standard library alone, so that an offline node can install it (PEP 517).

`pip install ./steps/python` calls it. `python3 steps/python/lapwing_build.py DIR` writes the wheel, with the same bytes each time.
"""

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "lapwing_steps"
TAG = "py3-none-any"
EARLIEST = 315532800  # 1980: the format of a wheel has no earlier time


def _project():
    """What pyproject.toml says; Python 3.9 has no parser for it."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        text = file.read()
    found = {key: re.search(r'(?m)^%s = "(.*)"$' % key, text) for key in ("name", "version", "description", "requires-python")}
    missing = [key for key, value in found.items() if value is None]
    if missing:
        raise ValueError("pyproject.toml has no %s" % " and no ".join(missing))
    project = {key: value.group(1) for key, value in found.items()}
    project["classifiers"] = re.findall(r'"([A-Z][\w ]+ :: [^"]+)"', text)
    return project


def _metadata(project):
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + project["name"],
        "Version: " + project["version"],
        "Summary: " + project["description"],
        "License: Apache-2.0",
        *("Classifier: " + each for each in project["classifiers"]),
        "Requires-Python: " + project["requires-python"],
    ]
    return ("\n".join(lines) + "\n").encode()


def _sources():
    for folder, folders, names in os.walk(os.path.join(HERE, PACKAGE)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".typed")):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    yield os.path.relpath(path, HERE).replace(os.sep, "/"), file.read()


def _write(directory, files):
    project = _project()
    info = "%s-%s.dist-info" % (PACKAGE, project["version"])
    wheel = "Wheel-Version: 1.0\nGenerator: lapwing_build\nRoot-Is-Purelib: true\nTag: %s\n" % TAG
    contents = dict(files)
    contents[info + "/METADATA"] = _metadata(project)
    contents[info + "/WHEEL"] = wheel.encode()
    record = ["%s,sha256=%s,%d" % (name, _hash(data), len(data)) for name, data in contents.items()]
    contents[info + "/RECORD"] = ("\n".join(record) + "\n%s/RECORD,,\n" % info).encode()
    name = "%s-%s-%s.whl" % (PACKAGE, project["version"], TAG)
    made = time.gmtime(max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST))))[:6]
    with zipfile.ZipFile(os.path.join(directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path, made)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return name


def _hash(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


# --- The hooks that installers call ---


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, _sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write(wheel_directory, [(PACKAGE + ".pth", (HERE + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    base = "%s-%s" % (PACKAGE, project["version"])
    files = [(base + "/PKG-INFO", _metadata(project))]
    for name in ("pyproject.toml", "lapwing_build.py"):
        with open(os.path.join(HERE, name), "rb") as file:
            files.append((base + "/" + name, file.read()))
    files.extend((base + "/" + name, data) for name, data in _sources())
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return base + ".tar.gz"


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
