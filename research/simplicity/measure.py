"""Measure the size of the code by folder, its largest classes and modules, and the words of the documentation.

python research/simplicity/measure.py [CHECKOUT]
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ludotheque"
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


def code_lines(path: Path) -> int:
    """Lines with code: neither blank, nor only a comment or a docstring."""
    with path.open(encoding="utf-8") as file:
        tokens = [token for token in tokenize.generate_tokens(file.readline) if token.type not in LAYOUT]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def folder(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts[:-1]
    return parts[0] if parts else "(top)"


def classes() -> list[tuple[int, str]]:
    """The number of methods of each class, the largest first."""
    found = [
        (sum(isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) for member in node.body), node.name)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    return sorted(found, reverse=True)


def words(pattern: str) -> int:
    return sum(len(re.findall(r"\S+", path.read_text("utf-8"))) for path in ROOT.glob(pattern))


def main() -> None:
    modules = sorted(PACKAGE.rglob("*.py"))
    count, total, code = Counter[str](), Counter[str](), Counter[str]()
    for path in modules:
        count[folder(path)] += 1
        total[folder(path)] += lines(path)
        code[folder(path)] += code_lines(path)
    for name in sorted(count):
        print(f"{name:12} {count[name]:4} modules {total[name]:6} lines {code[name]:6} of code")
    print(f"{'all':12} {count.total():4} modules {total.total():6} lines {code.total():6} of code")
    for suffix, pattern in {"scripts": "*.js", "styles": "*.css", "templates": "*.html"}.items():
        found = list((PACKAGE / "web").rglob(pattern))
        print(f"{suffix:12} {len(found):4} files   {sum(map(lines, found)):6} lines")
    print(f"tests        {sum(map(lines, (ROOT / 'tests').rglob('*.py'))):6} lines")
    print("methods:", ", ".join(f"{name} {methods}" for methods, name in classes()[:12]))
    longest = sorted(((lines(path), path.relative_to(PACKAGE).as_posix()) for path in modules), reverse=True)[:12]
    print("modules:", ", ".join(f"{name} {length}" for length, name in longest))
    print("words of docs:", words("docs/**/*.md"), "of research:", words("research/**/*.md"))


if __name__ == "__main__":
    main()
