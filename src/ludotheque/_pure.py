"""Pure mode: with LUDOTHEQUE_PURE=1 the compiled modules are passed over and their Python sources run instead."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType

ASKED_FOR = os.environ.get("LUDOTHEQUE_PURE", "") not in ("", "0")


class SourceFinder:
    """Finds the modules of this package, and no others, as Python source only."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("ludotheque."):
            return None
        for folder in path or ():
            spec = FileFinder(folder, (SourceFileLoader, [".py"])).find_spec(name, target)
            if spec is not None:
                return spec
        return None


def install() -> None:
    sys.meta_path.insert(0, SourceFinder())
