"""Greetings, thanks and the like: answered in a line, without retrieval and without a model."""

from __future__ import annotations

import re

from agent.answer.records import Answer

_NAME = r"(?:[ ,]+(?:contextc|there|you|so much|very much|a lot|again|all|everyone|bot|friend|mate|much|then|for now))*"
_KINDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?:{words}){_NAME}", re.IGNORECASE), reply)
    for words, reply in (
        (
            r"(?:many |ok(?:ay)?[ ,]+|great[ ,]+)?(?:thanks?|thank you|thx|ty|cheers|much appreciated|appreciated)",
            "You are welcome. Ask on whenever you like.",
        ),
        (
            r"hello|hi|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings",
            "Hello. Ask about this codebase, for example: where is X defined, who calls X, what happens when …?",
        ),
        (
            r"ok(?:ay)?|k|great|nice|cool|perfect|good|got it|understood|i see|alright|all right|sure|right|fine|"
            r"wonderful|excellent|awesome|very good|well done|yes|no|yep|nope",
            "Noted. What would you like to know next?",
        ),
        (r"bye|goodbye|good night|see you|ciao", "Goodbye. :quit ends the chat."),
    )
)
_MAX_LENGTH = 60


def reply_to(text: str) -> str:
    """What to say to a turn that is no question; "" for everything else."""
    said = text.strip().strip("!.,:;)(-~ ").strip()
    if not said or len(text) > _MAX_LENGTH or "?" in text:
        return ""
    return next((reply for pattern, reply in _KINDS if pattern.fullmatch(said)), "")


def small_answer(text: str, reply: str) -> Answer:
    """The reply as an answer that states nothing."""
    return Answer(text=f"{reply}\n", statements=(), citations=(), abstained=False, question=text)
