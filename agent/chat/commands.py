"""What begins with a colon: commands of a chat. Each returns text for standard output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.answer.records import Answer
from agent.chat.conversation import Conversation
from agent.chat.settings import MAX_BUDGET, MakeRules
from agent.chat.show import editor_command, open_editor, place_of, render_place
from agent.guard import strip_controls
from retrieval.errors import UserError

MakeRuleOption = Callable[[tuple[str, ...]], MakeRules | None]  # names of rule files -> how to compile them


class QuitError(Exception):
    """The user wants to leave."""


@dataclass(frozen=True, slots=True)
class Command:
    """``form`` is how it is written; ``run`` gets what follows its name."""

    form: str
    help: str
    run: Callable[[Commands, str], str]


class Commands:
    """Runs commands on a conversation.

    Args:
        make_rules: Reads the rule files that ``:rules`` names.
        is_terminal: Whether an editor may take over the screen.
    """

    def __init__(self, conversation: Conversation, make_rules: MakeRuleOption, is_terminal: bool) -> None:
        self.conversation = conversation
        self._make_rules = make_rules
        self._is_terminal = is_terminal

    @staticmethod
    def is_command(line: str) -> bool:
        return line.lstrip().startswith(":")

    def run(self, line: str) -> str:
        """The command's output, free of terminal control.

        Raises:
            UserError: There is no such command, or it cannot be done.
            QuitError: It was ``:quit``.
        """
        name, _, rest = line.strip()[1:].partition(" ")
        command = COMMANDS.get(_ALIASES.get(name, name))
        if command is None:
            import difflib

            close = difflib.get_close_matches(name, COMMANDS, n=1)
            raise UserError(
                f"There is no command :{name[:40]}.", f"Did you mean :{close[0]}?" if close else "See :help"
            )
        return strip_controls(command.run(self, rest.strip()))

    def _answer(self) -> Answer | None:
        turns = self.conversation.turns
        return turns[-1].answer if turns else None

    def show(self, argument: str) -> str:
        answer = self._answer()
        if not argument and answer is not None and answer.citations:
            from agent.answer.render import citation_line

            numbers = sorted({one.number for one in answer.citations})
            groups = [[one for one in answer.citations if one.number == number] for number in numbers]
            return "".join(f"{citation_line(group)}\n" for group in groups)
        return render_place(place_of(answer, argument), self.conversation.session.reader)

    def open(self, argument: str) -> str:
        place = place_of(self._answer(), argument)
        if not self._is_terminal:
            return f"{place.path}:{place.lines[0]}\n"
        open_editor(editor_command(place, self.conversation.session.reader))
        return ""

    def pack(self, _argument: str) -> str:
        from retrieval.compile.render import render_pack, render_summary

        turns = self.conversation.turns
        if not turns:
            raise UserError("There is no question yet.", "Ask one first.")
        last = turns[-1]
        pack = self.conversation.packs.get(last.number)
        if pack is None:  # a turn of an earlier process
            settings = self.conversation.settings
            pack = self.conversation.session.checked_pack(
                last.read_as, budget=settings.budget, reserve=settings.reserve
            )
        return f"{render_pack(pack)}\n{render_summary(pack)}"

    def budget(self, argument: str) -> str:
        settings = self.conversation.settings
        if argument:
            digits = argument.replace(",", "").replace("_", "")
            if not digits.isascii() or not digits.isdigit() or not 0 < int(digits) <= MAX_BUDGET:
                raise UserError(f"{argument[:40]!r} is no budget.", "Give tokens, for example: :budget 4000")
            settings.budget = int(digits)
            self.conversation.recorder.write("setting", {"name": "budget", "value": settings.budget})
        return f"budget: {settings.budget} tokens of evidence, {settings.reserve} kept for the reply\n"

    def rules(self, argument: str) -> str:
        settings = self.conversation.settings
        if argument:
            names = () if argument == "none" else (argument,)
            settings.rules = self._make_rules(names)
            settings.rule_names = names
            self.conversation.recorder.write("setting", {"name": "rules", "value": list(names)})
        return f"rules: {', '.join(settings.rule_names) or 'none'}\n"

    def save(self, argument: str) -> str:
        recorder = self.conversation.recorder
        if argument:
            try:
                path = Path(argument).expanduser()
            except RuntimeError:  # "~somebody", who is unknown here
                raise UserError(f"{argument[:80]!r} names no place here.", "Give a path: :save chat.jsonl") from None
            recorder.save_as(path)
        if recorder.path is None:
            raise UserError("This conversation is not saved.", "Save it: :save FILE")
        return f"saved in {recorder.path}\n"

    def turns(self, _argument: str) -> str:
        lines = [f"{turn.number}. {turn.read_as}" for turn in self.conversation.turns]
        return "".join(f"{line}\n" for line in lines) or "no questions yet\n"

    def calls(self, _argument: str) -> str:
        turns = self.conversation.turns
        made = turns[-1].calls if turns else ()
        return "".join(f"{name} {text} ({outcome})\n" for name, text, outcome in made) or "no tools were called\n"

    def help(self, _argument: str) -> str:
        width = max(len(command.form) for command in COMMANDS.values())
        listed = "".join(f"{command.form:<{width}}  {command.help}\n" for command in COMMANDS.values())
        return f"Anything else is a question. Follow-ups may say “it” of what the last answer is about.\n{listed}"

    def quit(self, _argument: str) -> str:
        raise QuitError


COMMANDS: Mapping[str, Command] = {
    "show": Command(
        ":show [N[:FIRST[-LAST]]]", "The lines behind citation [N] of the last answer, as they are now.", Commands.show
    ),
    "open": Command(":open N", "Your editor on them (VISUAL, EDITOR); over a pipe: their place.", Commands.open),
    "pack": Command(":pack", "The evidence compiled for the last question.", Commands.pack),
    "budget": Command(":budget [N]", "Tokens of evidence from now on.", Commands.budget),
    "rules": Command(":rules [FILE|auto|none]", "Hold answers against rules from now on.", Commands.rules),
    "calls": Command(":calls", "The tools that the last answer called.", Commands.calls),
    "turns": Command(":turns", "The questions so far, as they were read.", Commands.turns),
    "save": Command(
        ":save [FILE]", "Write the conversation to FILE and go on in it; without: where it is.", Commands.save
    ),
    "help": Command(":help", "This list.", Commands.help),
    "quit": Command(":quit", "Leave (also Ctrl-D).", Commands.quit),
}
_ALIASES = {"q": "quit", "exit": "quit", "h": "help", "?": "help", "s": "show"}
