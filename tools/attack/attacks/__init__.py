"""The attacks; a module registers its own when it is imported."""

from . import (  # noqa: F401
    engines, everything, files, flood, folder, history, identity, impostors, kernel, local, nccl, owners, passwords, port, ranks,
    requests, rings,
)
