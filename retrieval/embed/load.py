"""From the name a user gives (``--embedder``) to an embedder."""

from __future__ import annotations

from retrieval.embed.base import Embedder
from retrieval.errors import UserError

SPECS = (
    "default",
    "none",
    "openai:MODEL",
    "wordllama",
    "model2vec:FOLDER",
    "sentence-transformers:FOLDER",
    "chroma-default",
)


def load_embedder(spec: str = "default", base_url: str | None = None) -> Embedder | None:
    """The embedder that ``spec`` names; None for ``none``. Nothing is dialled.

    Args:
        spec: One of SPECS (``static`` is another name for ``default``), or a plugin's ``NAME`` or ``NAME:DETAIL``. Only
            what the spec needs is imported.
        base_url: For ``openai:MODEL``; None leaves it to the environment.

    Raises:
        UserError: An unknown spec, a missing package, key or model folder, or unreadable model files.
    """
    kind, _, detail = spec.partition(":")
    match kind, bool(detail):
        case (("default" | "static"), False):
            from retrieval.embed.static import StaticEmbedder

            return StaticEmbedder()
        case "none", False:
            return None
        case "openai", True:
            from retrieval.embed.remote import OpenAIEmbedder

            return OpenAIEmbedder(detail, base_url)
        case (("wordllama" | "chroma-default"), False):
            from retrieval.embed import local_models

            return local_models.wordllama() if kind == "wordllama" else local_models.chroma_default()
        case (("model2vec" | "sentence-transformers"), True):
            from retrieval.embed import local_models

            return local_models.model2vec(detail) if kind == "model2vec" else local_models.sentence_transformers(detail)
    from retrieval.embed.plugin import load_plugin_embedder, plugin_names

    found = load_plugin_embedder(kind, detail)
    if found is None:
        known = (*SPECS, *plugin_names())
        raise UserError(f"There is no embedder {spec!r}.", f"Choose one of: {', '.join(known)}.")
    return found
