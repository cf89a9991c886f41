"""JSON round trip, the shipped schema, redaction and the explain text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from pack_fakes import FakeSource, FakeWorkspace, candidate, plan, ranked, true_tokens

from retrieval.compile.pipeline import compile_pack
from retrieval.compile.render import render_explain, render_pack
from retrieval.compile.schema import pack_digest, pack_from_dict, pack_schema, pack_to_dict
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack, Decision, FileHint, Mention, RotFinding

LOADER = '''\
def load(path):
    """Load a table."""
    rows = read(path)
    for row in rows:
        check(row)
    if not rows:
        raise ValueError("empty table")
    return rows
'''


@pytest.fixture()
def pack() -> ContextPack:
    source = FakeSource({"a.py": LOADER, "b.py": LOADER.replace("load", "save")})
    rows = [*source.chunks("a.py"), *source.chunks("b.py")]
    asked = replace(
        plan("why is `load` empty in a.py:3?"),
        mentions=(Mention("load", "backtick", ("a.load",)),),
        file_hints=(FileHint("a.py:3", ("a.py",), 3), FileHint("x.py")),
        notes=("two definitions",),
    )
    made = compile_pack(asked, ranked(rows), source, commit="abc", index_id="i1", state_of=lambda path: "commit:abc")
    return replace(
        made,
        rot=(RotFinding("noise", "info", (2,), "weak", "Drop it."),),
        decisions=(*made.decisions, Decision("workspace", "c.py", 1, 2, "x", "added", "called by load")),
    )


def test_round_trip_loses_nothing(pack: ContextPack) -> None:
    text = json.dumps(pack_to_dict(pack))
    again = pack_from_dict(json.loads(text))
    assert again == pack
    assert pack_digest(again) == pack_digest(pack)
    assert pack_digest(replace(pack, question="other")) != pack_digest(pack)


def test_the_shipped_schema_accepts_packs_and_nothing_else(pack: ContextPack) -> None:
    Draft202012Validator.check_schema(pack_schema())
    validator = Draft202012Validator(pack_schema())
    good = pack_to_dict(pack)
    validator.validate(good)
    empty = compile_pack(plan(), FakeWorkspace(()), FakeSource({}))
    validator.validate(pack_to_dict(empty))
    for broken in (
        {**good, "extra": 1},
        {key: value for key, value in good.items() if key != "plan"},
        {**good, "schema_version": 2},
        {**good, "chunks": [{**good["chunks"][0], "note": "x"}]},
        {**good, "chunks": [{**good["chunks"][0], "ranges": [[1]]}]},
    ):
        assert not validator.is_valid(broken)


@pytest.mark.parametrize(
    "data", [{}, [], {"schema_version": 99}, {"schema_version": 1}, {"schema_version": 1, "plan": 3}]
)
def test_foreign_data_is_refused_with_one_line(data: object) -> None:
    with pytest.raises(UserError) as caught:
        pack_from_dict(data)  # type: ignore[arg-type]
    assert "contextc pack" in caught.value.mend


def test_a_wrong_type_inside_is_refused(pack: ContextPack) -> None:
    data = pack_to_dict(pack)
    with pytest.raises(UserError):
        pack_from_dict({**data, "warnings": "one string"})
    with pytest.raises(UserError):
        pack_from_dict({**data, "chunks": [{**data["chunks"][0], "path": 3}]})


def test_headers_are_readable_and_resolve(pack: ContextPack) -> None:
    header, first, *_ = render_pack(pack).split("\n")
    assert header == "[1] a.py:1-8 load l100"
    assert first == "1 def load(path):"
    assert pack.chunks[0].chunk_id == f"a.py:1-8@{pack.chunks[0].sha256[:12]}"
    assert pack.chunks[0].state == "commit:abc"


def test_explain_tells_every_stage(pack: ContextPack) -> None:
    text = render_explain(pack)
    assert "plan: backtick `load` -> a.load" in text
    assert "plan: file `x.py` -> no indexed file" in text
    assert "budgeter: kept a.py:1-8 load: 8 of 8 lines" in text
    assert "workspace: added c.py:1-2 x: called by load" in text


KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA7bq0Q9mXyZ3vBnT5kLpWcJ8sRfGdHq2uYoEiPaNxMvKt\n" * 12
    + "-----END RSA PRIVATE KEY-----\n"
)


def test_secrets_are_redacted_and_counted() -> None:
    token = "ghp_" + "a8Jk2LmN4pQr6StU8vWx0yZ1bC3dE5fG7hI9"
    source = FakeSource({"m.py": f"def client():\n    token = '{token}'\n    return connect(token)\n"})
    pack = compile_pack(plan("client token"), ranked(source.chunks("m.py")), source)
    text = render_pack(pack)
    assert token not in text and "REDACTED" in text
    assert pack.redactions == 1 and "redacted" in pack.chunks[0].actions
    assert token not in json.dumps(pack_to_dict(pack))
    assert true_tokens(text) <= pack.total_tokens


def test_a_key_that_begins_above_the_piece_is_still_a_secret() -> None:
    text = f'KEY = """\n{KEY}"""\ndef use():\n    return KEY\n'
    source = FakeSource({"m.py": text})
    middle = source.window("m.py", 6, 12)
    pack = compile_pack(plan("key"), FakeWorkspace((candidate(middle),)), source)
    assert "MIIEpAIBAAKCAQEA" not in render_pack(pack)
    assert pack.redactions == 1


def test_names_that_only_sound_secret_stay() -> None:
    source = FakeSource(
        {"tokens.py": "def count_tokens(token):\n    password_field = token\n    return password_field\n"}
    )
    pack = compile_pack(plan("count tokens"), ranked(source.chunks("tokens.py")), source)
    assert pack.redactions == 0 and "password_field = token" in render_pack(pack)
