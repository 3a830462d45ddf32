"""The attacks; a module registers its own when it is imported."""

from . import engines, everything, files, flood, folder, history, identity, kernel, local, passwords, port, ranks, requests  # noqa: F401
