"""What only tests hand to code is not what the code calls, as long as anything else can be meant."""

from __future__ import annotations

from graph_helpers import resolved

LIB = """\
import io

def measured(body):
    body.tell()
    return len(body)

def called(hook):
    hook()

def opened(path):
    return measured(io.StringIO(path))
"""
TESTS = """\
from lib import called, measured

class BadFile:
    def tell(self): raise OSError

    def __len__(self): return 0

def test_measured():
    measured(BadFile())

def test_called():
    called(helper)

def helper(): pass
"""
OWN = """\
import lib

class Body:
    def tell(self): return 0

    def __len__(self): return 0

lib.measured(Body())
"""


def calls(**files: str) -> dict[tuple[str, str], str]:
    found = resolved({f"{name}.py": text for name, text in files.items()}).of("call")
    return {(src, dst): confidence for src, dst, confidence in found}


def test_a_class_of_a_test_is_possible_beside_others() -> None:
    found = calls(lib=LIB, own=OWN, test_lib=TESTS)
    assert found["lib.measured", "test_lib.BadFile.tell"] == "possible"
    assert found["lib.measured", "test_lib.BadFile.__len__"] == "possible"
    assert found["lib.measured", "own.Body.tell"] == "likely"
    assert found["lib.measured", "own.Body.__len__"] == "likely"


def test_what_tests_alone_hand_over_stays_likely_where_flow_proves_nothing_else() -> None:
    assert calls(lib=LIB, test_lib=TESTS)["lib.called", "test_lib.helper"] == "likely"


def test_tests_call_their_own_classes() -> None:
    inside = calls(test_all=LIB + TESTS.replace("from lib import called, measured\n", ""))
    assert inside["test_all.measured", "test_all.BadFile.tell"] == "likely"


def test_code_does_not_refer_to_what_only_a_test_hands_over() -> None:
    lib = "class Mount:\n    def __init__(self, app):\n        self.base = app\n        self.app = self.base\n"
    tests = "from lib import Mount\n\ndef app(): pass\n\ndef test_mount():\n    Mount(app)\n"
    found = resolved({"lib.py": lib, "test_lib.py": tests}).of("reference")
    assert {(src, confidence) for src, dst, confidence in found if dst == "test_lib.app"} == {
        ("lib.Mount.__init__", "possible"),
        ("test_lib.test_mount", "certain"),
    }


def test_a_name_that_many_callers_fill_refers_to_each_possibly() -> None:
    lib = "class Keep:\n    def __init__(self, app):\n        self.base = app\n        self.app = self.base\n"
    few = "".join(f"def app{n}(): pass\nKeep(app{n})\n" for n in range(3))
    many = "".join(f"def app{n}(): pass\nKeep(app{n})\n" for n in range(7))

    def told(calls: str) -> set[str]:
        found = resolved({"lib.py": lib, "own.py": "from lib import Keep\n" + calls}).of("reference")
        return {confidence for src, _dst, confidence in found if src == "lib.Keep.__init__"}

    assert told(few) == {"likely"}
    assert told(many) == {"possible"}
