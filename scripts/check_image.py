"""Check the container image: build it and wait until its server is healthy.

`python -m scripts.check_image` does so with Docker. Where no Docker runs, it takes the steps of the Dockerfile in a
folder of this machine instead: the locked libraries, the package, the command and the health check.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_SECONDS: Final = 60
"""The time that a server has to become healthy."""


def image_commands(dockerfile: str) -> tuple[list[str], list[str], list[str]]:
    """Return what a Dockerfile runs with pip and venv, its entry point and its health check."""
    whole = dockerfile.replace("\\\n", " ")
    runs = [step for line in re.findall(r"(?m)^RUN (.*)$", whole) for step in line.split(" && ") if "/app" in step]
    return runs, _words(whole, r"(?m)^ENTRYPOINT (.*)$"), _words(whole, r"(?m)^HEALTHCHECK .*CMD (.*)$")


def _words(dockerfile: str, pattern: str) -> list[str]:
    found = re.search(pattern, dockerfile)
    if not found:
        raise SystemExit(f"The Dockerfile has no line like {pattern}.")
    words: list[str] = json.loads(found[1])
    return words


def placed(word: str, folder: Path, port: int) -> str:
    """A word of the image's commands with the places of this machine."""
    for place, here in (("/app", folder / "app"), ("/data", folder / "data"), ("/source", ROOT)):
        word = re.sub(rf"(^|(?<=\s)){place}\b", str(here), word)
    return word.replace("8000", str(port)).replace("0.0.0.0", "127.0.0.1")


def check_here(folder: Path) -> None:
    """Take the steps of the Dockerfile in a folder."""
    runs, start, health = image_commands((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    port = _free_port()
    for step in runs:
        subprocess.run(shlex.split(placed(step, folder, port)), check=True)
    server = subprocess.Popen([placed(word, folder, port) for word in start], env={**os.environ, "HOME": str(folder)})
    try:
        _wait_until_healthy([placed(word, folder, port) for word in health], server)
    finally:
        server.terminate()
        server.wait(_SECONDS)


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


def _wait_until_healthy(health: list[str], server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS
    while subprocess.run(health, capture_output=True, check=False).returncode != 0:
        if server.poll() is not None or time.monotonic() > end:
            raise SystemExit("The server did not become healthy.")
        time.sleep(0.5)


def check_image() -> None:
    """Build the image and run it as `compose.yaml` does, without rights."""
    subprocess.run(["docker", "build", "--tag", "ludotheque", str(ROOT)], check=True)
    rights = ["--read-only", "--tmpfs", "/tmp", "--tmpfs", "/data:uid=10001", "--cap-drop", "ALL"]
    name = f"ludotheque-check-{os.getpid()}"
    server = subprocess.Popen(["docker", "run", "--rm", "--name", name, *rights, "ludotheque"])
    state = ["docker", "inspect", "--format", "{{.State.Health.Status}}", name]
    try:
        _wait_until_healthy(["sh", "-c", f"{shlex.join(state)} | grep -q ^healthy"], server)
    finally:
        subprocess.run(["docker", "stop", name], check=True, capture_output=True)


def docker_runs() -> bool:
    """Whether a Docker can be asked here."""
    found = shutil.which("docker")
    return found is not None and subprocess.run([found, "info"], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    if docker_runs():
        check_image()
    else:
        print("No Docker runs here: the steps of the Dockerfile are taken in a folder.", file=sys.stderr)
        with tempfile.TemporaryDirectory() as temporary:
            check_here(Path(temporary))
    print("The server of the image is healthy.")
