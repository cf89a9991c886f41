"""Families of demands on code in Go, Rust, C, Java, CSS, HTML, YAML, Dockerfiles and makefiles."""

from __future__ import annotations

from agent.cca import checks as c
from agent.cca.families.code.build import code, fixed
from agent.cca.families.family import Family

_ANY = r"."
FAMILIES: tuple[Family, ...] = (
    fixed(
        "go.no_panic", "no panic", code(r"\bpanic\(", "panic", "go"), r"panic", about=_ANY, forbids=r"rust|don't panic,"
    ),
    fixed(
        "go.no_fmt_print",
        "no fmt.Println",
        code(r"\bfmt\.Print(?:ln|f)?\(", "fmt.Print", "go"),
        r"fmt|println",
        about=_ANY,
        forbids=r"java\b|errorf",
    ),
    fixed(
        "go.wrapped_errors",
        "errors are wrapped by %w",
        c.Code(
            pattern=r"fmt\.Errorf\([^\n]*(?:%v|%s)[^\n]*\berr\)",
            language="go",
            most=0,
            strings=True,
            finds="errors that are not wrapped",
        ),
        r"%w|wrap",
        about=_ANY,
        forbids=r"column|characters|line",
    ),
    fixed(
        "go.no_ignored_errors",
        "no error is ignored",
        code(r"(?:^|,)[ \t]*_[ \t]*:?=[ \t]*\w[\w.]*\(", "ignored errors", "go"),
        r"error|_",
        about=_ANY,
        forbids=r"python|except|rust|message",
    ),
    fixed(
        "go.no_init",
        "no init functions",
        code(r"^func[ \t]+init\(\)", "init", "go"),
        r"\binit\b",
        about=_ANY,
        forbids=r"__init__|git init",
    ),
    fixed(
        "go.no_naked_return",
        "no naked returns",
        code(
            r"^func\b[^\n]*\)[ \t]*\((?:\w+[ \t]+[\w.*\[\]]+)[^\n]*\{(?:\n(?:[ \t][^\n]*)?)*\n[ \t]+return[ \t]*$",
            "naked returns",
            "go",
        ),
        r"naked|bare return|named (?:return|result)",
        about=_ANY,
    ),
    fixed("rust.no_unwrap", "no unwrap", code(r"\.(?:unwrap|expect)\(", "unwrap", "rust"), r"unwrap", about=_ANY),
    fixed(
        "rust.no_unsafe",
        "no unsafe",
        code(r"\bunsafe[ \t]*(?:\{|fn\b|impl\b)", "unsafe", "rust"),
        r"unsafe",
        about=_ANY,
        forbids=r"yaml|input",
    ),
    fixed("c.no_goto", "no goto", code(r"\bgoto[ \t]+\w+;", "goto", "c"), r"goto", about=_ANY),
    fixed(
        "java.no_sysout",
        "no System.out",
        code(r"\bSystem\.(?:out|err)\.print", "System.out", "java"),
        r"system\.out|sysout",
        about=_ANY,
    ),
    fixed(
        "java.no_wildcard",
        "no wildcard imports",
        code(r"^import[ \t]+[\w.]+\.\*;", "wildcard imports", "java"),
        r"\bjava\b.*(?:wildcard|star|\*)|(?:wildcard|star|\*).*\bjava\b|checkstyle.*\bstar",
        about=_ANY,
    ),
    fixed(
        "css.no_important",
        "no !important",
        code(r"!important\b", "!important", "css"),
        r"important",
        about=_ANY,
        forbids=r"it is important|more important|important (?:things?|points?|information)",
    ),
    fixed(
        "css.no_ids",
        "no id selectors",
        code(r"^[ \t]*#[A-Za-z][\w-]*[^{;\n]*\{", "id selectors", "css"),
        r"\bids?\b|selectors? (?:like|with) `#",
        about=_ANY,
        forbids=r"json|field|ticket",
    ),
    fixed(
        "css.no_px",
        "no px",
        code(r"\b\d+(?:\.\d+)?px\b", "px", "css"),
        r"(?:\b|\d)px\b|pixels?",
        about=_ANY,
        forbids=r"image|screenshot",
    ),
    fixed(
        "html.no_inline_style",
        "no style attributes",
        c.Code(
            pattern=r"<\w[^>\n]*\sstyle=",
            language="html",
            most=0,
            strings=True,
            comments=False,
            finds="style attributes",
        ),
        r"style|inline css",
        about=_ANY,
        forbids=r"style guide|commit|docstring",
    ),
    fixed(
        "docker.pinned",
        "base images are pinned",
        c.AllOf(
            checks=(
                code(
                    r"(?i)^[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?(?:[\w./-]+:latest\b|[\w.-]+(?:/[\w.-]+)*"
                    r"(?:[ \t]+AS\b|[ \t]*$))",
                    "images without a version",
                    "dockerfile",
                ),
                code(r"^[ \t-]*image:[ \t]*[\"']?[\w./-]+:latest\b", "images without a version", "yaml", strings=True),
            )
        ),
        r"\bfrom\b|base images?|images?|:latest|latest",
        about=_ANY,
        forbids=r"screenshot|alt text|git|npm|changelog|release",
    ),
    fixed(
        "docker.no_add",
        "COPY, no ADD",
        code(r"(?i)^[ \t]*ADD[ \t]", "ADD", "dockerfile"),
        r"\bADD\b|\bCOPY\b",
        about=_ANY,
        forbids=r"git|changelog|commit|paste",
    ),
    fixed(
        "docker.user",
        "a USER is set",
        c.Code(
            pattern=r"(?im)^[ \t]*USER[ \t]+(?:[^r0\s]|r[^o\s]|root\w)",
            language="dockerfile",
            least=1,
            where=r"(?im)^[ \t]*FROM[ \t]",
            finds="a USER",
        ),
        r"\buser\b|root",
        about=_ANY,
        forbids=r"sudo|user input|superuser command",
    ),
    fixed(
        "docker.exec_form",
        "CMD and ENTRYPOINT take a list",
        code(r"(?i)^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+[^\[\s]", "the shell form", "dockerfile"),
        r"exec form|shell form|\bCMD\b|ENTRYPOINT|json (?:array|form)",
        about=_ANY,
    ),
    fixed(
        "yaml.two_spaces",
        "YAML is indented by two spaces",
        c.Each(
            part=c.Part(kind="code", name="yaml"),
            check=c.Matches(pattern=r"^(?:  )* [^ \n#]|^\t", least=0, most=0, finds="lines indented otherwise"),
        ),
        r"ya?ml",
        about=_ANY,
    ),
    fixed(
        "yaml.quoted",
        "texts in YAML are quoted",
        code(r"^[ \t]*(?:- )?[\w.-]+:[ \t]+[A-Za-z][^\n\"'|>]*$", "bare texts", "yaml"),
        r"ya?ml.*quot|quot.*ya?ml",
        about=_ANY,
    ),
    fixed(
        "make.phony",
        "targets are .PHONY",
        c.Code(pattern=r"^\.PHONY:", language="makefile", least=1, where=r"^[\w-]+:", finds=".PHONY"),
        r"phony",
        about=_ANY,
    ),
    fixed(
        "actions.pinned",
        "actions are pinned",
        code(r"\buses:[ \t]*[\w./-]+(?:@(?:main|master|latest)\b|[ \t]*$)", "actions that are not pinned", "yaml"),
        r"actions?\b|uses:",
        about=_ANY,
        forbids=r"commit|changelog|action items",
    ),
    fixed(
        "actions.sha",
        "actions are pinned by hash",
        code(
            r"\buses:[ \t]*[\w-]+/[\w./-]+(?:@(?:[^\s0-9a-f][^\s]*|[0-9a-f]{0,39}"
            r"(?:[^0-9a-f\s][^\s]*)?)[ \t]*$|[ \t]*$)",
            "actions without a hash",
            "yaml",
        ),
        r"actions?\b|uses:",
        about=_ANY,
        numbers=True,
        forbids=r"commit message|changelog|action items",
    ),
)
