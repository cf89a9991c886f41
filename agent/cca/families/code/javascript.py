"""Families of demands on JavaScript and TypeScript."""

from __future__ import annotations

from agent.cca import checks as c
from agent.cca.families.code.build import code, fixed
from agent.cca.families.family import Family

_ANY = r"."
_JS = r"\b(?:javascript|typescript|js|ts|jsx|tsx|node|react|ecmascript|es6|front-?end)\b"
_NO = r"\b(?:no|not|never|don['’]t|avoid|without)\b(?: \w+){0,2}[- ]"
_STATEMENT = (
    r"(?:const|let|var|return|throw|import|export[ \t]+(?:default|const)|await|break"
    r"|continue)\b[^\n{}]*[\w)\]'\"`][ \t]*$"
)

FAMILIES: tuple[Family, ...] = (
    fixed(
        "js.no_var",
        "no var",
        code(r"(?:^|[;{(])[ \t]*var[ \t]+[\w${\[]", "var", "javascript"),
        r"\bvar\b",
        about=_ANY,
        forbids=r"\bgo\b|c#|java\b",
    ),
    fixed(
        "js.strict_equality",
        "=== and !== compare",
        code(r"[^=!<>]==[^=]|!=[^=]", "==", "javascript"),
        r"===|!==|three equals|strict(?: |-)equal|triple equal|loose|==",
        about=_ANY,
        forbids=r"none|null|python",
    ),
    fixed(
        "js.semicolons",
        "statements end with a semicolon",
        code(rf"^[ \t]*{_STATEMENT}", "statements without a semicolon", "javascript"),
        r"semi-?colon",
        about=_ANY,
        forbids=r"python|sql|prose|sentence|\b(?:no|without|omit\w*|drop\w*|leave (?:out|off)) (?:the |any )?semi"
        r"|\b(?:never|not|n['’]t) (?:use|write|put|add|type|end)\b",
    ),
    fixed(
        "js.no_semicolons",
        "no semicolons",
        code(r";[ \t]*$", "semicolons", "javascript"),
        r"semi-?colon",
        about=_ANY,
        forbids=r"python|sql|prose|sentence|missing",
    ),
    fixed(
        "js.no_console",
        "no console.log",
        code(r"\bconsole\.(?:log|debug|info)\(", "console.log", "javascript"),
        r"console",
        about=_ANY,
        forbids=r"block|fence|tag|shell",
    ),
    fixed(
        "js.no_then",
        "no .then chains",
        code(r"\.then\(", ".then", "javascript"),
        r"then\b|promise|async|await",
        about=_ANY,
        forbids=r"python|def\b",
    ),
    fixed(
        "js.no_default_export",
        "no default exports",
        code(
            r"^[ \t]*export[ \t]+default\b|\bas[ \t]+default\b|module\.exports[ \t]*=[ \t]*\w+;?[ \t]*$",
            "default exports",
            "javascript",
        ),
        r"export",
        about=_ANY,
    ),
    fixed(
        "js.no_require",
        "no require",
        code(r"\brequire\([ \t]*[\"'`]", "require", "javascript"),
        r"require\b|common-?js|\besm?\b|es modules?|import syntax|imported, not required",
        about=_ANY,
        forbids=r"we require|requires? that|(?<!imported, not )required",
    ),
    fixed(
        "js.arrow_functions",
        "arrow functions",
        code(r"\bfunction\b[ \t]*\w*[ \t]*\(", "function", "javascript"),
        r"arrow|\b`?function`? keyword|keyword `?function|`function`|=>",
        about=_ANY,
        forbids=r"heading|named functions|python|no arrow|never .*arrow|avoid arrow|instead of arrow",
    ),
    fixed(
        "js.no_concat",
        "template literals",
        code(r"[\"'][ \t]*\+[ \t]*[\w$.]|[\w$)][ \t]*\+[ \t]*[\"']", "texts joined by +", "javascript"),
        r"template|concat|\bglued?\b|\+|back-?tick|interpolat",
        about=_ANY,
        forbids=r"python|f-?string|sql|in backticks",
    ),
    fixed(
        "js.no_any",
        "no any",
        code(r":[ \t]*any\b|<any[>,]|\bas[ \t]+any\b|,[ \t]*any>", "any", "typescript"),
        r"\bany\b",
        about=_ANY,
        forbids=r"python|typing|any(?:thing| of| code| answer| comment| file)",
    ),
    fixed(
        "ts.no_enum",
        "no enums",
        code(r"^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?enum[ \t]+\w", "enum", "typescript"),
        r"enums?\b",
        about=_ANY,
        forbids=r"python|json|schema|field",
    ),
    fixed(
        "ts.no_assertion",
        "no non-null assertions",
        code(r"[\w)\]]!(?:[.;,)\]\[]|[ \t]*$)", "non-null assertions", "typescript"),
        r"non-?null|!|bang",
        about=_ANY,
        forbids=r"exclamation mark|commit|breaking",
    ),
    fixed(
        "ts.no_casts",
        "no casts by as",
        code(r"\bas[ \t]+(?:[A-Zusbn][\w<>\[\]]*)\b", "casts", "typescript"),
        r"\bas\b|cast|assertion",
        about=_ANY,
        forbids=r"import|alias",
    ),
    fixed(
        "ts.interface",
        "interfaces for the shapes of objects",
        code(r"^[ \t]*(?:export[ \t]+)?type[ \t]+\w+[ \t]*=[ \t]*\{", "type of an object", "typescript"),
        r"interfaces?\b",
        about=_ANY,
    ),
    fixed(
        "ts.type_alias",
        "types, no interfaces",
        code(r"^[ \t]*(?:export[ \t]+)?interface[ \t]+\w", "interface", "typescript"),
        r"interfaces?\b|type alias",
        about=_ANY,
    ),
    fixed(
        "js.single_quotes",
        "texts in single quotes",
        c.Code(
            pattern=r"(?:^|[\s(=,:\[{+])\"[^\"'\n]*\"",
            language="javascript",
            most=0,
            strings=True,
            finds="double quotes",
        ),
        rf"single.*{_JS}|{_JS}.*single|{_NO}double.*{_JS}|{_JS}.*{_NO}double|double.*{_NO}.*{_JS}",
        about=_ANY,
        forbids=r"python",
    ),
    fixed(
        "js.double_quotes",
        "texts in double quotes",
        c.Code(
            pattern=r"(?:^|[\s(=,:\[{+])'[^\"'\n]*'", language="javascript", most=0, strings=True, finds="single quotes"
        ),
        rf"double.*{_JS}|{_JS}.*double|{_NO}single.*{_JS}|{_JS}.*{_NO}single|single.*{_NO}.*{_JS}",
        about=_ANY,
        forbids=r"python",
    ),
    fixed(
        "js.no_inner_html",
        "no innerHTML",
        code(r"\.(?:innerHTML|outerHTML)[ \t]*\+?=[^=]|dangerouslySetInnerHTML", "innerHTML", "javascript"),
        r"inner ?html|dangerously",
        about=_ANY,
    ),
    fixed(
        "js.no_class_components",
        "components are functions",
        code(r"\bclass[ \t]+\w+[ \t]+extends[ \t]+(?:React\.)?(?:Pure)?Component\b", "class components", "javascript"),
        r"component",
        about=_ANY,
    ),
    fixed(
        "js.no_jquery",
        "no jQuery",
        code(r"(?:^|[^\w$])(?:\$|jQuery)(?:\(|\.\w+\()", "jQuery", "javascript"),
        r"jquery",
        about=_ANY,
    ),
    fixed(
        "js.no_nested_ternary",
        "no nested ternaries",
        code(r"\?[^\n:;?.]+:[^\n;?]*[^?]\?[^?.\n][^\n:]*:", "nested ternaries", "javascript"),
        r"ternar",
        about=_ANY,
        forbids=r"python",
    ),
    fixed(
        "js.no_for_in",
        "no for…in",
        code(r"\bfor[ \t]*\([ \t]*(?:const|let|var)[ \t]+\w+[ \t]+in\b", "for…in", "javascript"),
        r"for[ -]?[….]*[ -]?in\b|for \(.* in ",
        about=_ANY,
        forbids=r"python|example",
    ),
)
