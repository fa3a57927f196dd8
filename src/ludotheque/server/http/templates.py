"""Pages from the templates in `ludotheque/web/`, in the reader's language."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Response

import ludotheque
from ludotheque.show.language import WEB, Reader, languages

STATIC: Final = WEB / "static"
_IMPORT: Final = re.compile(r'^import .* from "\./([\w.]+)";$', re.MULTILINE)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(WEB / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def static(path: str) -> str:
    """The address of a static file, with a hash of its content so that browsers may cache it for ever."""
    file = STATIC / path
    version = hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else ludotheque.__version__
    return f"/static/{path}?v={version}"


@cache
def modules(path: str) -> tuple[str, ...]:
    """The addresses of all modules that a script imports, directly or not, for the browser to preload."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        source = (STATIC / waiting.pop()).read_text(encoding="utf-8")
        new = [name for name in _IMPORT.findall(source) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return tuple(f"/static/{name}" for name in found)


def page(template: str, reader: Reader, status_code: int = 200, **context: Any) -> Response[str]:
    """Render a page in the reader's language."""
    common: dict[str, Any] = {
        "_": reader.translate,
        "language": reader.language,
        "languages": languages(),
        "modules": modules,
        "static": static,
        "version": ludotheque.__version__,
    }
    text = _templates().get_template(template).render(common | context)
    headers = {"Vary": "Accept-Language, Cookie"}
    return Response(text, status_code=status_code, media_type="text/html; charset=utf-8", headers=headers)
