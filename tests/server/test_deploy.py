"""`Dockerfile`, `compose.yaml` and the files of `deploy` fit each other and the command line."""

from __future__ import annotations

import ipaddress
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from ludotheque.cli.lazy import loaded
from ludotheque.server.config import Settings
from ludotheque.server.run import uvicorn_config

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")


def compose() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def entrypoint() -> list[str]:
    """The words that the image runs."""
    line = next(line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("ENTRYPOINT"))
    words: list[str] = json.loads(line.removeprefix("ENTRYPOINT"))
    return words


def options_of_serve() -> set[str]:
    return {option for parameter in loaded("serve")["serve"].params for option in parameter.opts}


def test_the_image_and_its_services_use_options_that_exist() -> None:
    words = entrypoint()
    assert words[1] == "serve"
    services = compose()["services"]
    given = [word for word in words if word.startswith("--")]
    given += [word for name in ("first", "second") for word in services[name]["command"] if word.startswith("--")]
    assert set(given) <= options_of_serve()
    assert {"--channels", "--trusted-proxy", "--host", "--port"} <= set(given)


def test_the_proxy_reaches_both_processes_and_is_trusted_by_them() -> None:
    services, words = compose()["services"], entrypoint()
    port = words[words.index("--port") + 1]
    site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    upstream = re.findall(r"^ *server (\w+):(\d+) ", site, flags=re.MULTILINE)
    assert upstream == [("first", port), ("second", port)]
    assert {name for name, _ in upstream} <= set(services)
    command = services["first"]["command"]
    address = services["proxy"]["networks"]["default"]["ipv4_address"]
    assert command[command.index("--trusted-proxy") + 1] == address
    subnet = compose()["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert ipaddress.ip_address(address) in ipaddress.ip_network(subnet)
    assert "./deploy/nginx.conf:" in services["proxy"]["volumes"][0]


def test_connections_outlive_those_that_proxies_keep(tmp_path: Path) -> None:
    """uvicorn closes an idle connection after 5 s by itself. A proxy that sends a request just then answers 502."""
    nginx, caddy = 60, 120  # their own limits, in seconds; neither file sets another
    for name, setting in (("nginx.conf", "keepalive_timeout"), ("Caddyfile", "keepalive")):
        assert setting not in (ROOT / "deploy" / name).read_text(encoding="utf-8")
    assert uvicorn_config(Litestar(), Settings(data=tmp_path)).timeout_keep_alive > max(nginx, caddy)


def test_secrets_are_not_in_the_command_line() -> None:
    """Other users of the machine can read it."""
    server = compose()["services"]["first"]
    assert "PASSWORD" not in " ".join(server["command"])
    variables = {variable for parameter in loaded("serve")["serve"].params for variable in [parameter.envvar]}
    assert set(server["environment"]) <= variables


def test_the_image_installs_the_locked_versions() -> None:
    installs = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if "pip install" in line]
    assert "--require-hashes -r /source/requirements.lock" in installs[0]
    assert all("--no-deps" in line for line in installs[1:])


def test_containers_have_time_to_stop_and_cannot_write_outside_their_folders() -> None:
    server = compose()["services"]["first"]
    assert int(server["stop_grace_period"].removesuffix("s")) > Settings(data=ROOT).stop_seconds
    assert server["read_only"]
    assert server["cap_drop"] == ["ALL"]
    words = entrypoint()
    assert words[words.index("--data") + 1] in server["tmpfs"]
    assert re.search(r"^USER ludotheque$", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)


# A server as a service of systemd.


def service() -> dict[str, str]:
    """The settings of `deploy/ludotheque.service` that are given once."""
    lines = (ROOT / "deploy" / "ludotheque.service").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]\w+=", line))


def test_the_service_starts_what_the_page_installs_with_options_that_exist() -> None:
    program, *words = service()["ExecStart"].split()
    page = (ROOT / "docs" / "running-a-server.md").read_text(encoding="utf-8")
    assert f"python3 -m venv {program.removesuffix('/bin/ludotheque')}\n" in page
    assert {word for word in words if word.startswith("--")} <= options_of_serve()
    assert f"`server 127.0.0.1:{words[words.index('--port') + 1]};`" in page


def test_the_service_reads_secrets_from_the_file_that_the_page_names() -> None:
    page = (ROOT / "docs" / "running-a-server.md").read_text(encoding="utf-8")
    optional, file = service()["EnvironmentFile"][0], service()["EnvironmentFile"][1:]
    assert optional == "-"
    (step,) = [item for item in re.split(r"\n(?=\d\. )", page) if f"`{file}`" in item]
    named = set(re.findall(r"`(LUDOTHEQUE_\w+)=\.\.\.`", step))
    assert named
    assert named <= {parameter.envvar for parameter in loaded("serve")["serve"].params}


def test_the_service_may_write_where_its_tables_are_and_is_given_time_to_stop(tmp_path: Path) -> None:
    given = service()
    assert f"--data /var/lib/{given['StateDirectory']} " in given["ExecStart"]
    assert (given["ProtectSystem"], given["KillMode"]) == ("strict", "mixed")
    assert int(given["TimeoutStopSec"]) > 2 * Settings(data=tmp_path).stop_seconds


def test_systemd_understands_the_service(tmp_path: Path) -> None:
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("needs systemd")
    text = (ROOT / "deploy" / "ludotheque.service").read_text(encoding="utf-8")
    (tmp_path / "ludotheque.service").write_text(re.sub("(?m)^ExecStart=\\S+", f"ExecStart={sys.executable}", text))
    answer = subprocess.run(
        [systemd, "verify", str(tmp_path / "ludotheque.service")], capture_output=True, text=True, check=False
    )
    assert [line for line in answer.stderr.splitlines() if "ludotheque.service" in line] == []
