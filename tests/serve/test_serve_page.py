"""The page in headless Chromium: ask, read, open a citation's lines; by keyboard, narrow, dark; nothing hostile runs.

Skipped where Playwright or Chromium is missing: pip install -e '.[browser]', and the system's own Chromium.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from headless_chromium import CHROMIUM, FLAGS
from scripted_server import serving, streams
from serve_helpers import TOKEN, Running, running, silent_until_closed, wait_until, write

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield found
        found.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    base = tmp_path_factory.mktemp("page")
    root = write(base / "tree")
    long = "".join(f"value_{number} = {number}\n" for number in range(1, 901))
    (root / "shop/long.py").write_text(long + '\n\ndef deep_down():\n    """Far from the top."""\n    return value_1\n')
    with running(root, "-q", env={"CONTEXTC_CACHE_DIR": str(base / "cache")}) as found:
        yield found


@pytest.fixture
def page(browser: Any, server: Running) -> Iterator[Any]:
    yield from opened(browser, server)


def opened(browser: Any, server: Running, **options: Any) -> Iterator[Any]:
    """A page that is open with its token; whatever it complains of fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, **options)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("dialog", lambda dialog: (faults.append("dialog"), dialog.dismiss()))
    page.on(
        "request", lambda request: None if request.url.startswith((server.url, "data:")) else faults.append(request.url)
    )
    page.goto(server.told["page"])
    page.locator("#ask").wait_for()
    yield page
    context.close()
    # Playwright's own probes evaluate a string, which the page's policy blocks and reports.
    assert [fault for fault in faults if "TrustedScript" not in fault] == []


def ask(page: Any, question: str) -> None:
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")
    page.locator("#progress", has_text="Answered").wait_for()


def test_an_answer_shows_its_citations_and_its_evidence(page: Any) -> None:
    ask(page, "who calls price_of")
    text = page.locator("#text").inner_text()
    assert "price_of" in text and "Cart.total" in text
    assert page.locator("#asked").inner_text() == "who calls price_of"
    assert "supported" in page.locator("#checks").inner_text()
    cards = page.locator("#evidence .card")
    assert cards.count() >= 2
    first = cards.nth(0).inner_text()
    assert "tokens" in first and "#" in first and "score" in first
    page.get_by_role("tab", name="Budget").click()
    told = page.locator("#budgeter").inner_text()
    assert "of 4,000 tokens used" in told and "Kept whole" in told
    page.get_by_role("tab", name="Rot").click()
    assert page.locator("#rot").inner_text()


def test_code_that_holds_backticks_is_one_span_without_them(page: Any) -> None:
    spans = page.evaluate("""async () => {
      const { render } = await import("/answer.js");
      const text = "set to ``True`` as `` say `x` now `` [1:2] and ``` a ``b`` ``` or `plain`";
      const box = document.createElement("div");
      box.append(render(text, () => null, () => {}));
      return [[...box.querySelectorAll("code")].map((each) => each.textContent), box.textContent];
    }""")
    assert spans[0] == ["True", "say `x` now", "a ``b``", "plain"]
    assert spans[1] == "set to True as say `x` now [1:2] and a ``b`` or plain"


def test_a_citation_opens_its_file_with_the_lines_marked(page: Any, server: Running) -> None:
    ask(page, "where is deep_down defined")
    cite = page.locator("#text button.cite").first
    assert "shop/long.py" in cite.get_attribute("aria-label")
    cite.click()
    marked = page.locator("#file .line.marked")
    marked.first.wait_for()
    assert "def deep_down" in marked.first.inner_text()
    assert marked.first.locator(".at").get_attribute("data-at") == "903"
    assert marked.first.is_visible()
    box, frame = marked.first.bounding_box(), page.locator("#file .code").bounding_box()
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"]  # scrolled to
    assert page.get_by_role("tab", name="File").get_attribute("aria-selected") == "true"
    before = page.locator("#file .line").count()
    page.get_by_role("button", name="Show earlier lines").click()
    page.locator("#file .line .at[data-at='700']").wait_for()
    assert page.locator("#file .line").count() == before + 200
    numbers = [int(each.get_attribute("data-at")) for each in page.locator("#file .line .at").all()]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_it_works_by_keyboard_alone(page: Any) -> None:
    assert page.evaluate("() => document.activeElement.id") == "question"
    page.keyboard.type("who calls price_of")
    page.keyboard.press("Enter")
    page.locator("#progress", has_text="Answered").wait_for()
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.className") == "cite":
            break
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label.startswith("Evidence")
    page.keyboard.press("Enter")
    page.locator("#file .line.marked").first.wait_for()
    assert page.evaluate("() => document.activeElement.closest('#file') !== null")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == label
    page.locator("#tab-evidence").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.id") == "tab-budget"
    assert page.locator("#budgeter").is_visible() and not page.locator("#evidence").is_visible()
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "question"


@pytest.mark.parametrize(
    "question", ["what does render_banner return", "where is odd_name defined", "<img src=x onerror=alert(1)> price_of"]
)
def test_nothing_hostile_runs(page: Any, question: str) -> None:
    """File names, comments, docstrings and the question itself are text."""
    ask(page, question)
    for tab in ("Budget", "Rot", "Evidence"):
        page.get_by_role("tab", name=tab).click()
    for each in page.locator("#evidence details").all():
        each.locator("summary").click()
    if page.locator("#text button.cite").count():
        page.locator("#text button.cite").first.click()
        page.locator("#file .line.marked").first.wait_for()
    assert page.locator("#result img, #result script, #result b[onmouseover]").count() == 0
    assert page.title() == "tree – contextc"


def test_a_piece_of_evidence_leads_to_the_next_question(page: Any) -> None:
    ask(page, "where is price_of defined")
    page.locator("#evidence .card", has_text="price_of").first.get_by_role("button", name="Who calls it?").click()
    page.locator("#asked", has_text="who calls shop.prices.price_of").wait_for()
    page.locator("#text", has_text="Cart.total").wait_for()


def test_an_injection_is_shown_as_rot(page: Any) -> None:
    ask(page, "what does render_banner return")
    page.get_by_role("tab", name="Rot").click()
    assert "injection" in page.locator("#rot .card").first.inner_text()


def test_the_token_leaves_the_address_and_stays_with_the_tab(page: Any, server: Running) -> None:
    assert page.url == f"{server.url}/"
    page.reload()
    page.locator("#ask").wait_for()
    assert TOKEN not in page.content()


def test_without_a_token_it_asks_for_one(browser: Any, server: Running) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url)
    page.locator("#token").fill("not-this-one-at-all")
    page.keyboard.press("Enter")
    page.locator("#login-why", has_text="not this server's").wait_for()
    page.locator("#token").fill(TOKEN)
    page.keyboard.press("Enter")
    page.locator("#ask").wait_for()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_needs_no_sideways_scrolling(browser: Any, server: Running, scheme: str) -> None:
    for page in opened(browser, server, color_scheme=scheme):
        page.set_viewport_size({"width": 320, "height": 640})
        ask(page, "who calls price_of")
        page.locator("#text button.cite").first.click()
        page.locator("#file .line.marked").first.wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
        colours = page.evaluate(
            "() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; }"
        )
        back, text = (luminance(colour) for colour in reversed(colours))
        assert (back < text) == (scheme == "dark")
        assert (max(back, text) + 0.05) / (min(back, text) + 0.05) > 7  # contrast, WCAG AAA


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)``, WCAG 2."""
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_roles_name_what_a_screen_reader_needs(page: Any) -> None:
    ask(page, "who calls price_of")
    for role, name in (
        ("search", "Ask about this tree"),
        ("textbox", "Question about this tree"),
        ("article", "who calls price_of"),
        ("tablist", "What the answer rests on"),
        ("tabpanel", "Evidence"),
    ):
        assert page.get_by_role(role, name=name).count() >= 1, role
    assert page.locator("#progress[role=status]").count() == 1
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('button')].filter((b) => !b.textContent.trim() && !b.getAttribute('aria-label')).length"
    )
    assert unnamed == 0


def test_a_models_answer_streams_and_marks_what_fails(browser: Any, tmp_path: Path) -> None:
    root = write(tmp_path / "tree")
    script = streams("Cart.total calls `price_of` [1]", ".\n\nIt is **free** [99].")
    with serving(script) as model, running(root, "-q", "--base-url", model.base_url, "--model", "m") as server:
        for page in opened(browser, server):
            ask(page, "who calls price_of")
            assert "[unsupported]" in page.locator("#text mark").first.inner_text()
            assert page.locator("#text strong").inner_text() == "free"
            assert "openai" in page.locator("#checks").inner_text()
            assert page.locator("#checks", has_text="Not supported").count() == 1


def test_stopping_an_answer_ends_the_request_and_asking_goes_on(browser: Any, tmp_path: Path) -> None:
    gone = threading.Event()
    script = (silent_until_closed(gone), streams("`price_of` [1]."))
    root = write(tmp_path / "tree")
    with serving(*script) as model, running(root, "-q", "--base-url", model.base_url, "--model", "m") as server:
        for page in opened(browser, server):
            page.locator("#question").fill("who calls price_of")
            page.keyboard.press("Enter")
            assert wait_until(lambda: bool(model.requests))
            page.locator("#stop").click()
            page.locator("#progress", has_text="Stopped").wait_for()
            assert gone.wait(20)
            ask(page, "where is price_of defined")
            assert "price_of" in page.locator("#text").inner_text()


def test_lines_that_moved_since_the_answer_are_told(browser: Any, tmp_path: Path) -> None:
    root = write(tmp_path / "tree")
    with running(root, "-q") as server:
        for page in opened(browser, server):
            ask(page, "where is price_of defined")
            (root / "shop/prices.py").write_text("# moved\n" * 3 + (root / "shop/prices.py").read_text())
            for _ in range(100):  # until the index has followed
                page.locator("#text button.cite").first.click()
                page.locator("#file .line.marked").first.wait_for()
                told = page.locator("#file .warn").all_inner_texts()
                if any("indexed anew" in text for text in told):
                    break
                assert not told or "changed" in told[0]
                page.wait_for_timeout(100)
            assert any("indexed anew" in text for text in told)


def test_a_failing_server_is_told_and_asking_goes_on(browser: Any, tmp_path: Path) -> None:
    root = write(tmp_path / "tree")
    with running(root, "-q") as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.told["page"])
        page.locator("#ask").wait_for()
        server.stop()
        page.locator("#question").fill("who calls price_of")
        page.keyboard.press("Enter")
        page.locator("#problem", has_text="does not answer").wait_for()
        assert page.locator("#submit").is_visible()
        context.close()
