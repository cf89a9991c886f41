"""Path filters for search: gitignore-like globs, matched segment by segment in linear time per pattern segment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class PathFilters:
    """Which paths a search may return: any of ``include`` (all when empty) and none of ``exclude``."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @classmethod
    def from_patterns(cls, patterns: Iterable[str]) -> PathFilters:
        """Build from command-line patterns; one that starts with ``!`` excludes."""
        include: list[str] = []
        exclude: list[str] = []
        for pattern in patterns:
            stripped = pattern.strip()
            target = exclude if stripped.startswith("!") else include
            body = stripped.lstrip("!").strip()
            if body:
                target.append(body)
        return cls(tuple(include), tuple(exclude))

    def __bool__(self) -> bool:
        return bool(self.include or self.exclude)

    def allows(self, path: str) -> bool:
        if self.include and not any(glob_matches(pattern, path) for pattern in self.include):
            return False
        return not any(glob_matches(pattern, path) for pattern in self.exclude)


def glob_matches(pattern: str, path: str) -> bool:
    """Whether ``pattern`` names ``path`` or a folder above it.

    ``*``, ``?`` and ``[...]`` stay inside one path segment, ``**`` crosses segments. A pattern without a slash matches
    the file name or any folder name; one with a slash is anchored at the root; a trailing slash names folders only.
    """
    folder_only = pattern.endswith("/")
    cleaned = pattern.removeprefix("./").strip("/")
    if not cleaned:
        return pattern.strip("./") == ""
    segments = path.split("/")
    folders = segments[:-1]
    if "/" not in cleaned and not pattern.startswith("/"):
        matcher = _segment_matcher(cleaned)
        return any(matcher.match(segment) for segment in (folders if folder_only else segments))
    wanted = cleaned.split("/")
    last = len(segments) - 1 if folder_only else len(segments)
    # The pattern may name a folder: then everything below it matches, as if it ended in "/**".
    return _segments_match(wanted, segments[:last], open_end=True)


def _segments_match(wanted: Sequence[str], segments: Sequence[str], open_end: bool) -> bool:
    """Greedy wildcard matching over segments with one backtrack point: O(len(wanted) * len(segments))."""
    at, seen, star, star_seen = 0, 0, -1, 0
    while True:
        if at == len(wanted) and (open_end or seen == len(segments)):
            return True
        if at < len(wanted) and wanted[at] == "**":
            star, star_seen, at = at, seen, at + 1
            if at == len(wanted):
                return seen < len(segments)  # "src/**" is what lies below src, not src itself
        elif at < len(wanted) and seen < len(segments) and _segment_matcher(wanted[at]).match(segments[seen]):
            at, seen = at + 1, seen + 1
        elif star >= 0 and star_seen < len(segments):
            star_seen += 1
            at, seen = star + 1, star_seen
        else:
            return False


@lru_cache(maxsize=256)
def _segment_matcher(segment: str) -> re.Pattern[str]:
    # fnmatch's translation commits to the shortest match of each star, so it does not backtrack.
    return re.compile(translate(segment))
