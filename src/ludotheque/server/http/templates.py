"""Pages from the templates in `ludotheque/web/`, in the reader's language."""

from __future__ import annotations

import hashlib
import json
from functools import cache, partial
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from litestar import Response
from markupsafe import Markup

import ludotheque
from ludotheque.show.language import Reader, languages
from ludotheque.show.static import STATIC, script_words, static_file
from ludotheque.web import WEB


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(WEB / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # an update on disk is for the next process: this one has the code of the templates it read
    )


def static(path: str) -> str:
    """The address of a static file, with its version so that browsers may cache it for ever."""
    return f"/static/{path}?v={static_file(path).version}"


@cache
def _version() -> str:
    """A hash of all templates and static files: what a service worker has stored is of this version."""
    found = hashlib.sha256()
    for file in sorted(file for folder in (STATIC, WEB / "templates") for file in folder.rglob("*") if file.is_file()):
        found.update(file.read_bytes())
    return found.hexdigest()[:12]


@cache
def _script_words(language: str) -> Markup:
    """The words that the scripts use, in a language, as JSON."""
    return htmlsafe_json_dumps(script_words(Reader(language).translate), _write_json)


_write_json: Final = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))


def page(template: str, reader: Reader, status_code: int = 200, **context: Any) -> Response[str]:
    """Render a page in the reader's language."""
    common: dict[str, Any] = {
        "_": reader.translate,
        "ngettext": reader.translate.plural,
        "language": reader.language,
        "languages": languages(),
        "script_words": _script_words(reader.language),
        "static": static,
        "version": ludotheque.__version__,
        "service_worker": f"/service-worker.js?v={_version()}&lang={reader.language}",
    }
    text = _templates().get_template(template).render(common | context)
    headers = {"Vary": "Accept-Language, Cookie"}
    return Response(text, status_code=status_code, media_type="text/html; charset=utf-8", headers=headers)
