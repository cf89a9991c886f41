"""The one gate for secrets: files that are secret by their name, and secrets inside the text of other files.

Rules are narrow on purpose. ``tokens.py``, ``token = get_token()`` and ``SECRET_KEY = "dev"`` are what people ask
questions about.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ----------------------------------------------------------------------------------------------------------------------
# Paths
# ----------------------------------------------------------------------------------------------------------------------

_SECRET_NAMES = _words(
    ".env .envrc .npmrc .pypirc .netrc _netrc .htpasswd .pgpass .dockercfg .git-credentials .vault-token .s3cfg .boto "
    "id_rsa id_dsa id_ecdsa id_ed25519 credentials credentials.json credentials.yml credentials.yaml credentials.toml "
    "credentials.ini secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini .secrets client_secret.json "
    "client_secrets.json service-account.json service_account.json master.key kubeconfig terraform.tfstate "
    "terraform.tfstate.backup"
)
_SECRET_EXTENSIONS = _words("pem key p12 pfx jks keystore ppk kdbx tfvars p8")
_ENV_SAMPLES = _words("example sample template dist defaults default tpl tmpl schema spec md txt py ts js")
_SECRET_PLACES = (".docker/config.json", ".kube/config", ".aws/config")


def is_secret_path(path: str) -> bool:
    """Whether a file of this name is to be taken for a secret as a whole.

    Secret: ``.env`` and its variants (``.env.local``, ``prod.env``) but not its samples (``.env.example``), private
    keys and key stores, credential files of known tools. Source code never is, whatever its name.
    """
    lowered = path.lower()
    name = lowered.rpartition("/")[2]
    if name in _SECRET_NAMES:
        return True
    stem, dot, extension = name.rpartition(".")
    if not dot:
        return False
    if extension in _SECRET_EXTENSIONS:
        return True
    if name.startswith(".env."):
        return _ENV_SAMPLES.isdisjoint(name.split("."))
    if extension == "env":
        return not any(word in stem for word in ("example", "sample", "template"))
    return extension in ("json", "", "config") and lowered.endswith(_SECRET_PLACES)


# ----------------------------------------------------------------------------------------------------------------------
# Text
# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Redacted:
    """Text with its secrets replaced by ``[REDACTED:kind]``; the number of lines is that of the input.

    Attributes:
        count: How many were replaced.
        kinds: (kind, count), sorted by kind.
    """

    text: str
    count: int
    kinds: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A token with a tell-tale prefix.

    ``hint`` is a substring of every match: without it the pattern is neither compiled (a cold search has no time for
    two dozen) nor run. ``group`` is replaced (0 = all of the match); ``mixed`` asks that it look random, for prefixes
    that words share.
    """

    kind: str
    hint: str
    pattern: str
    group: int = 0
    mixed: bool = False


_RULES = (
    _Rule("aws-access-key", "AKIA", r"\bAKIA[A-Z0-9]{16}\b"),
    _Rule("aws-access-key", "ASIA", r"\bASIA[A-Z0-9]{16}\b"),
    *(_Rule("github-token", f"gh{c}_", rf"\bgh{c}_[A-Za-z0-9]{{36,255}}") for c in "pousr"),
    _Rule("github-token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{22,255}"),
    _Rule("gitlab-token", "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,255}"),
    _Rule("api-key", "sk-", r"\bsk-(?:[a-z]{2,10}-)?[A-Za-z0-9_-]{20,255}", mixed=True),
    _Rule("slack-token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}", mixed=True),
    _Rule("slack-webhook", "hooks.slack.com/", r"\bhooks\.slack\.com/services/([A-Za-z0-9/]{20,100})", 1),
    _Rule("stripe-key", "k_live_", r"\b[srp]k_live_[A-Za-z0-9]{16,255}"),
    _Rule("stripe-key", "k_test_", r"\b[sr]k_test_[A-Za-z0-9]{16,255}"),
    _Rule("google-api-key", "AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    _Rule("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{10,4000}+\.eyJ[\w-]{10,8000}+\.[\w-]{10,2000}"),
    _Rule("npm-token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _Rule("pypi-token", "pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{40,500}"),
    _Rule("huggingface-token", "hf_", r"\bhf_[A-Za-z0-9]{34,60}\b", mixed=True),
    _Rule("sendgrid-key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    _Rule("age-key", "AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _Rule("url-password", "://", r"://[^\s:/@\"'<>]{0,64}:([^\s:/@\"'<>{}$]{8,128})@", 1, mixed=True),
)

_KEYWORDS = tuple(
    sorted(
        _words(
            "password passwd pwd passphrase secret token apikey api_key api-key access_key accesskey private_key "
            "privatekey credential"
        )
    )
)
# From the end of the keyword: rest of the name, its closing quote or bracket, an annotation, the sign, the value.
_QUOTED = (
    r"""[\w-]{0,40}["'\]]{0,2}[ \t]{0,8}(?::[ \t]{0,4}[\w\[\]. |]{1,40})?(?:=>|:=|[=:])[ \t]{0,8}[bru]{0,2}"""
    r"""(?:"([^"\s]{8,200})"|'([^'\s]{8,200})')"""
)
_BARE = r"[\w-]{0,40}[ \t]{0,8}[=:][ \t]{0,8}([A-Za-z0-9+/_=-]{20,200})[ \t\r]{0,8}(?=\n|\Z)"
_PLACEHOLDER = (
    r"(?i:example|sample|change|your|dummy|placeholder|fake|redacted|password|secret|insert|replace|xxxx|\*\*\*|\.\.\.|"
    r"1234567|abcdef)"
)
_DOTTED_OR_PATH = r"[A-Za-z_][\w-]*(?:[./:][\w-]+)+/?|[a-z][a-z0-9+.-]{1,12}://.*|[./~].*"

_PEM_BEGIN = "-----BEGIN "
_PEM_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_MATERIAL = r"[A-Za-z0-9+/=]{32}"
_PEM_MAX_CHARS = 20_000
_PEM_NEAR = 400  # characters after the head within which key material must begin


#: Names this set of rules: a text that one set finds nothing in may hold a secret by another. Count the first number up
#: when the code below changes what is found.
RULES_ID = zlib.crc32(repr((1, _RULES, _KEYWORDS, _QUOTED, _BARE, _PLACEHOLDER, _PEM_HEAD, _PEM_END)).encode()) or 1


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def redact(text: str) -> Redacted:
    """Replace tokens, private-key blocks and assigned high-entropy passwords; linear in the length of ``text``.

    Redact whole files or whole statements: of a private key cut off before its head nothing tells.
    """
    spans: list[tuple[int, int, str]] = []
    if _PEM_BEGIN in text:
        spans.extend(_private_keys(text))
    spans.extend(_tokens(text))
    spans.extend(_assigned(text))
    if not spans:
        return Redacted(text, 0, ())
    pieces: list[str] = []
    kinds: Counter[str] = Counter()
    position = 0
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < position:
            continue  # inside what has been replaced
        pieces += text[position:start], f"[REDACTED:{kind}]", "\n" * text.count("\n", start, end)
        kinds[kind] += 1
        position = end
    pieces.append(text[position:])
    return Redacted("".join(pieces), kinds.total(), tuple(sorted(kinds.items())))


def holds_token(names: str) -> bool:
    """Whether a token with a tell-tale prefix is among ``names``, one a line: a quick look at all paths of a tree."""
    return next(_tokens(names), None) is not None


def _tokens(text: str) -> Iterator[tuple[int, int, str]]:
    for rule in _RULES:
        if rule.hint in text:
            for match in _compiled(rule.pattern).finditer(text):
                value = match.group(rule.group)
                if not (rule.mixed and not _is_random(value)) and "EXAMPLE" not in value:
                    yield (*match.span(rule.group), rule.kind)


def _private_keys(text: str) -> list[tuple[int, int, str]]:
    """Bodies of PEM private keys. A head without key material after it is code that speaks of keys."""
    found = []
    for head in _compiled(_PEM_HEAD).finditer(text):
        start = head.end()
        limit = min(len(text), start + _PEM_MAX_CHARS)
        if not _compiled(_PEM_MATERIAL).search(text, start, min(limit, start + _PEM_NEAR)):
            continue
        end_mark = _compiled(_PEM_END).search(text, start, limit)
        if end_mark:
            end = end_mark.start()
        else:  # cut off: up to the last line that looks like key material
            last = start
            for line in _compiled(_PEM_MATERIAL).finditer(text, start, limit):
                last = line.end()
            newline = text.find("\n", last, limit)
            end = newline if newline >= 0 else limit
        body = text[start:end]
        start += len(body) - len(body.lstrip("\r\n"))
        end -= len(body) - len(body.rstrip("\r\n"))
        found.append((start, max(start, end), "private-key"))
    return found


def _assigned(text: str) -> list[tuple[int, int, str]]:
    """Values that are assigned to a name with a tell-tale word in it and look random."""
    # U+0130 is the one character whose lower case is longer than itself; positions must hold.
    lowered = text.replace("\u0130", "I").lower()
    quoted, bare, placeholder = _compiled(_QUOTED), _compiled(_BARE), _compiled(_PLACEHOLDER)
    found = []
    for keyword in _KEYWORDS:
        position = lowered.find(keyword)
        while position >= 0:
            after = position + len(keyword)
            match = quoted.match(text, after)
            if match:
                group = 1 if match.group(1) is not None else 2
                if _is_random(match.group(group)) and placeholder.search(match.group(group)) is None:
                    found.append((*match.span(group), "assigned-secret"))
            else:
                match = bare.match(text, after)
                if match and _is_random(match.group(1)) and _is_no_name(match.group(1)):
                    found.append((*match.span(1), "assigned-secret"))
            position = lowered.find(keyword, after)
    return found


def _is_no_name(value: str) -> bool:
    """Whether an unquoted value is too odd for an identifier: three digits, and mixed case or long hexadecimal."""
    if sum(c.isdigit() for c in value) < 3 or _compiled(_PLACEHOLDER).search(value):
        return False
    is_hex = len(value) >= 32 and all(c in "0123456789abcdefABCDEF" for c in value)
    return is_hex or (any(c.isupper() for c in value) and any(c.islower() for c in value))


_MIN_ENTROPY_BITS = 3.0  # per character; drops repeated and counted-up values
_MIN_DIGIT_CHANGES = 3  # ``V1LocalReference`` has 2 changes between letter and digit, ``newtoken123`` has 1
_MIN_CLASS_CHANGES = 0.45  # of neighbours: camelCase stays near 0.3, random base64 lies near 0.6
_MIN_LENGTH_WITHOUT_DIGITS = 16


def _is_random(value: str) -> bool:
    """No word, name, path, URL or template: letters and digits (or letter cases) alternate as in no language."""
    if "{" in value or "%(" in value or "<" in value or "$" in value[:2] or _compiled(_DOTTED_OR_PATH).fullmatch(value):
        return False
    classes = [2 if c.isdigit() else (c.isupper() if c.isalpha() else 3) for c in value]
    pairs = list(pairwise(classes))
    digit_changes = sum((a == 2) != (b == 2) for a, b in pairs if a != 3 and b != 3)
    class_changes = sum(a != b for a, b in pairs)
    n = len(value)
    scattered = n >= _MIN_LENGTH_WITHOUT_DIGITS and class_changes >= _MIN_CLASS_CHANGES * (n - 1)
    if digit_changes < _MIN_DIGIT_CHANGES and not scattered:
        return False
    entropy = -sum(k / n * math.log2(k / n) for k in Counter(value).values())
    return entropy >= min(_MIN_ENTROPY_BITS, math.log2(n) - 0.5)
