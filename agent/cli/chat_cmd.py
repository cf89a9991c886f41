"""``contextc chat``: a conversation about the tree, on a terminal or over a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.chat_options import chat_options, limits_from
from agent.cli.common import (
    ProgressBar,
    index_overrides,
    json_option,
    no_update_option,
    notes,
    plural,
    quiet_option,
    root_option,
    say,
)
from agent.cli.context_ir import context_ir_option, ir_use
from agent.cli.pack_cmd import budget_option, check_budget, reserve_option
from agent.cli.rules_options import RulesUse, named_rules, rule_book
from agent.session import Session, open_session
from retrieval.errors import UserError

if TYPE_CHECKING:
    from agent.cca.apply import RuleBook
    from agent.chat.conversation import Conversation
    from agent.chat.settings import ChatSettings, MakeRules
    from agent.loop.transcript import Recorder
    from retrieval.pack_records import ContextPack

_FOLDER = "chats"  # of transcripts, beside the index


@click.command("chat")
@budget_option
@reserve_option
@chat_options
@click.option(
    "--rules",
    multiple=True,
    metavar="auto|none|FILE",
    help="Hold answers against rules: the tree's own (auto) or those in FILE; may be repeated.",
)
@click.option("--save", type=click.Path(path_type=Path), default=None, help="Write the transcript to this new file.")
@click.option("--no-save", is_flag=True, help="Write no transcript.")
@click.option("--resume", default=None, metavar="FILE|last", help="Go on with a saved conversation.")
@click.option(
    "--replay",
    type=click.Path(path_type=Path),
    default=None,
    help="Print a saved conversation; asks nothing, no model.",
)
@click.option("--stream/--no-stream", default=None, help="Show text as it arrives (default: on a terminal).")
@context_ir_option
@root_option
@no_update_option
@json_option
@quiet_option
def command(
    budget: int,
    reserve: int,
    rules: tuple[str, ...],
    save: Path | None,
    no_save: bool,
    resume: str | None,
    replay: Path | None,
    stream: bool | None,
    context_ir: bool | None,
    root: Path | None,
    no_update: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Converse about the tree; every factual sentence is cited.

    Reads one question a line. Follow-ups may refer to the last answer ("and who calls it?"). Lines that begin with a
    colon are commands; :help lists them. Offline unless OPENAI_API_KEY or --base-url is given; a model may call tools
    that look further. Over a pipe standard output carries answers alone, and the exit code is 2 when a question
    failed.
    """
    if replay is not None:
        return _replay(replay, as_json)
    check_budget(budget)
    if resume is not None and (save is not None or no_save):
        raise UserError("--resume goes on in the file it names.", "Leave --save and --no-save out, or use :save.")
    from agent.answer.config import AnswerConfig
    from agent.chat.settings import ChatSettings

    config = AnswerConfig.from_env(
        answerer="offline" if given["offline"] else given["answerer"],
        base_url=given["base_url"],
        model=given["model"],
        timeout_s=given["timeout"],
    )
    if config.wants_model:
        config.key()  # a missing key is told before any work is done
    if context_ir and not config.wants_model:
        notes(quiet)("--context-ir changes nothing here: no model is asked.")
    settings = ChatSettings(
        config,
        budget,
        reserve,
        update=not no_update,
        limits=limits_from(given),
        calling=given["tool_calling"],
        ir=lambda session: ir_use(session, context_ir),
    )
    names = tuple(name for name in rules if name != "none")
    settings.rule_names, settings.rules = names, make_rules(names, settings, notes(quiet))
    bar = ProgressBar(quiet)
    try:
        session = open_session(root, update=not no_update, progress=bar, warn=notes(quiet), overrides=index_overrides())
    finally:
        bar.close()
    for warning in session.warnings:
        notes(quiet)(warning)
    from agent.chat.conversation import Conversation
    from agent.loop.transcript import Recorder

    recorder = Recorder(say)
    conversation = Conversation(session, settings, recorder, notes(quiet), bar)
    try:
        pending = _begin(conversation, recorder, session, resume, save, no_save)
        failures = _converse(conversation, pending, stream, as_json, quiet)
        if recorder.path is not None and conversation.turns and not quiet:
            say(f"{plural(len(conversation.turns), 'turn')} saved; go on with: contextc chat --resume {recorder.path}")
    finally:
        conversation.close()
    return 2 if failures and not sys.stdin.isatty() else 0


def _converse(conversation: Conversation, pending: str, stream: bool | None, as_json: bool, quiet: bool) -> int:
    """How many turns failed."""
    from agent.chat.commands import Commands
    from agent.chat.terminal import Chat, Printing, piped_lines, typed_lines
    from retrieval.index.location import user_cache_dir

    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    printing = Printing(
        stream=(sys.stdout.isatty() if stream is None else stream) and not as_json, as_json=as_json, quiet=quiet
    )

    def rules_for(names: tuple[str, ...]) -> MakeRules | None:
        return make_rules(names, conversation.settings, notes(quiet))

    if not quiet:
        conversation.on_call = _say_call
        if is_terminal:
            answerer = "a model with tools" if conversation.settings.config.wants_model else "offline"
            say(f"{conversation.session.location.root}, {answerer}; :help lists commands, Ctrl-D leaves.")
    chat = Chat(conversation, Commands(conversation, rules_for, is_terminal), printing, say)
    lines = typed_lines(user_cache_dir() / "chat-history", pending) if is_terminal else piped_lines()
    chat.run(lines)
    return chat.failures


def _say_call(name: str, arguments: str, outcome: str) -> None:
    short = arguments if len(arguments) <= 100 else f"{arguments[:99]}…"
    say(f"{name} {short}{'' if outcome == 'done' else f' ({outcome})'}", "  … ")


def make_rules(names: tuple[str, ...], settings: ChatSettings, warn: Callable[[str], None]) -> MakeRules | None:
    """How rules are compiled for a pack; the files that are named are read now.

    Raises:
        UserError: A file cannot be read.
    """
    if not names:
        return None
    use = RulesUse(names, "deterministic", False, "full", (), 2, 0)
    named = named_rules(use.files)
    books: list[RuleBook | None] = []

    def make(session: Session, pack: ContextPack) -> RuleBook | None:
        if "auto" in names:  # which of the tree's files bear depends on the evidence
            return rule_book(use, named, session, pack, settings.config, warn)
        if not books:
            books.append(rule_book(use, named, session, pack, settings.config, warn))
        return books[0]

    return make


def _begin(
    conversation: Conversation,
    recorder: Recorder,
    session: Session,
    resume: str | None,
    save: Path | None,
    no_save: bool,
) -> str:
    """Start or take up the transcript. Returns a question that a killed process left unanswered."""
    from retrieval.index.location import for_writing

    folder = for_writing(session.location).index_dir / _FOLDER
    if (
        folder.is_symlink() and save is None and not no_save
    ):  # a repository may ship one, and what is said here must not be written elsewhere
        raise UserError(f"{folder} is a link, which contextc does not follow.", f"Remove the link: {folder}")
    if resume is not None:
        path = _latest(folder) if resume == "last" else Path(resume)
        return _resume(conversation, recorder, session, path)
    if not no_save:
        path = save or folder / _new_name()
        first = {
            "root": str(session.location.root),
            "index": session.reader.meta.get("content_id", ""),
            "owner": _owner(folder),
        }
        try:
            recorder.start(path, first)
        except UserError as error:
            if save is not None:
                raise
            say(f"{error.cause} The conversation is not saved.")
    return ""


def _resume(conversation: Conversation, recorder: Recorder, session: Session, path: Path) -> str:
    from agent.chat.replay import turns_of
    from agent.loop.transcript import read_transcript

    turns_of(path, read_transcript(path))  # what is not in order is told before the file is touched
    read = recorder.resume(path)
    try:
        pending = conversation.restore(read.events)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UserError(f"{path} holds an event that is not contextc's.", "Was the file edited?") from None
    root = read.events[0].get("root")
    if root != str(session.location.root):
        say(f"This conversation was about {root}; it goes on about {session.location.root}.")
    if read.torn:
        say("The transcript ended in the middle of an event, which was never acknowledged; it was cut off.")
    say(f"Resumed {plural(len(conversation.turns), 'turn')} of {path}.")
    if pending:
        say(f"The last question was not answered: {pending[:200]}")
    return pending


def _new_name() -> str:
    import os
    from datetime import UTC, datetime

    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{os.getpid()}.jsonl"


def _latest(folder: Path) -> Path:
    from agent.loop.transcript import started_in

    paths = sorted(folder.glob("*.jsonl"), reverse=True) if folder.is_dir() else []
    own = _owner(folder)
    found = next((path for path in paths if started_in(path) == own), None)
    if found is None:
        mend = f"Start one: contextc chat; to go on in another, name it: --resume {paths[0]}" if paths else ""
        raise UserError("There is no saved conversation about this tree.", mend or "Start one: contextc chat")
    return found


def _owner(folder: Path) -> str:
    """What a transcript that came with somebody's files cannot know: the identity of the folder it is in."""
    from retrieval.index.manifest import owner_of

    try:
        folder.parent.mkdir(parents=True, exist_ok=True)  # in the user's cache when the tree cannot be written
        return owner_of(folder.parent)
    except OSError:
        return "nowhere"  # nothing can be saved there, which is told when it is tried


def _replay(path: Path, as_json: bool) -> int:
    from agent.chat.replay import replay, turns_of
    from agent.guard import strip_controls
    from agent.loop.transcript import read_transcript

    read = read_transcript(path)
    for piece in replay(read, turns_of(path, read), as_json):
        click.echo(strip_controls(piece), nl=False)
    if read.torn:
        say("The transcript ends in the middle of an event, which was never acknowledged.")
    return 0
