"""The Python tabs of the documents, page by page, as they stand there: each prints what the page says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
GROUP = re.compile(r"<!-- tabs -->\n(.*?)<!-- /tabs -->\n(?:\n```text\n(.*?)```)?", re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "<!-- tabs -->" in page.read_text(encoding="utf-8")]


def test_there_are_pages_with_tabs():
    assert DOCS / "tutorial.md" in PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_tabs_say_what_the_page_shows(page):
    names = {}
    for tabs, expected in GROUP.findall(page.read_text(encoding="utf-8")):
        for code in re.findall(r"```python\n(.*?)```", tabs, re.DOTALL):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, page.name, "exec"), names)
            for line in filter(None, map(str.strip, expected.splitlines())):
                assert line in printed.getvalue()
