"""How a value was found, as one small integer: the worst step on the way to it decides confidence and rule.

Values are joined by the smaller number and passed on through a step by the larger, so that the two operations form a
lattice and a result does not depend on the order of evaluation.
"""

from __future__ import annotations

from retrieval.records import Confidence

LOCAL = 0
IMPORT = 1
BUILTIN = 2
MODULE = 3
SUPER = 5
CLASS = 6
INSTANCE = 7
ASSIGNED = 9
LAMBDA = 10
OPERATOR = 11
RAISED = 12
#: The receiver is of the class around or of one below it: the least of what is certain, so that no step hides it.
SELF = 19
DECORATED = 20
PROPERTY = 21
ATTRIBUTE = 22
RETURN = 24
CONTAINER = 25
MULTI = 26
ARGUMENT = 27
DEFAULT = 28
CONTEXT = 29
PASSED = 30
FIXTURE = 31
HOOK = 32
INHERITED_EXTERNAL = 33
#: The value is of the class named or of one below it; further steps hide it as little.
ANNOTATION = 34
STAR_EXTERNAL = 40
PASSED_POSSIBLE = 41
WRAPPED = 42
MANY = 43
#: A definition of a test file, for code that is no test and has other definitions to call there.
FROM_TESTS = 44

RULES: dict[int, tuple[Confidence, str]] = {
    LOCAL: (Confidence.CERTAIN, "local-scope"),
    IMPORT: (Confidence.CERTAIN, "import"),
    BUILTIN: (Confidence.CERTAIN, "builtin"),
    MODULE: (Confidence.CERTAIN, "module-attribute"),
    SELF: (Confidence.CERTAIN, "self-mro"),
    SUPER: (Confidence.CERTAIN, "super-mro"),
    CLASS: (Confidence.CERTAIN, "class-mro"),
    INSTANCE: (Confidence.CERTAIN, "instance"),
    INHERITED_EXTERNAL: (Confidence.LIKELY, "external-base"),
    ASSIGNED: (Confidence.CERTAIN, "assignment"),
    LAMBDA: (Confidence.CERTAIN, "lambda"),
    OPERATOR: (Confidence.CERTAIN, "operator"),
    RAISED: (Confidence.CERTAIN, "raise"),
    DECORATED: (Confidence.LIKELY, "decorated"),
    PROPERTY: (Confidence.LIKELY, "property"),
    ATTRIBUTE: (Confidence.LIKELY, "attribute-assignment"),
    ANNOTATION: (Confidence.LIKELY, "annotation"),
    RETURN: (Confidence.LIKELY, "return-value"),
    CONTAINER: (Confidence.LIKELY, "container"),
    MULTI: (Confidence.LIKELY, "several-bindings"),
    ARGUMENT: (Confidence.LIKELY, "argument"),
    DEFAULT: (Confidence.LIKELY, "default-value"),
    CONTEXT: (Confidence.LIKELY, "context-manager"),
    PASSED: (Confidence.LIKELY, "passed-callable"),
    FIXTURE: (Confidence.LIKELY, "fixture"),
    HOOK: (Confidence.LIKELY, "attribute-hook"),
    STAR_EXTERNAL: (Confidence.POSSIBLE, "star-import"),
    PASSED_POSSIBLE: (Confidence.POSSIBLE, "passed-callable"),
    WRAPPED: (Confidence.POSSIBLE, "decorated"),
    MANY: (Confidence.POSSIBLE, "one-of-many"),
    FROM_TESTS: (Confidence.POSSIBLE, "from-tests"),
}

#: What leaves open whether a receiver is of the class known or of one below it.
OPEN = frozenset({SELF, ANNOTATION})
#: Rule of the possible edges to what such a call runs instead.
OVERRIDE = "override"
