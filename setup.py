"""Builds the hot modules with mypyc; where they cannot be compiled, says so and leaves them as plain Python."""

import ast
import os
import re
import sys
import sysconfig
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path

from pybind11.setup_helpers import ParallelCompile
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
PACKAGE = Path("src", "ludotheque")
BITS = HERE.resolve() / PACKAGE / "core" / "bits.h"
# fmt: off
HOT = [
    *(
        PACKAGE / "core" / f"{name}.py"
        for name in (
            "batch", "bits", "buffers", "game", "game_advice", "game_picture", "game_setup", "game_words", "numbers",
            "perft", "planes", "playout", "policy",
        )
    ),
    *(PACKAGE / "bots" / "search" / f"{name}.py" for name in ("deterministic", "information_sets", "tree")),
    PACKAGE / "games" / "pays_noir" / "observe.py",
    *sorted(
        path.relative_to(HERE)
        for module in (
            "board.py", "deck.py", "rules.py", "appraisal.py", "gains.py", "endgame.py", "planes.py", "policy.py",
            "tabletop.py",
        )
        for path in (HERE / PACKAGE / "games").glob(f"*/{module}")
    ),
]
# fmt: on
WITHOUT_EXTENSIONS = {"dist_info", "egg_info", "sdist"}
"""Commands that compile nothing: writing the C for them would take half a minute each."""
COMPILERS = {
    "darwin": "install one with: xcode-select --install",
    "win32": "install the Build Tools for Visual Studio",
}.get(sys.platform, "Debian, Ubuntu and Fedora: gcc")


def why_not_compiled() -> str:
    """Why the hot modules cannot be compiled here; empty where they can."""
    if os.environ.get("LUDOTHEQUE_PURE", "") not in ("", "0"):
        return "LUDOTHEQUE_PURE is set"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "the headers of Python are missing (Debian and Ubuntu: python3-dev, Fedora: python3-devel)"
    return "" if compiles() else f"there is no C compiler ({COMPILERS})"


def compiles(*flags: str) -> bool:
    """Whether the C compiler makes a program with these flags."""
    from distutils.ccompiler import new_compiler
    from distutils.errors import CompileError, DistutilsError, LinkError
    from distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text("int main(void) { return 0; }\n")
        try:
            headers = [sysconfig.get_paths()["include"]]
            objects = compiler.compile([str(probe)], output_dir=folder, include_dirs=headers, extra_postargs=[*flags])
            compiler.link_executable(objects, "probe", output_dir=folder, extra_postargs=[*flags])
        except (CompileError, LinkError, DistutilsError, OSError):
            return False
    return True


def extensions() -> list[Extension]:
    if WITHOUT_EXTENSIONS.intersection(sys.argv):
        return []
    reason = why_not_compiled()
    if reason:
        print(
            f"ludotheque: not compiled, because {reason}. You can play; rules and bots are 80 to 220 times slower.",
            file=sys.stderr,
        )
        return []
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = str(HERE / "src")
    sources = ["--config-file", str(HERE / "pyproject.toml"), *map(str, HOT)]
    built: list[Extension] = mypycify(sources, opt_level="3", debug_level="0", group_name="ludotheque", multi_file=True)
    for extension in built:
        for source in extension.sources:
            write_docstrings(Path(source))
        join_sources(extension, ("core", "bots", "passerelles"))
        extension.depends.append(str(BITS))
        if sys.platform != "win32":  # Microsoft's compiler knows none of these flags
            # Lets the C compiler inline our own small functions into each other, within a module and across them.
            extension.extra_compile_args += ["-fno-semantic-interposition", *link_time_flags(), *bits_flags()]
            extension.extra_link_args += ["-O3", *link_time_flags()]
    return [*built, Extension("ludotheque._unpack", [str(PACKAGE / "_unpack.c")])]


def write_docstrings(native: Path) -> None:
    """Write the docstrings of a module into the C that mypyc made of it, where it puts only signatures: for `help`."""
    module = HERE / "src" / (native.stem.removeprefix("__native_").replace("___", "/") + ".py")
    if not module.is_file():
        return
    known = docstrings(module)
    lines, owner, name = [], "", ""
    for line in native.read_text(encoding="utf-8").splitlines():
        if table := re.match(r"static Py(?:MethodDef|GetSetDef) (\w+)_(?:methods|getseters)\[\]", line):
            owner = "" if table[1].endswith("module") else table[1].rpartition("___")[2] + "."
        elif attribute := re.fullmatch(r' *\{"(\w+)",', line):
            name = attribute[1]
        elif line == "     NULL, NULL}," and owner + name in known:
            line = f"     {c_string(known[owner + name])}, NULL}},"
        elif (function := re.search(r'PyDoc_STR\("(\w+)\(.*\\n--\\n\\n"', line)) and (
            found := known.get(function[1] if ".tp_doc" in line else owner + function[1])
        ):
            line = f"{line[: function.end()]} {c_string(found)}{line[function.end() :]}"
        lines.append(line)
    native.write_text("\n".join(lines) + "\n", encoding="utf-8")


def docstrings(module: Path) -> dict[str, str]:
    """The docstrings of a module's functions, classes (`State`), methods and attributes (`State.game`)."""
    found = {}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found[node.name] = ast.get_docstring(node)
        if isinstance(node, ast.ClassDef):
            for member, after in pairwise([*node.body, None]):
                if isinstance(member, ast.FunctionDef):
                    found[f"{node.name}.{member.name}"] = ast.get_docstring(member)
                elif isinstance(member, ast.AnnAssign) and isinstance(after, ast.Expr):
                    found[f"{node.name}.{ast.unparse(member.target)}"] = ast.literal_eval(after.value)
    return {name: text for name, text in found.items() if text}


def c_string(text: str) -> str:
    """A text as a literal of C; all that is not plain ASCII in octal."""
    plain = (chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode())
    return '"' + "".join(plain) + '"'


def join_sources(extension: Extension, parts: tuple[str, ...]) -> None:
    """Compile the C sources of these parts as one file: Passerelles needs the inlining that linking does not give."""
    joined = [path for path in extension.sources if any(f"___{part}___" in Path(path).name for part in parts)]
    if not joined:
        return
    whole = Path(joined[0]).with_name("__native_joined.c")
    whole.write_text("".join(inclusion(Path(path).name) for path in joined))
    extension.sources = [str(whole), *(path for path in extension.sources if path not in joined)]


def inclusion(source: str) -> str:
    """The line that includes a C source; that of `bits.py` defines the functions which `bits.h` replaces elsewhere."""
    line = f'#include "{source}"\n'
    if not source.endswith("___core___bits.c"):
        return line
    names = ("popcount", "place_of", "kth_place", "kth_bit", "write_numbers", "as_float")
    undefined = "".join(f"#undef CPyDef_bits___{name}\n" for name in names)
    return f'{undefined}{line}#include "{BITS.as_posix()}"\n'


@cache
def bits_flags() -> list[str]:
    """The flags that put `bits.h` before every C source, where the compiler knows them."""
    return ["-include", BITS.as_posix()] if compiles("-include", BITS.as_posix()) else []


@cache
def link_time_flags() -> list[str]:
    """The flags that optimise the modules together when they are linked, where the compiler knows them."""
    flags = ["-flto=auto"]
    if compiles(*flags):
        return flags
    print("ludotheque: compiled without link-time optimisation, which fails here; a little slower.", file=sys.stderr)
    return []


class Build(build):  # type: ignore[misc]  # setuptools has no types
    """Build the package, and remove what an install of another version from the same clone has left in `build`."""

    def run(self) -> None:
        super().run()
        commands = [self.get_finalized_command(name) for name in self.get_sub_commands()]
        keep_only([output for command in commands for output in command.get_outputs()], Path(self.build_lib), "*")


class BuildExtensions(build_ext):  # type: ignore[misc]  # setuptools has no types
    """Compile, and in place remove compiled modules of another version, which would hide their sources."""

    def run(self) -> None:
        super().run()
        if self.inplace and self.extensions:
            made = [self.get_ext_fullpath(extension.name) for extension in self.extensions]
            keep_only(made, HERE / "src", f"*{sysconfig.get_config_var('EXT_SUFFIX')}")


def keep_only(made: list[str], folder: Path, pattern: str) -> None:
    """Remove the files of a folder that were not made."""
    kept = {Path(path).resolve() for path in made}
    for path in folder.rglob(pattern):
        if path.is_file() and path.resolve() not in kept:
            path.unlink()


ParallelCompile("LUDOTHEQUE_JOBS").install()
setup(ext_modules=extensions(), cmdclass={"build": Build, "build_ext": BuildExtensions})
