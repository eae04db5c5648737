"""docs/guides/gym.md says what is so."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields

import pytest

pytest.importorskip("gymnasium")

import twofold
from tests.test_documents import ROOT, blocks
from twofold.envs.options import EnvOptions

PAGE = ROOT / "docs" / "guides" / "gym.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="a document of the source tree")


def test_what_the_page_shows_is_what_happens() -> None:
    text = "\n".join(block for block in blocks(PAGE, "python") if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(text, {"twofold": twofold}, PAGE.name, str(PAGE), 0)
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=options).run(test).failed == 0


def test_the_table_lists_every_option() -> None:
    section = PAGE.read_text("utf-8").split("## Options")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert set(listed) == {*(field.name for field in fields(EnvOptions)), "render_mode"}
