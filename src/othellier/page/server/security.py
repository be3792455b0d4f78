"""Who may ask, and how much: the guard before every route.

On this machine's own address no password is needed, but only this machine's names are answered and only its
own pages may use the API, so that no other site can reach through a browser. For other machines a token
is asked for. Every answer carries a policy that lets the page load nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from othellier.errors import RequestError
from othellier.page.server.connections import is_own
from othellier.page.wire.events import error_view, event_text
from othellier.session.commands import FILE_LIMIT
from othellier.session.rights import LOCAL

BODY_LIMIT = 8 << 20
BODY_SECONDS = 30.0
FILES = ("/api/v1/import", "/api/v1/books")
"""Where whole files are handed in, which go to the disk as they come."""
PATIENCE = 8  # times the limit that are read of what is refused
RATE, BURST = 40.0, 300.0
SOCKETS_EACH = 300
"""Open tabs of one other machine."""
CLIENTS_REMEMBERED = 10_000
PROFILE_COOKIE = "othellier_profile"
"""For all servers of a machine: whoever comes to another port is the same person."""
YEAR = 365 * 86400

STATUS = {
    "bad_header": 400,
    "bad_request": 422,
    "illegal_move": 409,
    "not_your_turn": 409,
    "game_over": 409,
    "nothing_to_do": 409,
    "name_taken": 409,
    "bad_position": 422,
    "bad_player": 422,
    "bad_record": 422,
    "bad_move": 422,
    "unknown_game": 404,
    "unknown_node": 404,
    "unknown_opening": 404,
    "unknown_language": 404,
    "not_found": 404,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
    "no_engine": 503,
    "not_saved": 507,
    "forbidden": 403,
    "player_failed": 500,
    "internal": 500,
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; media-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Access:
    """Whom to answer: names of this machine, and a token where others may come."""

    hosts: frozenset[str] = frozenset({"127.0.0.1", "localhost", "::1"})
    token: str | None = None

    @property
    def shared(self) -> bool:
        """Whether other machines may come."""
        return self.token is not None

    def knows(self, host: str) -> bool:
        """Whether a request was meant for this server.

        A plain address cannot be a foreign site in disguise: this machine's own will do, where others may come any.
        """
        name = re.sub(r":\d+$", "", host).strip("[]").rstrip(".").lower()
        if name in self.hosts:
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or self.shared
        except ValueError:
            return False


@dataclass(slots=True)
class Bucket:
    """So many at once, and so many a second after that."""

    rate: float
    burst: float
    left: float = field(default=-1.0)
    since: float = 0.0

    def take(self, now: float) -> float:
        """Take one; how long to wait where none is left, else 0."""
        if self.left < 0:
            self.left = self.burst
        else:
            self.left = min(self.burst, self.left + (now - self.since) * self.rate)
        self.since = now
        if self.left < 1:
            return (1 - self.left) / self.rate
        self.left -= 1
        return 0.0


class SecurityMiddleware:
    """Stands before the routes: refuses, limits, and seals every answer."""

    def __init__(self, app: App, access: Access) -> None:
        self.app = app
        self.access = access
        self._buckets: dict[str, Bucket] = {}
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        web = scope["type"] == "http"
        sealed = _sealed(send) if web else send
        try:
            self._check(scope)
            if web and self._signs_in(scope):
                await _redirect(sealed, _cookie(token_cookie(scope), self.access.token or ""))
                return
            self._check_token(scope)
            self._limit(scope)
            if web:
                receive = await _bounded(scope, receive)
        except RequestError as error:
            await (_refuse(sealed, error) if web else _refuse_socket(receive, send, error))
            return
        if web and self.access.shared and scope["path"] == "/" and owner_of(scope, True) == "guest":
            sealed = _with_profile(sealed)
        client = _client(scope)
        self._sockets[client] += not web
        try:
            await self.app(scope, receive, sealed)
        finally:
            self._sockets[client] -= not web
            if not self._sockets[client]:
                del self._sockets[client]

    def _check(self, scope: Scope) -> None:
        host = _header(scope, b"host")
        if not self.access.knows(host):
            raise RequestError("forbidden", "this server does not answer to that name")
        origin = _header(scope, b"origin")
        api = scope["path"].startswith("/api/")  # what may only be read as well: reading can be work
        socket = scope["type"] == "websocket"
        asks = api or socket or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        try:
            site = urlsplit(origin).netloc
        except ValueError:
            raise RequestError("bad_header", "the Origin header is no address", header="origin") from None
        # "same-site" is another port. Sockets always have an Origin; browsers may call them another site by their ws:.
        elsewhere = not socket and _header(scope, b"sec-fetch-site") in ("cross-site", "same-site")
        if asks and (elsewhere or (origin and site.lower() != host.lower())):
            raise RequestError("forbidden", "another site may not ask this")

    def _signs_in(self, scope: Scope) -> bool:
        """Whether the address holds the right token: it goes into a cookie and out of the address."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
        return self.access.token is not None and scope["path"] == "/" and any(map(self._is_token, given))

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), (self.access.token or "").encode())

    def _check_token(self, scope: Scope) -> None:
        if self.access.token is not None and not self._is_token(_cookies(scope).get(token_cookie(scope), "")):
            raise RequestError("forbidden", "open the address with the token that the server printed at its start")

    def _limit(self, scope: Scope) -> None:
        if not scope["path"].startswith("/api/"):
            return
        client = _client(scope)
        if scope["type"] == "websocket" and self._sockets[client] >= SOCKETS_EACH and not is_own(client):
            raise RequestError("too_many", "too many tabs are open at your place", retry=30)
        if len(self._buckets) > CLIENTS_REMEMBERED:
            self._buckets.clear()
        wait = self._buckets.setdefault(client, Bucket(RATE, BURST)).take(time.monotonic())
        if wait:
            raise RequestError("too_many", "too many requests at once, try again soon", retry=round(wait + 0.05, 1))


def token_cookie(scope: Scope) -> str:
    """Return the name of the cookie that holds the token of this server.

    Browsers send the cookies of all ports of a machine to each of them, so the port is in the name: a second server
    does not overwrite the token of the first.
    """
    return f"othellier_token_{(scope.get('server') or ('', 0))[1]}"


def owner_of(scope: Scope, shared: bool) -> str:
    """Whose games and options a request is about: where others may come, every browser has its own."""
    if not shared:
        return LOCAL
    profile = _cookies(scope).get(PROFILE_COOKIE, "")
    return profile if re.fullmatch(r"[A-Za-z0-9_-]{16,64}", profile) else "guest"


def _client(scope: Scope) -> str:
    return str((scope.get("client") or ("", 0))[0])


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _cookies(scope: Scope) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(_header(scope, b"cookie")).items()}
    except CookieError:
        return {}


def _cookie(name: str, value: str) -> tuple[bytes, bytes]:
    text = f"{name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict"
    return b"set-cookie", text.encode("latin-1")


def _sealed(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [(key, value) for key, value in message.get("headers", []) if key.decode() not in HEADERS]
            headers += [(key.encode(), value.encode()) for key, value in HEADERS.items()]
            message = {**message, "headers": headers}
        await send(message)

    return wrapped


def _with_profile(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            cookie = _cookie(PROFILE_COOKIE, secrets.token_urlsafe(18))
            message = {**message, "headers": [*message.get("headers", []), cookie]}
        await send(message)

    return wrapped


async def _bounded(scope: Scope, receive: Receive) -> Receive:
    """The whole body, read before anybody works on it; larger or slower ones are refused.

    What is too large is still read to its end, and forgotten, up to a point: whoever sends it does not listen before.
    """
    if scope["method"] in ("GET", "HEAD"):
        return receive
    if scope["path"] in FILES and not _header(scope, b"content-type").startswith("application/json"):
        return _metered(receive)
    body, length = bytearray(), 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while length <= PATIENCE * BODY_LIMIT:
                message = await receive()
                piece = message.get("body", b"")
                length += len(piece)
                if length <= BODY_LIMIT:
                    body += piece
                if not message.get("more_body"):
                    break
    except TimeoutError:
        raise RequestError("bad_request", "the request did not come to its end", field="body") from None
    if length > BODY_LIMIT:
        raise RequestError("too_large", f"more than {BODY_LIMIT >> 20} MB", limit=BODY_LIMIT)
    waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _metered(receive: Receive) -> Receive:
    """A large body as it comes, refused where it is too large or stands still."""
    length = 0

    async def wrapped() -> Message:
        nonlocal length
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await receive()
        except TimeoutError:
            raise RequestError("bad_request", "the request did not come to its end", field="body") from None
        length += len(message.get("body", b""))
        if length <= FILE_LIMIT:
            return message
        # As above: read on for a while, for the answer to be heard.
        if message.get("more_body") and length <= FILE_LIMIT + PATIENCE * BODY_LIMIT:
            return {**message, "body": b""}
        raise RequestError("too_large", f"more than {FILE_LIMIT >> 20} MB", limit=FILE_LIMIT)

    return wrapped


async def _refuse(send: Send, error: RequestError, kind: str = "http.response") -> None:
    body = json.dumps({"error": error_view(error).model_dump()}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if "retry" in error.data:
        headers.append((b"retry-after", str(max(1, round(float(error.data["retry"])))).encode()))
    await send({"type": f"{kind}.start", "status": STATUS[error.code], "headers": headers})
    await send({"type": f"{kind}.body", "body": body})


async def _redirect(send: Send, cookie: tuple[bytes, bytes]) -> None:
    headers = [(b"location", b"/"), (b"content-length", b"0"), cookie]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse_socket(receive: Receive, send: Send, error: RequestError) -> None:
    """Browsers do not show why a socket was refused: open it, say it, close it. What no browser sends is not opened."""
    await receive()
    if error.code == "bad_header":
        await _refuse(send, error, "websocket.http.response")
        return
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": event_text("error", error=error_view(error))})
    code = 4403 if error.code == "forbidden" else 4429
    await send({"type": "websocket.close", "code": code, "reason": error.code})
