"""Previews of links: what other sites show of a page before anyone opens it."""

from __future__ import annotations

from msgspec import Struct

from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.server.http.templates import static
from ludotheque.server.routes.context import RequestContext
from ludotheque.show.art import cover_preview
from ludotheque.show.language import game_translator


class Preview(Struct, frozen=True):
    """The title, sentence and picture of a link (Open Graph). It tells nothing of a table but its game."""

    title: str
    sentence: str
    picture: str
    """A whole address: other sites load it."""


def site_preview(context: RequestContext) -> Preview:
    sentence = phrase("Modern board games against bots, with friends on one screen, or with friends elsewhere.")
    return Preview("Ludotheque", sentence.render(context.reader.translate), context.origin + static("preview.jpg"))


def game_preview(context: RequestContext, kind: type[Game], variant: str = "") -> Preview:
    """The preview of a page about a game or one of its variants; without a cover, with the picture of the site."""
    translate = game_translator(kind.name, context.reader.language)
    shown = next((each for each in kind.variants if each.name == variant), None)
    title, sentence = (shown.title, shown.sentence) if shown else (kind.title, kind.sentence)
    address = f"/api/games/{kind.name}/cover.jpg" + (f"?variant={variant}" if variant else "")
    picture = address if cover_preview(kind, variant) else static("preview.jpg")
    return Preview(translate(title), translate(sentence), context.origin + picture)


def table_preview(context: RequestContext, game: Game) -> Preview:
    """The preview of a table: that of its game as it is set up."""
    return game_preview(context, type(game), _variant_of(game))


def cover_url(game: Game) -> str:
    """The address of the cover of a game as it is set up."""
    variant = _variant_of(game)
    return f"/api/games/{game.name}/cover.svg" + (f"?variant={variant}" if variant else "")


def _variant_of(game: Game) -> str:
    """The name of the variant that is played; empty for the game itself."""
    return next((each.name for each in game.variants if each.describes(game.settings)), "")
