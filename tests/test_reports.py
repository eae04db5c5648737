"""docs/explanation/reports.md and the catalogues agree on which report each player and evaluation comes from."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from twofold.arena.seed_tables import table
from twofold.arena.tables import section_table, unplayed
from twofold.evaluation.registry import list_evaluations
from twofold.players.registry import list_players
from twofold.registry import Info
from twofold.ui.cli.app import app

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "explanation" / "reports.md").read_text("utf-8")


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


def figures() -> list[list[str]]:
    """The rows of the tables of figures: where, printed, command, here, page."""
    text = PAGE[PAGE.index("## Their figures") :]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows if row[0].strip() != "where"]


def commands() -> list[str]:
    found = [re.findall(r"`([^`]+)`", row[2]) for row in figures()]
    return sorted({command.replace("\\|", "|") for row in found for command in row})


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_page_is_one(command: str) -> None:
    words = shlex.split(command)
    if words[:2] == ["python", "-m"]:
        source = (
            Path(__file__).parents[1].joinpath(*words[2].split(".")).with_suffix(".py").read_text("utf-8")
        )
        assert all(word in source for word in words[3:] if word.startswith("--"))
        return
    group: Any = typer.main.get_command(app)
    while hasattr(group, "commands"):
        group = group.commands[words.pop(0)]
    known = {option for parameter in group.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known
    if group.name == "table":
        section = int(words[words.index("--section") + 1])
        assert 1 <= section <= len(table(words[0]).sections)


def test_figures_of_the_page_are_those_of_the_results() -> None:
    lost = []
    for _, _, _, here, page in figures():
        (link,) = re.findall(r"\]\(([^)]+)\)", page)
        text = (DOCS / "explanation" / link).read_text("utf-8")
        numbers = re.findall(r"(?<![\w^.,])\d+(?:,\d{3})*(?:\.\d+)?(?: %)?(?!\w)", here)
        lost += [(link, number) for number in numbers if len(number) > 1 and number not in text]
    assert lost == []


@pytest.mark.parametrize("name", ["s0", "s1", "s2", "s3", "s4"])
def test_a_page_has_the_texts_and_rows_of_its_table(name: str) -> None:
    page = (DOCS / "results" / f"{name}.md").read_text("utf-8")
    parts = page.split("\n## ")
    assert f"# {table(name).title}\n" in parts[0]
    assert table(name).text in parts[0]
    for part, section in zip(parts[1:], table(name).sections, strict=True):
        assert part.startswith(section.title + "\n")
        assert section.text in part
        wanted = section_table(section, [unplayed(line) for line in section.lines])
        lines = [line for line in part.partition("\n\n![")[0].splitlines() if line.startswith("|")]
        found = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
        given = [
            i for i, title in enumerate(wanted[0]) if title in ("", "player", "report") or section.counts
        ]
        assert found[0] == wanted[0]
        assert len(found) > len(wanted)  # a line of dashes more; the boards of S3 follow
        for row, row_found in zip(wanted[1:], found[2:], strict=False):
            assert [row[i] for i in given] == [row_found[i].replace("\\|", "|") for i in given]


def test_every_section_of_a_table_is_on_the_page() -> None:
    told = {command for command in commands() if command.startswith("arena table")}
    for name in ("s0", "s1", "s2", "s3", "s4"):
        for number, section in enumerate(table(name).sections, 1):
            named = f"arena table {name} --section {number}" in told
            assert named or section.title == "Cost and size of the board", (name, number)
