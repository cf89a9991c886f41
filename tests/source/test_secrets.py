"""The gate for secrets: what must not pass, and what must not be touched. Tokens are assembled, never written out."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.source.secrets import is_secret_path, redact

_RANDOM = random.Random(7)
ALNUM = string.ascii_letters + string.digits


def chars(n: int, alphabet: str = ALNUM) -> str:
    return "".join(_RANDOM.choices(alphabet, k=n))


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "app/.env.local",
        ".env.production",
        "deploy/prod.env",
        ".ENV",
        "id_rsa",
        "keys/id_ed25519",
        "tests/certs/server.pem",
        "server.key",
        "a.p12",
        ".npmrc",
        ".pypirc",
        ".netrc",
        "home/.aws/credentials",
        "credentials.json",
        ".docker/config.json",
        "conf/secrets.yaml",
        "prod.tfvars",
    ],
)
def test_secret_files(path: str) -> None:
    assert is_secret_path(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example",
        ".env.sample",
        ".env.template",
        "example.env",
        "tokens.py",
        "secrets.py",
        "credentials.py",
        "password.html",
        "id_rsa.pub",
        "keys.py",
        "key",
        "env.py",
        ".env.py",
        "src/config.json",
        "docs/secrets.md",
        "auth/secret_key.py",
        "monkey.py",
        "secrets/__init__.py",
    ],
)
def test_files_that_only_sound_secret(path: str) -> None:
    assert not is_secret_path(path)


TOKENS = {
    "aws-access-key": "AKIA" + chars(16, string.ascii_uppercase + string.digits),
    "github-token": "ghp_" + chars(36),
    "gitlab-token": "glpat-" + chars(20),
    "api-key": "sk-" + "proj-" + chars(48),
    "slack-token": "xoxb-" + "1234567890-0987654321-" + chars(24),
    "slack-webhook": "https://hooks.slack.com/services/T0" + chars(8) + "/B0" + chars(8) + "/" + chars(24),
    "stripe-key": "sk_" + "live_" + chars(24),
    "google-api-key": "AIza" + chars(35),
    "jwt": ".".join(("eyJ" + chars(20), "eyJ" + chars(60), chars(43))),
    "npm-token": "npm_" + chars(36),
    "pypi-token": "pypi-" + "AgEIcHlwaS5vcmc" + chars(60),
    "sendgrid-key": f"SG.{chars(22)}.{chars(43)}",
    "url-password": "postgres://admin:" + "x9Kq2vW8mZ4t" + "@db.internal/app",
    "assigned-secret": 'DB_PASSWORD = "' + "x9Kq2vW8-mZ4tB7p" + '"',
}


@pytest.mark.parametrize("kind", TOKENS)
def test_tokens_are_replaced_and_counted(kind: str) -> None:
    text = f"before\nvalue: {TOKENS[kind]}\nafter\n"
    result = redact(text)
    assert (result.count, result.kinds) == (1, ((kind, 1),))
    assert f"[REDACTED:{kind}]" in result.text
    assert result.text.startswith("before\n")
    assert result.text.endswith("\nafter\n")
    assert redact(result.text).count == 0


def test_a_private_key_keeps_its_lines() -> None:
    for label in ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""):
        body = "\n".join(chars(64) for _ in range(12))
        text = f"a = 1\n-----BEGIN {label}PRIVATE KEY-----\n{body}\n-----END {label}PRIVATE KEY-----\nb = 2\n"
        result = redact(text)
        assert result.kinds == (("private-key", 1),)
        assert result.text.count("\n") == text.count("\n")
        assert not any(line in result.text for line in body.split("\n"))
        assert result.text.split("\n")[-2] == "b = 2"


def test_a_private_key_that_is_cut_off_or_on_one_line() -> None:
    body = "\n".join(chars(64) for _ in range(5))
    cut = redact(f"-----BEGIN PRIVATE KEY-----\n{body}")
    assert cut.count == 1
    assert body.split("\n")[4] not in cut.text
    assert cut.text.count("\n") == 5
    escaped = redact(
        'k = "-----BEGIN RSA PRIVATE KEY-----\\n' + chars(64) + '\\n-----END RSA PRIVATE KEY-----\\n"\nx = 1\n'
    )
    assert escaped.count == 1
    assert escaped.text.endswith("\nx = 1\n")


@pytest.mark.parametrize(
    "line",
    [
        "{name} = '{value}'",
        '{name}: str = "{value}"',
        '"{name}": "{value}",',
        "connect(user='u', {name}='{value}')",
        'os.environ["{name}"] = "{value}"',
        "{name}={value}",
        "export {name}={value}",
        "{name}: {value}",
        "  12 {name} = b'{value}'",
    ],
)
@pytest.mark.parametrize("name", ["password", "API_KEY", "client_secret", "auth-token", "AWS_SECRET_ACCESS_KEY"])
def test_assigned_values_in_all_notations(line: str, name: str) -> None:
    value = "q7Xn2Lw9RtY4vBc81KdE"
    result = redact(line.format(name=name, value=value) + "\nnext\n")
    assert result.kinds == (("assigned-secret", 1),)
    assert value not in result.text


@pytest.mark.parametrize(
    "text",
    [
        "token = get_token()",
        'SECRET_KEY = "dev"',
        'password="password"',
        'password = "correct horse battery staple"',
        "password = os.environ['DATABASE_PASSWORD']",
        "self.token = tokens.AccessToken2.from_request(request)",
        "token = self._read_next_token_from_stream_v2",
        'TOKEN_URL = "https://auth.example.com/oauth2/v1/token"',
        'PASSWORD_HASHERS = "django.contrib.auth.hashers.PBKDF2PasswordHasher"',
        'secret_ref: "V1LocalObjectReference"',
        'token = "newtoken123"',
        'api_key = "your-api-key-here-1a2b3c"',
        'api_key = "{{ API_KEY_1 }}a1b2c3d4"',
        'password: "%(password)s1a2b3"',
        'secret = "xxxxxxxxxxxxxxxxxxxx1x2x3"',
        "def reset_password(token: str = 'a', secret_key_fallbacks=None): ...",
        'hash = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-estimator-doc-link-container-fluid",
        "sk-learn and task-management-for-everyone",
        "postgresql://user:password@localhost:5432/db",
        "see https://host:8080/path@version",
        'if "-----BEGIN RSA PRIVATE KEY-----" in text and "-----END RSA PRIVATE KEY-----" in text:',
        "-----BEGIN CERTIFICATE-----\n" + "A1b2" * 16 + "\n-----END CERTIFICATE-----",
        "import tokenize\ntokens = list(tokenize.generate_tokens(readline))",
        "",
    ],
)
def test_what_people_ask_about_stays(text: str) -> None:
    assert redact(text) == type(redact(""))(text, 0, ())


@given(st.text(alphabet="aA1\n -_=:'\"./İß@é\\", max_size=300), st.integers(0, 300), st.sampled_from(sorted(TOKENS)))
def test_the_number_of_lines_never_changes(noise: str, at: int, kind: str) -> None:
    text = noise[:at] + " " + TOKENS[kind] + "\n" + noise[at:]
    result = redact(text)
    assert result.text.count("\n") == text.count("\n")
    assert (result.count == 0) == (result.text == text)
    assert result.count == sum(n for _, n in result.kinds)


def test_positions_hold_after_characters_that_change_length_in_lower_case() -> None:
    value = "q7Xn2Lw9RtY4vBc81KdE"
    assert value not in redact(f"İİİİ = 1\npassword = '{value}'\n").text


@pytest.mark.parametrize(
    "piece",
    [
        "password",
        "password=",
        "eyJ",
        "eyJa.",
        "eyJ-",
        "eyJaaaaaaaaaaaa.",
        "-----BEGIN PRIVATE KEY-----",
        "://:",
        "sk-",
        "a_",
        "AKIA",
    ],
)
def test_hostile_repetition_is_no_hang(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    assert redact(text).text.count("\n") == 0
