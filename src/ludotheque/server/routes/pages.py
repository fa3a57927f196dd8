"""Routes of the pages, and of the static files in `ludotheque/web/`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final

from litestar import Request, Response, get
from litestar.params import FromPath
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from ludotheque.core.game import Game
from ludotheque.core.phrases import phrase
from ludotheque.core.registry import find_game, game_class, game_classes, rules_language, rules_page
from ludotheque.server.after.unplayable import readable_table
from ludotheque.server.club.results import Tally, games_of, grouped, shares_of, tally
from ludotheque.server.errors import Refused, Unplayable
from ludotheque.server.game_cards import game_card, key_of, known_game, todays_pictures
from ludotheque.server.http.templates import page
from ludotheque.server.routes.context import CACHE_PUBLIC_FOREVER, Context, GameName, Name, RequestContext, TableId, svg
from ludotheque.server.routes.people import challenge_view
from ludotheque.server.routes.previews import cover_url, game_preview, site_preview, table_preview
from ludotheque.server.storage.database import LISTED
from ludotheque.server.storage.tournaments import ListedTournament, tournaments_to_follow
from ludotheque.server.tables.ready_phrases import READY_PHRASES
from ludotheque.server.tables.summaries import Summary
from ludotheque.show.art import art_of, key_picture, rules_picture
from ludotheque.show.language import game_translator, languages, translator
from ludotheque.show.static import STATIC, static_file
from ludotheque.study.lessons import lessons

SECTION: Final = "h2"
"""The headings of sections."""
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@get("/", include_in_schema=False)
async def lobby(context: Context) -> Response[str]:
    """The games, and the tables under way."""
    games = [game_card(kind, context.reader) for kind in game_classes()]
    listed = await _listed_tables(context)
    return page(
        "lobby.html",
        context.reader,
        games=games,
        puzzle_pictures=todays_pictures(context.reader),
        lesson=next(({"game": game.title, "url": game.lessons[0].url} for game in games if game.lessons), None),
        **listed,
        shares=await _my_shares(context, listed["mine"]),
        results=await _my_results(context),
        reminders=context.services.reminders.sends_mail,
        push=context.offers_push,
        features=context.services.features,
        preview=site_preview(context),
    )


@get("/lobby/tables", include_in_schema=False)
async def lobby_tables(context: Context) -> Response[str]:
    """The part of the lobby that changes: one's own tables and the open ones."""
    features = context.services.features
    return page("lobby_tables.html", context.reader, features=features, **await _listed_tables(context))


async def _listed_tables(context: RequestContext) -> dict[str, Any]:
    """The tables and tournaments that the lobby lists, and the names of languages."""
    profile = await context.profile()
    return {
        "my_name": profile.name if profile else "",
        "challenges": [challenge_view(each) for each in await context.challenges()],
        "tournaments": await _my_tournaments(context),
        "mine": await context.my_tables(),
        "open_tables": await context.open_tables(),
        "games_to_watch": await context.games_to_watch(),
        "language_names": {known.code: known.name for known in languages()},
        "game_titles": {kind.name: kind.title for kind in game_classes()},
    }


async def _my_shares(context: RequestContext, mine: Sequence[Summary]) -> dict[str, float]:
    """The caller's share of the win of each finished game that they played at one seat, by table."""
    played = [table for table in mine if table.over and len(table.seats) == 1]
    return await shares_of(context.storage, {table.id: table.seats[0] for table in played})


async def _my_results(context: RequestContext) -> list[tuple[str, Tally]]:
    """The caller's results by the titles of the games, the latest first; empty without a profile."""
    games = await games_of(context.storage, context.key) if await context.profile() else []
    by_game = grouped(games, lambda game: game.game)
    translate = context.reader.translate
    return [(translate(kind.title), tally(found)) for name, found in by_game.items() if (kind := find_game(name))]


async def _my_tournaments(context: RequestContext) -> list[ListedTournament]:
    """The tournaments of the caller that are not over, and those of their clubs that they may join."""
    profile = await context.profile() if "tournaments" in context.services.features else None
    return await tournaments_to_follow(context.storage, profile.id, LISTED) if profile else []


@get("/t/{table_id:str}", include_in_schema=False)
async def table_page(table_id: TableId, context: Context) -> Response[str]:
    """A table; the page does not hold the position, since its key comes later, from the address."""
    try:
        table = await context.live_tables.table(table_id)
    except Unplayable as why:
        return await _unplayable_page(table_id, context, why)
    art = art_of(table.game, context.reader.language)
    facts = {
        "id": table.id,
        "game": table.game.name,
        "title": game_translator(table.game.name, context.reader.language)(table.game.shown_title()),
        "backdrop": art.backdrop_url(table.id),
        "styles": art.styles_url(table.id),
        "cover": cover_url(table.game),
        "sounds": dict(table.game.sounds()),
        "hides": table.game.has_hidden_information,
        "overlay": table.game.overlay_name().render(game_translator(table.game.name, context.reader.language)),
        "admits": (admits := table.facts.admits(context.caller.digests)),
        "rated": admits and table.facts.terms.rated,
        "tournament": table.facts.terms.tournament if admits else None,
        "locked": bool(table.facts.password) and table.facts.is_open_to_all and not admits,
    }
    reminders, key = context.services.reminders.sends_mail, key_of(type(table.game), context.reader)
    bots = list(context.services.bots.custom)
    is_seated = any(table.facts.keys.holds_seat(key) for key in context.caller.digests)
    summary = None if is_seated else rules_summary(type(table.game), context.reader.language)
    return page(
        "table.html", context.reader, table=facts, key=key, reminders=reminders, custom_bots=bots, summary=summary,
        preview=table_preview(context, table.game), push=context.offers_push, features=context.services.features,
        ready_phrases={key: said.render(context.reader.translate) for key, said in READY_PHRASES.items()},
    )  # fmt: skip


async def _unplayable_page(table: str, context: RequestContext, why: Unplayable) -> Response[str]:
    """Say why a table cannot be shown, with what the caller may read of it all the same."""
    readable = await readable_table(context.storage, table, context.caller.digests, context.reader)
    sentence = why.body(context.reader).sentence
    return page("unplayable.html", context.reader, why.status, sentence=sentence, table=readable)


@get("/rules/{name:str}", include_in_schema=False)
async def rules(name: GameName, context: Context) -> Response[str]:
    """The rules of a game."""
    kind = known_game(name)
    language = rules_language(kind, context.reader.language)
    summary, rest = _summary_and_rest(_rules_html(kind.name, language))
    return page(
        "rules.html",
        context.reader,
        game=game_card(kind, context.reader),
        summary=summary,
        rules=rest,
        rules_language=language,
        contents=_contents(kind.name, language),
        key=key_of(kind, context.reader),
        preview=game_preview(context, kind),
    )


@get("/rules/{name:str}/pictures/{picture:str}", include_in_schema=False, sync_to_thread=True)
def rules_position(name: GameName, picture: Name, context: Context) -> Response[str]:
    """A position that the rules show."""
    drawn = rules_picture(known_game(name).name, picture.removesuffix(".svg"), context.reader.language)
    if not drawn:
        raise Refused(404, "not-found", phrase("There is no such file."))
    return svg(drawn, "private, max-age=86400")


@get("/rules/{name:str}/key/{number:int}", include_in_schema=False, sync_to_thread=True)
def key_symbol(name: GameName, number: FromPath[int], context: Context) -> Response[str]:
    """A symbol of the key to a game's board."""
    drawn = key_picture(known_game(name).name, number, context.reader.language)
    if not drawn:
        raise Refused(404, "not-found", phrase("There is no such file."))
    return svg(drawn, "private, max-age=86400")


def _parser() -> MarkdownIt:
    """Markdown with tables; HTML in it is escaped."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def rules_summary(kind: type[Game], language: str) -> Markup:
    """The rules in one minute, for someone who is invited: the first section without its heading."""
    summary, _ = _summary_and_rest(_rules_html(kind.name, rules_language(kind, language)))
    return summary.partition("</h2>")[2]


def _summary_and_rest(html: Markup) -> tuple[Markup, Markup]:
    """The rules in two parts: the title with the one-minute summary, which is the first section, and the rest."""
    summary, start, rest = html.partition('<span class="anchor" id="section-2">')
    return summary, start + rest


@cache
def _rules_html(name: str, language: str) -> Markup:
    """`RULES.md` as HTML."""
    parser = _parser()
    parser.add_render_rule("heading_open", _heading_with_id)
    parser.add_render_rule("heading_close", _show_me)
    parser.add_render_rule("image", _position_with_caption)
    env = {"game": name, "language": language, "section": 0, "steps": _steps_by_section(name)}
    return Markup(parser.render(rules_page(game_class(name), language), env))


@cache
def _contents(name: str, language: str) -> tuple[tuple[str, str], ...]:
    """The sections of the rules: where each is, and its heading."""
    tokens = _parser().parse(rules_page(game_class(name), language))
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    return tuple((_anchor(words), words) for words, tag in zip(headings, levels, strict=True) if tag == SECTION)


def _steps_by_section(name: str) -> dict[int, str]:
    """Return the first step of a lesson that shows each section of the rules."""
    found: dict[int, str] = {}
    for lesson in lessons(game_class(name)):
        for number, step in enumerate(lesson.steps, 1):
            found.setdefault(step.section, f"/learn/{name}/{lesson.name}#step-{number}")
    return found


def _position_with_caption(renderer: RendererHTML, tokens: Any, index: int, options: Any, env: Any) -> str:
    """A picture of a position, with its caption below. The server draws what the link leads to in the repository."""
    token: Token = tokens[index]
    picture = str(token.attrs["src"]).rpartition("/")[2]
    source = f"/rules/{env['game']}/pictures/{picture}?lang={env['language']}"
    image = f'<img class="position" src="{escape(source)}" alt="" loading="lazy">'
    return f'{image}<span class="caption">{escape(token.content)}</span>'


def _anchor(words: str) -> str:
    """The id of a heading."""
    return "-".join("".join(sign if sign.isalnum() else " " for sign in words.lower()).split())


def _heading_with_id(renderer: RendererHTML, tokens: Any, index: int, options: Any, env: Any) -> str:
    """A heading that can be linked to: by its words, and a section by its number too."""
    words: Token = tokens[index + 1]
    tokens[index].attrSet("id", _anchor(words.content))
    opening = str(renderer.renderToken(tokens, index, options, env))
    if tokens[index].tag != SECTION:
        return opening
    env["section"] += 1
    return f'<span class="anchor" id="section-{env["section"]}"></span>{opening}'


def _show_me(renderer: RendererHTML, tokens: Any, index: int, options: Any, env: Any) -> str:
    """The end of a heading, with a link to the step of a lesson that shows this section."""
    closing = str(renderer.renderToken(tokens, index, options, env))
    step = env["steps"].get(env["section"]) if tokens[index].tag == SECTION else None
    if not step:
        return closing
    words = phrase("Show me").render(translator(env["language"]))
    return f' <a class="show-me" href="{escape(step)}">{escape(words)}</a>{closing}'


@get("/static/{path:path}", include_in_schema=False)
async def static(path: FromPath[Path], request: Request[Any, Any, Any]) -> Response[bytes]:
    """A static file; browsers cache it for ever if its address holds its hash."""
    name = _static_path(path)
    if name is None:
        raise Refused(404, "not-found", phrase("There is no such file."))
    file = static_file(name)
    # During a rolling update an address may name the version of another process: no cache may keep this one under it.
    is_named = request.query_params.get("v") == file.version
    tag = f'W/"{file.version}"'
    headers = {"Cache-Control": CACHE_PUBLIC_FOREVER} if is_named else {"ETag": tag, "Cache-Control": "no-cache"}
    headers["Vary"] = "Accept-Encoding"
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    kind = _KINDS.get(Path(name).suffix) or "application/octet-stream"
    if file.compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.content, media_type=kind, headers=headers)
    return Response(file.compressed, media_type=kind, headers=headers | {"Content-Encoding": "gzip"})


def _static_path(path: PurePath) -> str | None:
    """The path of a static file below their folder; None outside of it."""
    try:
        file = (STATIC / path.as_posix().lstrip("/")).resolve()
        return file.relative_to(STATIC.resolve()).as_posix() if file.is_file() else None
    except (OSError, ValueError):
        return None  # no file can have such a name


PAGES: Final = (lobby, lobby_tables, table_page, rules, rules_position, key_symbol, static)
