"""What a server was started with."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.answer.answerer import AnswerRules
    from agent.answer.config import AnswerConfig
    from agent.session import Session
    from retrieval.pack_records import ContextPack

    RulesFor = Callable[[Session, ContextPack, AnswerConfig], AnswerRules | None]

DEFAULT_PORT = 8642
TOKEN_VARIABLE = "CONTEXTC_SERVE_TOKEN"  # noqa: S105 - the variable's name
_TOKEN_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9._~-]{16,512}")


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Settings of one server.

    Attributes:
        token: What every request to the API must show.
        hosts: Values of the ``Host`` header that name this server, in lower case, with the port.
        budget, reserve: Tokens of a pack and of a reply when a request does not say.
        update: Keep the index current with the tree.
        rules: What an answer to a pack is held against; None: nothing.
        workers: Threads that compile and answer offline; ``streams`` those that wait for a model server.
        waiting: Requests that may wait for a thread; one more is refused as busy.
    """

    token: str
    hosts: tuple[str, ...]
    answer: AnswerConfig
    budget: int = 4000
    reserve: int = 1024
    update: bool = True
    rules: RulesFor | None = None
    workers: int = 4
    streams: int = 16
    waiting: int = 512

    def __repr__(self) -> str:  # a token must not reach a log
        return f"ServeSettings(hosts={self.hosts!r}, budget={self.budget}, update={self.update})"


def choose_token(given: str | None, env: Mapping[str, str] | None = None) -> str:
    """The token given, else the environment's, else a random one.

    Raises:
        UserError: It could be guessed, or cannot stand in a header and an address.
    """
    token = given if given is not None else (os.environ if env is None else env).get(TOKEN_VARIABLE)
    if token is None:
        return secrets.token_urlsafe(_TOKEN_BYTES)
    if not _TOKEN.fullmatch(token):
        raise UserError(
            "The token must have 16 to 512 letters, digits, '-', '.', '_' or '~'.",
            f"Leave --token and {TOKEN_VARIABLE} away for a random one.",
        )
    return token


def host_values(address: str, port: int, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The ``Host`` headers that name a server bound to ``address`` and ``port``, and to further ``names``.

    A server on every address is named by its loopback names and ``names`` alone: which of the machine's other names
    are its own cannot be told from a header.
    """
    known = dict.fromkeys(_bracketed(name.lower().rstrip(".")) for name in names if not _is_unspecified(name))
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        known[address.lower()] = None
    else:
        if not _is_unspecified(address):
            known[_bracketed(str(ip))] = None
        if ip.is_loopback or ip.is_unspecified:
            known |= dict.fromkeys(("localhost", "127.0.0.1", "[::1]"))
    plain = list(known) if port == 80 else []
    return tuple(sorted([*(f"{name}:{port}" for name in known), *plain]))


def _is_unspecified(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_unspecified
    except ValueError:
        return False


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches ``address``."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"
