"""Environment variables that are no option of a command: known by name, so that a misspelt one can be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.configuration.files import NO_FILES_VARIABLE
from agent.configuration.resolve import suggestion

KNOWN = {
    "CONTEXTC_CACHE_DIR": "the user's cache directory",
    "CONTEXTC_DEBUG": "show tracebacks",
    NO_FILES_VARIABLE: "read no configuration files",
    "CONTEXTC_CHROMA_TOKEN": "token for the Chroma server",
    "CONTEXTC_EMBED_BASE_URL": "server of the openai: embedder",
    "CONTEXTC_EMBED_API_KEY": "its key",
    "CONTEXTC_EMBED_TIMEOUT": "seconds that one of its replies may take",
    "CONTEXTC_TOKENIZER_JSON": "tokenizer of the model",
    "CONTEXTC_TIKTOKEN_ENCODING": "tiktoken encoding of the model",
    "CONTEXTC_VAULT_MAX_BYTES": "size of the context IR vault",
    "CONTEXTC_CONTEXT_IR_MIN_CHARS": "bounds of context IR",
    "CONTEXTC_CONTEXT_IR_MAX_CHARS": "bounds of context IR",
    "CONTEXTC_CONTEXT_IR_MAX_MESSAGES": "bounds of context IR",
    "CONTEXTC_CONTEXT_IR_MAX_EVALUATIONS": "bounds of context IR",
    "CONTEXTC_LLAMA_PYTHON": "interpreter of the small model of contextc bench cl",
    "CONTEXTC_TRACE_ROOT": "of harness.graph_oracle",
    "CONTEXTC_TRACE_OUT": "of harness.graph_oracle",
    "OPENAI_API_KEY": "key of the model server",
    "OPENAI_BASE_URL": "model server",
}
_SECRET_ENDS = ("_KEY", "_TOKEN")


def other_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Those of ``KNOWN`` that are set; keys and tokens are masked."""
    return {
        name: "***" if name.endswith(_SECRET_ENDS) else environment[name]
        for name in sorted(KNOWN)
        if environment.get(name)
    }


def unknown_variables(environment: Iterable[str], settable: Iterable[str]) -> list[tuple[str, str]]:
    """(name, suggestion) of each ``CONTEXTC_…`` variable that nothing reads."""
    known = {*KNOWN, *settable}
    strangers = sorted(name for name in environment if name.startswith("CONTEXTC_") and name not in known)
    return [(name, suggestion(name, known)) for name in strangers]
