"""`make bench`: random games compiled, pure and, for Cable Car, in hand-optimised C, all in one run.

Machines are shared and noisy, so the three are measured alternately and compared within a round; the medians count.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

import ludotheque

ROUNDS = 5
SECONDS = 1.0
SEATS = {"cable-car": 4, "chicago-express": 4, "passerelles": 2, "pays-noir": 3}
LIMIT = Path(__file__).parent / "limits" / "cable_car_limit.c"


def speed_of(game: str, pure: bool) -> dict[str, float]:
    """Measure one game in a separate process."""
    command = [sys.executable, "-m", "ludotheque.cli", "bench", game, "--players", str(SEATS.get(game, 0))]
    environment = {**os.environ, "LUDOTHEQUE_PURE": "1" if pure else "0"}
    answer = subprocess.run(
        [*command, "--seconds", str(SECONDS), "--json"], env=environment, capture_output=True, text=True, check=True
    )
    measured: dict[str, float] = json.loads(answer.stdout)[0]
    return measured


def build_limit(folder: Path) -> Path | None:
    """Build the reference program in C with plain -O2; None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = folder / "limit"
    subprocess.run([compiler, "-O2", "-o", str(program), str(LIMIT)], check=True)
    return program


def limit_speed(program: Path) -> float:
    answer = subprocess.run([str(program), str(SECONDS)], capture_output=True, text=True, check=True)
    return float(answer.stdout.split()[0])


def main() -> None:
    console = Console()
    if not ludotheque.COMPILED:
        console.print("The package is not compiled: there is nothing to compare.")
        return
    table = Table(
        "Game", "Seats", "Playouts/s", "Steps/s", "Clones/s", "Bytes/state", "speed-up over pure", "share of C -O2"
    )
    with tempfile.TemporaryDirectory() as folder:
        program = build_limit(Path(folder))
        for game in ludotheque.game_names():
            compiled, pure_ratios, limit_ratios = [], [], []
            for _ in range(ROUNDS):
                compiled.append(speed_of(game, pure=False))
                playouts = compiled[-1]["playouts_per_s"]
                pure_ratios.append(playouts / speed_of(game, pure=True)["playouts_per_s"])
                if game == "cable-car" and program is not None:
                    limit_ratios.append(playouts / limit_speed(program))
            figures = [
                f"{median(row[name] for row in compiled):,.0f}"
                for name in ("seats", "playouts_per_s", "steps_per_s", "clones_per_s", "bytes_per_state")
            ]
            of_limit = f"{median(limit_ratios):.2f}" if limit_ratios else ""
            table.add_row(game, *figures, f"{median(pure_ratios):.0f}", of_limit)
    console.print(table)


if __name__ == "__main__":
    main()
