"""The part of a picture that never changes, split as a strict page needs it: markup without styles, and the styles."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from librt.random import Random
from msgspec import Struct, structs

from ludotheque.core.colours import translate_letters
from ludotheque.core.game import SPECTATOR, Game
from ludotheque.core.policy import pick, policy_of
from ludotheque.core.registry import game_class, game_folder, rules_pictures
from ludotheque.core.scene import Scene
from ludotheque.show.language import game_translator
from ludotheque.table import Dice, Match

_STYLE: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_HEADER: Final = re.compile(r'<svg xmlns="[^"]*" viewBox="[^"]*" width="[^"]*" height="[^"]*" ')
_PICTURE_SEED: Final = 7


class Art(Struct, frozen=True):
    """The backdrop of a table."""

    svg: str
    css: str
    version: str

    def backdrop_url(self, table: str) -> str:
        return f"/api/tables/{table}/backdrop.svg?v={self.version}"

    def styles_url(self, table: str) -> str:
        return f"/api/tables/{table}/backdrop.css?v={self.version}"


def art_of(game: Game, language: str = "en") -> Art:
    """The backdrop of a game as it is set up, its letters in a language."""
    return _art(game.name, game.players, msgspec.msgpack.encode(game.settings), language)


@lru_cache(maxsize=256)
def _art(name: str, players: int, settings: bytes, language: str) -> Art:
    game = game_class(name)(players, msgspec.msgpack.decode(settings))
    backdrop = translate_letters(game.backdrop(), game_translator(name, language))
    scene = game.scene(game.observe(game.new_initial_state(), 0))
    css = "\n".join(_STYLE.findall(backdrop)).strip() + "\n"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width:g} {scene.height:g}">'
        f"{_STYLE.sub('', backdrop)}</svg>\n"
    )
    return Art(svg, css, hashlib.sha256((svg + css).encode()).hexdigest()[:16])


@lru_cache(maxsize=64)
def rules_picture(name: str, picture: str, language: str) -> str:
    """A position that the rules of a game show, in the words of a language; empty if they show no such one."""
    kind = game_class(name)
    shown = rules_pictures(kind).get(picture)
    if shown is None:
        return ""
    game = kind(shown.players, shown.settings)
    scene = game.scene(game.observe(game.read_position(shown.position), SPECTATOR))
    has_corner = scene.tray_width > scene.width  # empty, beside the board
    drawn = board_alone(scene) if has_corner else structs.replace(scene, tables=())
    return drawn.to_svg(game.backdrop(), game_translator(name, language))


@lru_cache(maxsize=64)
def key_picture(name: str, number: int, language: str) -> str:
    """The symbol of an entry of the key to a game's board, from 0; empty if it has no such entry."""
    kind = game_class(name)
    if not 0 <= number < len(kind.key()):
        return ""
    entry = kind.key()[number]
    shown = rules_pictures(kind)[entry.picture]
    game = kind(shown.players, shown.settings)
    scene = structs.replace(game.scene(game.observe(game.read_position(shown.position), 0)), tables=())
    left, top, size = scene.part(entry.around, entry.reach, entry.aside)
    whole = scene.to_svg(game.backdrop(), game_translator(game.name, language))
    return _HEADER.sub(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {size:g} {size:g}" ', whole, 1
    )


@lru_cache(maxsize=64)
def lobby_picture(name: str, variant: str = "") -> str:
    """Draw the board of a game, or of one of its variants, late in a match for the lobby, the same every time."""
    kind = game_class(name)
    game = kind(settings=next((each.settings for each in kind.variants if each.name == variant), None))
    match = _played(game)
    scene = match.viewing.scene(SPECTATOR, match.ply * 2 // 3)
    return board_alone(scene).to_svg(game.backdrop())


def board_alone(scene: Scene) -> Scene:
    """A scene without its tray and tables."""
    on_board = tuple(piece for piece in scene.pieces if not piece.in_tray)
    return structs.replace(scene, tables=(), pieces=on_board, tray_width=0, tray_height=0)


@lru_cache(maxsize=64)
def cover(name: str, variant: str = "") -> str:
    """Draw the cover of a game, or of one of its variants: its own art, or its board where it has none."""
    file = _cover_file(game_class(name), variant, "svg")
    return file.read_text(encoding="utf-8") if file.is_file() else lobby_picture(name, variant)


def cover_preview(kind: type[Game], variant: str = "") -> bytes | None:
    """The cover with its title as a JPEG file, for previews of links; none of a game without a cover."""
    file = _cover_file(kind, variant, "jpg")
    return file.read_bytes() if file.is_file() else None


def _cover_file(kind: type[Game], variant: str, kind_of_file: str) -> Path:
    """The file beside the game's class: `cover.svg`, or `cover.companies.svg` for the variant `companies`."""
    return game_folder(kind) / ".".join(filter(None, ("cover", variant, kind_of_file)))


def _played(game: Game) -> Match:
    """A whole match, each move drawn by the weights that the game's policy gives."""
    rng, policy = Random(_PICTURE_SEED), policy_of(game)
    match = Match.start(game, dice=Dice(bytes(32)) if game.has_chance else None)
    while not match.is_over:
        weights = policy.weigh(match.resampled(match.to_move, rng))
        match.play(match.to_move, list(weights)[pick(list(weights.values()), rng)])
    return match
