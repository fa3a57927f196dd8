"""The release: versions and notes, the workflows and their rights, and what the source distribution contains."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from scripts import check_image, release

ROOT = release.ROOT
yaml = pytest.importorskip("yaml")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSIONED = ("pyproject.toml", "CITATION.cff", "CHANGELOG.md", "src/ludotheque/__init__.py")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the files that name the version, as they are before its release."""
    for name in VERSIONED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(re.sub(r"(?m)^(## \[.*\] - )\d.*$", r"\1unreleased", text), encoding="utf-8")
    return tmp_path


# Version and notes.


@pytest.mark.parametrize("version", ["1.2.0rc1", "2.0.0"])
def test_one_command_writes_the_version_everywhere(checkout: Path, version: str) -> None:
    release.prepare(version, date(2026, 12, 1), checkout)
    release.prepare(version, date(2026, 12, 2), checkout)
    texts = {name: (checkout / name).read_text(encoding="utf-8") for name in VERSIONED}
    assert tomllib.loads(texts["pyproject.toml"])["project"]["version"] == version
    assert f'\n__version__ = "{version}"\n' in texts["src/ludotheque/__init__.py"]
    assert f"\nversion: {version}\ndate-released: 2026-12-02\nlicense: MIT\n" in texts["CITATION.cff"]
    assert f"\n## [{version}] - 2026-12-02\n" in texts["CHANGELOG.md"]
    release.check(f"v{version}", checkout)


def test_a_tag_that_does_not_fit_is_refused(checkout: Path) -> None:
    with pytest.raises(SystemExit, match="instead of a date"):
        release.check(f"v{PROJECT['project']['version']}", checkout)
    release.prepare("1.0.0", date(2026, 12, 1), checkout)
    with pytest.raises(SystemExit, match=r"The tag is v1.0.1, but pyproject.toml has version 1.0.0"):
        release.check("v1.0.1", checkout)
    with pytest.raises(SystemExit, match="'one' is no version"):
        release.prepare("one", date(2026, 12, 1), checkout)


def test_the_notes_are_one_section_of_the_changelog(checkout: Path) -> None:
    release.prepare("1.0.0", date(2026, 12, 1), checkout)
    notes = release.notes("v1.0.0", checkout)
    assert not notes.startswith("## "), "without the heading of the version"
    assert "## [" not in notes
    assert "### Added" in notes


# Workflows.


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    """The jobs of all workflows, each with the file and its name."""
    found = [(path, yaml.safe_load(path.read_text(encoding="utf-8"))) for path in WORKFLOWS]
    return [(path.name, name, job) for path, workflow in found for name, job in workflow["jobs"].items()]


def test_no_job_has_more_rights_than_it_needs() -> None:
    writes = {
        (file, name): {right for right, level in job["permissions"].items() if level != "read"}
        for file, name, job in jobs()
    }
    assert {place: rights for place, rights in writes.items() if rights} == {
        ("release.yml", "publish"): {"attestations", "id-token"},
        ("release.yml", "image"): {"packages"},
        ("release.yml", "finish"): {"attestations", "contents", "id-token", "packages"},
    }
    for path in WORKFLOWS:
        assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {}


def test_workflows_use_no_stored_secret_and_only_pinned_actions() -> None:
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        assert "secrets." not in text
        used = re.findall(r"uses: (.*)", text)
        assert used
        assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)] == []


def test_only_a_tag_publishes() -> None:
    for file, name, job in jobs():
        pushes = [step for step in job["steps"] if re.search(r"docker push|gh release|pypi-publish", str(step))]
        assert not pushes or file == "release.yml", name
        assert all("github.ref_type == 'tag'" in str(step.get("if", job.get("if"))) for step in pushes), name


def test_workflows_and_wheels_cover_the_versions_of_python_that_we_name() -> None:
    named = [line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", line)]
    tested = next(job for file, name, job in jobs() if (file, name) == ("test.yml", "test"))
    assert tested["strategy"]["matrix"]["python"] == named
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in named]


def test_what_workflows_run_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    for _, _, job in jobs():
        lines = "\n".join(step.get("run", "") for step in job["steps"])
        assert {target for line in re.findall(r"(?m)^make (.*)$", lines) for target in line.split()} <= targets
        for module in re.findall(r"-m scripts\.(\w+)", lines):
            assert (ROOT / "scripts" / f"{module}.py").is_file()


# The image and the source distribution.


def test_the_steps_of_the_image_can_be_taken_in_a_folder() -> None:
    runs, start, health = check_image.image_commands((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    here = [check_image.placed(step, Path("/tmp/here"), 4711) for step in runs]
    assert here[0] == "python -m venv /tmp/here/app"
    assert [step for step in here if "/source" in step] == []
    served = " ".join(check_image.placed(word, Path("/tmp/here"), 4711) for word in start)
    assert served == "/tmp/here/app/bin/ludotheque serve --host 127.0.0.1 --port 4711 --data /tmp/here/data"
    assert "http://127.0.0.1:4711/health" in check_image.placed(health[-1], Path("/tmp/here"), 4711)


def test_the_source_distribution_has_all_files_of_the_repository(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs a clone")
    listed = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    place = str(tmp_path)
    command = [sys.executable, "setup.py", "egg_info", "--egg-base", place, "sdist", "--dist-dir", place]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env={**os.environ, "LUDOTHEQUE_PURE": "1"})
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in listed if name} - packed == set()
    assert [name for name in packed if name.endswith((".so", ".pyc"))] == []
    assert not [name for name in packed if name.startswith((".venv", "build/", "node_modules"))]


# What others made.

MADE_HERE = {
    "*/cover*.jpg": "scripts/covers.py",
    "src/ludotheque/web/static/preview.jpg": "scripts/covers.py",
    "src/ludotheque/web/static/icons/*.png": "scripts/icons.py",
    "src/ludotheque/web/static/sounds/*.wav": "scripts/sounds.py",
    "docs/images/*.webp": "scripts/animation.py",
    "research/looks/*.webp": "scripts/side_by_side.py",
    "examples/data/*.parquet": "examples/self_play.py",
    "examples/guided/*.npz": "examples/train_guided.py",
    "examples/networks/*.npz": "examples/train_network.py",
    "examples/weights/*.npz": "examples/train_ppo.py",
}
"""Files that nobody can read as text, each with what makes it."""
READABLE = {
    "", ".c", ".cff", ".conf", ".css", ".csv", ".h", ".html", ".in", ".ipynb", ".js", ".json", ".jsonl", ".lock",
    ".mako", ".md", ".npmrc", ".po", ".pot", ".py", ".pyi", ".service", ".sql", ".svg", ".toml", ".ts", ".txt",
    ".typed", ".yaml", ".yml",
}  # fmt: skip


def test_each_file_that_others_made_is_listed_in_the_notice() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs a clone")
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    listed = set(re.findall(r"(?m)^- (\S+): ", notice))
    assert all((ROOT / name).is_file() for name in listed)
    assert all((ROOT / script).is_file() for script in MADE_HERE.values())
    files = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    foreign = [name for name in files if _may_be_foreign(name)]
    unknown = {name for name in foreign if not any(fnmatch(name, pattern) for pattern in MADE_HERE)} - listed
    assert {name for name in unknown if not re.search(r"LICENSE|NOTICE|test_release", name)} == set()


def _may_be_foreign(name: str) -> bool:
    """Whether a file is no text, was minified, or names an owner where it begins."""
    is_shipped = not name.startswith("tests/")
    head = (ROOT / name).read_bytes()[:300] if (ROOT / name).is_file() else b""
    return ".min." in name or b"Copyright" in head or (is_shipped and Path(name).suffix not in READABLE)
