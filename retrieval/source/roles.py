"""What a file is, judged by its path alone: its language and its role. Pure, and by whole path components.

``latest/`` and ``contest.py`` are not tests: a component counts only when all of it matches.
"""

from __future__ import annotations

import re

from retrieval.records import Role


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EXTENSIONS = {
    "python": "py pyi pyw",
    "cython": "pyx pxd pxi",
    "markdown": "md markdown mdx mkd mdown",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc",
    "toml": "toml",
    "ini": "ini cfg conf cnf properties editorconfig desktop service flake8 pylintrc coveragerc gitconfig env",
    "yaml": "yaml yml",
    "json": "json json5 jsonc webmanifest",
    "xml": "xml xsd xsl xslt plist",
    "html": "html htm xhtml jinja jinja2 j2 djhtml mako mustache hbs vue svelte",
    "css": "css scss sass less",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts tsx mts cts",
    "go": "go",
    "rust": "rs",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx cu cuh",
    "csharp": "cs",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala sc",
    "swift": "swift",
    "ruby": "rb rake gemspec",
    "php": "php",
    "perl": "pl pm",
    "lua": "lua",
    "r": "r",
    "julia": "jl",
    "haskell": "hs",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "clojure": "clj cljs cljc edn",
    "dart": "dart",
    "shell": "sh bash zsh fish ksh bats",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "sql": "sql",
    "graphql": "graphql gql",
    "protobuf": "proto",
    "terraform": "tf hcl",
    "nix": "nix",
    "starlark": "bzl star bazel",
    "cmake": "cmake",
    "make": "mk mak",
    "tex": "tex sty cls",
    "csv": "csv tsv",
    "notebook": "ipynb",
}
_BY_EXTENSION = {ext: language for language, exts in _EXTENSIONS.items() for ext in exts.split()}
_BY_NAME = {
    "makefile": "make",
    "gnumakefile": "make",
    "justfile": "make",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "vagrantfile": "ruby",
    "jenkinsfile": "groovy",
    "procfile": "yaml",
    "pipfile": "toml",
    "build": "starlark",
    "workspace": "starlark",
    "sconstruct": "python",
    "sconscript": "python",
    "wscript": "python",
    "setup.cfg": "ini",
    ".pylintrc": "ini",
    ".coveragerc": "ini",
    ".flake8": "ini",
    ".gitmodules": "ini",
    ".gitconfig": "ini",
    ".editorconfig": "ini",
    ".clang-format": "yaml",
    ".prettierrc": "json",
    ".eslintrc": "json",
    ".babelrc": "json",
}

_DOCUMENT_STEMS = _words(
    "readme changelog changes history news license licence copying notice authors contributors contributing "
    "maintainers security install hacking todo roadmap release_notes releases code_of_conduct copyright thanks"
)
_CONFIG_LANGUAGES = frozenset({"toml", "ini", "yaml", "json", "dockerfile", "make", "cmake", "xml"})
_DOCUMENT_LANGUAGES = frozenset({"markdown", "rst", "asciidoc", "tex"})
_DATA_LANGUAGES = frozenset({"csv", "notebook"})
_CONFIG_NAMES = _words(
    "manifest.in gitignore gitattributes dockerignore gitmodules npmignore python-version tool-versions nvmrc "
    "mailmap codeowners procfile gitkeep py.typed runtime.txt constraints.txt"
)
_PROSE = frozenset({"", "text"})

_TEST_FOLDERS = frozenset({"tests", "__tests__", "testdata", "test_data", "test-data", "testsuite"})
_TEST_FOLDER = re.compile(r"[a-z0-9_]{1,64}[_-]tests")
_DOC_FOLDERS = frozenset({"doc", "docs", "documentation", "man", "manual"})
_EXAMPLE_FOLDERS = frozenset(
    {"example", "examples", "samples", "demo", "demos", "docs_src", "cookbook", "tutorials", "benchmarks", "benches"}
)
_TEST_MODULE = re.compile(r"(?:test_.*|.*_test|.*_tests|tests|conftest)")
_TEST_SCRIPT = re.compile(r".*[._](?:test|tests|spec)")
_JAVA_TEST = re.compile(r".*(?:Test|Tests|IT)|Test[A-Z].*")


def _split(path: str) -> tuple[str, str, str]:
    """(name, stem, extension) of the last component; the stem is without the last extension, both lower case."""
    name = path.rpartition("/")[2].lower()
    stem, dot, extension = name.rpartition(".")
    return (name, stem, extension) if dot and stem else (name, name, "")


def language_of(path: str) -> str:
    """The language that a path's name announces; ``text`` when it announces none.

    ``.txt`` below a documentation folder is reStructuredText by custom (Django and Python write it so), and plain
    prose reads the same under its rules.
    """
    name, stem, extension = _split(path)
    known = _BY_NAME.get(name)
    if known:
        return known
    known = _BY_EXTENSION.get(extension)
    if known:
        return known
    if stem in ("dockerfile", "makefile", ".env"):  # Dockerfile.dev, .env.example
        return {"dockerfile": "dockerfile", "makefile": "make", ".env": "ini"}[stem]
    if name == ".env":
        return "ini"
    if extension == "txt" and not name.startswith(("requirements", "constraints")):
        folders = path.lower().split("/")[:-1]
        if not _DOC_FOLDERS.isdisjoint(folders):
            return "rst"
    return "text"


def role_of(path: str, language: str) -> Role:
    """The role that a path gives to a file: tests, then prose, examples, documentation folders, configuration.

    A folder named ``test`` in the singular counts at the top of the tree, for files that are not Python, and for Python
    files that are named like tests: below a package it is often the package's own test *framework*
    (``django/test/client.py``).
    """
    *folders, name = path.lower().split("/")
    _, stem, extension = _split(name)
    if _is_test(path, folders, stem, extension, language):
        return Role.TEST
    if language in _DOCUMENT_LANGUAGES:
        return Role.DOC
    if not _EXAMPLE_FOLDERS.isdisjoint(folders):
        return Role.EXAMPLE
    if not _DOC_FOLDERS.isdisjoint(folders):
        return Role.DOC
    bare = name.lstrip(".")
    if bare in _CONFIG_NAMES or (name.startswith(("requirements", "constraints")) and extension in ("txt", "in")):
        return Role.CONFIG
    if language in _CONFIG_LANGUAGES:
        return Role.CONFIG
    if language in _DATA_LANGUAGES:
        return Role.DATA
    if language in _PROSE:
        if stem in _DOCUMENT_STEMS or extension == "txt":
            return Role.DOC
        if name.startswith("."):
            return Role.CONFIG
    return Role.CODE  # unknown extensions too: templates, grammars and scripts say most about a program


def _is_test(path: str, folders: list[str], stem: str, extension: str, language: str) -> bool:
    if language == "python" and _TEST_MODULE.fullmatch(stem):
        return True
    if language in ("javascript", "typescript", "go", "ruby", "dart", "elixir") and _TEST_SCRIPT.fullmatch(stem):
        return True
    if language in ("java", "kotlin", "scala", "csharp"):
        original = path.rpartition("/")[2].rpartition(".")[0]
        if _JAVA_TEST.fullmatch(original) or "test" in folders:
            return True
    if any(folder in _TEST_FOLDERS or _TEST_FOLDER.fullmatch(folder) for folder in folders):
        return True
    if "test" in folders:
        return folders[0] == "test" or language not in ("python", "cython")
    return not folders and language == "python" and stem == "test"
