"""Synthesise the sounds of the table: `python -m scripts.sounds`.

Each fits a matter: a knock is a few resonances of a body that fade at once, a coin and a bell are partials that ring,
steam and shuffled cards are noise. The files are WAV in mu-law at 16 kHz, a byte per sample, which every browser plays.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from ludotheque.show.static import STATIC

FOLDER: Final = STATIC / "sounds"
RATE: Final = 16_000
"""Samples a second."""
PEAK: Final = 0.8
_MU_LAW: Final = 7
"""The number of the format in the header of a WAV file."""
_SEED: Final = 7

Samples = Any
"""A one-dimensional NumPy array."""


def seconds(length: float) -> Samples:
    """The times of the samples of a sound."""
    return np.arange(int(length * RATE)) / RATE


def ring(length: float, partials: dict[float, tuple[float, float]]) -> Samples:
    """Partials that fade: loudness, and the time in which it falls to a third, by frequency."""
    time = seconds(length)
    return sum(
        loud * np.exp(-time / fade) * np.sin(2 * np.pi * frequency * time)
        for frequency, (loud, fade) in partials.items()
    )


def noise(length: float, low: float, high: float) -> Samples:
    """Noise between two frequencies."""
    time = seconds(length)
    spectrum = np.fft.rfft(np.random.default_rng(_SEED).standard_normal(len(time)))
    frequencies = np.fft.rfftfreq(len(time), 1 / RATE)
    spectrum[(frequencies < low) | (frequencies > high)] = 0
    drawn = np.fft.irfft(spectrum, len(time))
    return drawn / np.abs(drawn).max()


def tap() -> Samples:
    """A fingertip on the table."""
    return ring(0.07, {240: (1, 0.012), 610: (0.4, 0.006)})


def tile() -> Samples:
    """A tile of card on a table."""
    knock = ring(0.16, {170: (1, 0.03), 395: (0.7, 0.018), 980: (0.35, 0.008), 2300: (0.2, 0.004)})
    return knock + 0.35 * noise(0.16, 500, 5000) * np.exp(-seconds(0.16) / 0.006)


def wood() -> Samples:
    """A wooden piece on wood."""
    return ring(0.2, {310: (0.8, 0.028), 785: (1, 0.022), 1490: (0.6, 0.012), 2750: (0.3, 0.006)})


def card() -> Samples:
    """A playing card that is laid down."""
    time = seconds(0.18)
    slide = noise(0.18, 1200, 6000) * np.exp(-(((time - 0.05) / 0.03) ** 2))
    snap = noise(0.18, 300, 3500) * np.exp(-np.abs(time - 0.11) / 0.008)
    return 0.5 * slide + snap


def coin() -> Samples:
    """Two coins that meet."""
    partials = {2890.0: (0.8, 0.07), 4330: (1, 0.09), 5870: (0.5, 0.05), 7180: (0.3, 0.03)}
    whole = ring(0.34, partials)
    second = ring(0.27, {frequency * 1.06: value for frequency, value in partials.items()})
    whole[-len(second) :] += 0.7 * second
    return whole


def steam() -> Samples:
    """Two strokes of a locomotive."""
    time = seconds(0.36)
    strokes = np.exp(-(((time - 0.07) / 0.035) ** 2)) + 0.7 * np.exp(-(((time - 0.24) / 0.045) ** 2))
    return noise(0.36, 250, 4500) * strokes


def shuffle() -> Samples:
    """Cards that fall onto each other."""
    time = seconds(0.36)
    falls = sum(np.exp(-np.abs(time - at) / 0.005) for at in np.linspace(0.02, 0.32, 11) ** 1.1)
    return noise(0.36, 900, 6500) * falls


def bell() -> Samples:
    """The bell of a cable car: it is one's turn."""
    partials = {1046.5: (1, 0.11), 2093: (0.5, 0.08), 2794: (0.45, 0.06), 4186: (0.2, 0.03)}
    whole = ring(0.36, partials)
    whole[int(0.13 * RATE) :] += 0.8 * ring(0.36, partials)[: len(whole) - int(0.13 * RATE)]
    return whole


def end() -> Samples:
    """A chord of bells: the game is over."""
    chord = (523.25, 659.25, 783.99, 1046.5)
    whole = np.zeros(int(0.37 * RATE))
    for place, note in enumerate(chord):
        start = int(place * 0.05 * RATE)
        struck = ring(0.37, {note: (1, 0.16), note * 2: (0.4, 0.09), note * 2.67: (0.2, 0.05)})
        whole[start:] += struck[: len(whole) - start]
    return whole


def chime() -> Samples:
    """Two glasses, the second higher: something is finished."""
    whole = ring(0.34, {1318.5: (1, 0.07), 3690: (0.3, 0.03)})
    start = int(0.09 * RATE)
    whole[start:] += 1.1 * ring(0.34, {1975.5: (1, 0.1), 5530: (0.25, 0.03)})[: len(whole) - start]
    return whole


def gong() -> Samples:
    """A low gong: an event for the whole table."""
    return ring(0.37, {196: (1, 0.16), 293.7: (0.7, 0.12), 440: (0.5, 0.09), 611: (0.35, 0.06), 905: (0.2, 0.04)})


def win() -> Samples:
    """A rising fanfare: one has won."""
    whole = np.zeros(int(0.37 * RATE))
    for place, note in enumerate((523.25, 659.25, 783.99, 1046.5)):
        start = int(place * 0.06 * RATE)
        brass = {note * partial: (1 / partial, 0.05 if place < 3 else 0.2) for partial in (1, 2, 3, 4)}
        whole[start:] += ring(0.37, brass)[: len(whole) - start]
    return whole


SOUNDS: Final[tuple[Callable[[], Samples], ...]] = (
    tap,
    tile,
    wood,
    card,
    coin,
    steam,
    shuffle,
    bell,
    chime,
    gong,
    end,
    win,
)


def mu_law(samples: Samples) -> bytes:
    """Samples as bytes, finer where they are quiet (ITU-T G.711)."""
    fade = np.minimum(1, (len(samples) - np.arange(len(samples))) / (0.01 * RATE))
    loud = samples * fade * PEAK / np.abs(samples).max()
    return bytes(_encoded(int(sample)) for sample in np.round(loud * 32_767))


def _encoded(sample: int) -> int:
    """One sample in mu-law: sign, exponent and four bits of the rest, all inverted."""
    sign, size = (0x80, -sample) if sample < 0 else (0, sample)
    size = min(size, 32_635) + 132
    exponent = size.bit_length() - 8
    return ~(sign | exponent << 4 | size >> (exponent + 3) & 0x0F) & 0xFF


def wav(samples: Samples) -> bytes:
    """A sound as the content of a WAV file."""
    content = mu_law(samples)
    header = struct.pack("<HHIIHHH", _MU_LAW, 1, RATE, RATE, 1, 8, 0)
    chunks = [
        (b"fmt ", header),
        (b"fact", struct.pack("<I", len(content))),
        (b"data", content + b"\0" * (len(content) % 2)),
    ]
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(chunk)) + chunk for name, chunk in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def files() -> dict[Path, bytes]:
    """All sounds by path."""
    return {FOLDER / f"{make.__name__}.wav": wav(make()) for make in SOUNDS}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, content in files().items():
        path.write_bytes(content)
        print(path.name, len(content))
