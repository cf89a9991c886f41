"""``python -m harness.ir``: the same as ``contextc bench ir``."""

from __future__ import annotations

import sys

from agent.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["bench", "ir", *sys.argv[1:]]))
