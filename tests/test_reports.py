"""docs/explanation/reports.md and the catalogues agree on which report each player and evaluation comes from."""

import re
from pathlib import Path

import pytest

from twofold.evaluation.registry import list_evaluations
from twofold.players.registry import list_players
from twofold.registry import Info

PAGE = (Path(__file__).parents[1] / "docs" / "explanation" / "reports.md").read_text("utf-8")


def rows(number: int) -> dict[str, str]:
    """Cells of a column of the page's second table, by report."""
    table = PAGE[PAGE.index("| from |") :].partition("\n\n")[0]
    return {line[2:4]: line.split("|")[number] for line in table.splitlines() if re.match(r"\| S\d ", line)}


@pytest.mark.parametrize(("column", "infos"), [(2, list_players()), (3, list_evaluations())])
def test_every_source_is_on_the_page(column: int, infos: tuple[Info, ...]) -> None:
    page = {report: set(re.findall(r"`([^`]+)`", cell)) for report, cell in rows(column).items()}
    assert set(page) == {"S0", "S1", "S2", "S3", "S4"}
    for report, named in page.items():
        sourced = {info.name for info in infos if re.search(rf"\b{report}\b", info.source)}
        assert named == sourced, report
    assert all(report in PAGE for report in page)
