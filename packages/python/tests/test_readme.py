"""The example of the repository's README, as it stands there."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parents[3] / "README.md"


def test_the_example_says_what_it_shows():
    [example] = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "README.md", "exec"), {})
    assert "Thursdays" in printed.getvalue()
    assert "Tuesdays" not in printed.getvalue()
