"""Builds the hot floors with mypyc; where they cannot be compiled, says so and leaves them as plain Python."""

import os
import sys
import sysconfig
import tempfile
from pathlib import Path

from pybind11.setup_helpers import ParallelCompile
from setuptools import Extension, setup

HERE = Path(__file__).parent
PACKAGE = Path("src", "ludotheque")
HOT = [
    *(PACKAGE / "core" / f"{name}.py" for name in ("batch", "bits", "game", "perft", "planes", "playout", "policy")),
    PACKAGE / "bots" / "search.py",
    *sorted(
        path.relative_to(HERE)
        for room in ("board.py", "deck.py", "rules.py", "endgame.py", "planes.py", "policy.py")
        for path in (HERE / PACKAGE / "games").glob(f"*/{room}")
    ),
]


def why_not_compiled() -> str:
    """Why the hot floors cannot be compiled here; empty where they can."""
    if os.environ.get("LUDOTHEQUE_PURE", "") not in ("", "0"):
        return "LUDOTHEQUE_PURE is set"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "the headers of Python are missing (Debian: python3-dev)"
    from distutils.ccompiler import new_compiler
    from distutils.errors import CompileError, DistutilsError
    from distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text("int main(void) { return 0; }\n")
        try:
            compiler.compile([str(probe)], output_dir=folder)
        except (CompileError, DistutilsError, OSError):
            return "no C compiler answers (Debian: gcc)"
    return ""


def extensions() -> list[Extension]:
    reason = why_not_compiled()
    if reason:
        print(f"ludotheque: not compiled, because {reason}; the games run in pure mode, slowly.", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = str(HERE / "src")
    sources = ["--config-file", str(HERE / "pyproject.toml"), *map(str, HOT)]
    built: list[Extension] = mypycify(sources, opt_level="3", group_name="ludotheque", multi_file=True)
    for extension in built:
        # Lets the C compiler inline our own small functions into each other.
        extension.extra_compile_args.append("-fno-semantic-interposition")
    return built


ParallelCompile("LUDOTHEQUE_JOBS").install()
setup(ext_modules=extensions())
