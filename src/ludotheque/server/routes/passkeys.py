"""Routes of passkeys: add one to a profile, sign in with it at another browser, remove it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from litestar import Response, post
from litestar.params import JSONBody
from msgspec import Struct

from ludotheque.core.phrases import phrase
from ludotheque.server import commands
from ludotheque.server.errors import Refused, forbidden
from ludotheque.server.routes.context import ERRORS, Context, Ok, RequestContext
from ludotheque.server.routes.profile import MyProfile, check_may_join, continue_as
from ludotheque.server.storage.passkeys import (
    MOST,
    add_challenge,
    add_passkey,
    find_passkey,
    passkeys_of,
    remove_passkey,
    sign_in,
    use_challenge,
)
from ludotheque.server.storage.profiles import seal
from ludotheque.server.storage.rows import now

if TYPE_CHECKING:
    from ludotheque.server.club.webauthn import Site

_CHALLENGE_BYTES: Final = 32
_PORTS: Final = {"https": 443, "http": 80}


class PasskeyChallenge(Struct, frozen=True):
    """The challenge that a passkey signs, in base64url, and the site for which it works."""

    challenge: str
    host: str


class NewPasskey(PasskeyChallenge, frozen=True):
    """All that a browser needs to make a passkey."""

    handle: str
    """The handle that the passkey keeps; the server forgets it."""
    name: str
    known: tuple[str, ...]
    """The passkeys that the profile has, of which no device needs a second one."""
    algorithms: tuple[int, ...]


def _site(context: RequestContext) -> Site:
    """The site for which passkeys work; `Refused` where there are none."""
    from ludotheque.server.club.webauthn import Site

    context.require("passkeys")
    if not context.passkey_host:
        raise Refused(404, "not-found", phrase("Passkeys need https and a name: this address has none."))
    found = urlsplit(context.origin)
    port = f":{found.port}" if found.port and found.port != _PORTS[found.scheme] else ""
    return Site(context.passkey_host, f"{found.scheme}://{context.passkey_host}{port}")


@post("/passkeys/new", status_code=200, responses=ERRORS)
async def new_passkey(data: JSONBody[commands.ProfileCommand], context: Context) -> NewPasskey:
    """Return what a browser needs to make a passkey for one's profile."""
    site = _site(context)
    from ludotheque.server.club.webauthn import ALGORITHMS, encode, handle_of, id_of

    context.limit("join")
    profile = await context.my_profile()
    known = await passkeys_of(context.storage, profile.id)
    if len(known) >= MOST:
        raise Refused(409, "too-many", phrase("Your profile has too many passkeys; remove one first."))
    challenge = secrets.token_bytes(_CHALLENGE_BYTES)
    await add_challenge(context.storage, challenge, profile.id, now())
    ids = tuple(id_of(each.credential) for each in known)
    return NewPasskey(encode(challenge), site.rp_id, encode(handle_of(challenge)), profile.name, ids, ALGORITHMS)


@post("/passkeys", status_code=200, responses=ERRORS)
async def store_passkey(data: JSONBody[commands.AddPasskey], context: Context) -> Ok:
    """Add a passkey to one's profile."""
    site = _site(context)
    from ludotheque.server.club.webauthn import challenge_in, check_new, encode, handle_of

    context.limit("join")
    profile, at = await context.my_profile(), now()
    challenge = challenge_in(data.client_data)
    if not await use_challenge(context.storage, challenge, profile.id, at):
        raise _expired()
    made = check_new(site, challenge, data.client_data, data.attestation)
    sealed = seal(context.caller.browser.encode(), encode(handle_of(challenge)))
    if not await add_passkey(context.storage, profile.id, made.id, made.data, made.counter, sealed, at):
        raise Refused(409, "too-many", phrase("This passkey is known already, or there are too many."))
    return Ok()


@post("/passkeys/remove", status_code=200, responses=ERRORS)
async def delete_passkey(data: JSONBody[commands.RemovePasskey], context: Context) -> Ok:
    """Remove a passkey of one's profile. The same answer whether there was one."""
    context.require("passkeys")
    context.limit("join")
    await remove_passkey(context.storage, (await context.my_profile()).id, data.id)
    return Ok()


@post("/passkeys/challenge", status_code=200, responses=ERRORS)
async def passkey_challenge(data: JSONBody[commands.ProfileCommand], context: Context) -> PasskeyChallenge:
    """Return a challenge that a passkey signs to sign in, once and within five minutes."""
    site = _site(context)
    from ludotheque.server.club.webauthn import encode

    context.limit("join")
    challenge = secrets.token_bytes(_CHALLENGE_BYTES)
    await add_challenge(context.storage, challenge, "", now())
    return PasskeyChallenge(encode(challenge), site.rp_id)


@post("/passkeys/use", status_code=200, responses=ERRORS)
async def use_passkey(data: JSONBody[commands.UsePasskey], context: Context) -> Response[MyProfile]:
    """Continue as the person of a passkey in this browser too."""
    site = _site(context)
    from ludotheque.server.club.webauthn import Assertion, bad_passkey, challenge_in, check_assertion, read_id

    context.limit("join")
    await check_may_join(context, data.merge)
    challenge = challenge_in(data.client_data)
    if not await use_challenge(context.storage, challenge, "", now()):
        raise _expired()
    passkey = await find_passkey(context.storage, read_id(data.id))
    if passkey is None:
        raise bad_passkey()
    signed = Assertion(data.id, data.client_data, data.authenticator_data, data.signature)
    counter = check_assertion(site, challenge, signed, passkey.credential)
    taken = await sign_in(context.storage, passkey, data.handle, counter, context.key, now())
    if taken is None:
        raise bad_passkey()
    await context.reload_tables(taken.tables)
    return await continue_as(context, taken.secret)


def _expired() -> Refused:
    return forbidden(phrase("That took too long; try again."))


API: Final = (new_passkey, store_passkey, delete_passkey, passkey_challenge, use_passkey)
