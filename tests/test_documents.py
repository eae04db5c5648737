"""The examples of README.md, CONTRIBUTING.md and the package's docstring do what they say."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer.main

import twofold
from tests.ui.command import PROGRESS
from twofold.evaluation.registry import list_evaluations
from twofold.ui.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [path for name in ("README.md", "CONTRIBUTING.md") if (path := ROOT / name).exists()]
GENERATED = {ROOT / "docs" / "reference" / f"{name}.md" for name in ("cli", "players", "evaluations")}
"""Pages that `make docs` writes from the package."""
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def blocks(path: Path, kind: str) -> list[str]:
    """The fenced blocks of one kind."""
    return [text for name, text in _FENCE.findall(path.read_text("utf-8")) if name == kind]


def console_examples() -> list[tuple[str, str]]:
    """Pairs (command, what it prints) of all console blocks."""
    found = []
    for path in DOCUMENTS:
        for block in blocks(path, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((command, output))
    return found


@pytest.mark.parametrize("example", console_examples(), ids=lambda example: example[0][:50])
def test_shell_examples(example: tuple[str, str]) -> None:
    command, expected = example
    program, *arguments = shlex.split(command)
    assert program == "twofold"
    done = subprocess.run(
        [sys.executable, "-m", "twofold", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    told = [
        line for line in done.stderr.splitlines() if line and not line.startswith("unpacking the network")
    ]
    assert (done.returncode, [line for line in told if not line.endswith(PROGRESS)]) == (0, [])
    assert doctest.OutputChecker().check_output(expected, done.stdout, _OPTIONS), done.stdout


def commands() -> list[str]:
    """All commands of twofold in the blocks of README.md, tutorials and guides."""
    pages = [
        *DOCUMENTS,
        *(ROOT / "docs" / "tutorials").glob("*.md"),
        *(ROOT / "docs" / "guides").glob("*.md"),
    ]
    text = "\n".join(found for path in pages for _, found in _FENCE.findall(path.read_text("utf-8")))
    return sorted(set(re.findall(r"^(?:\$ )?twofold (.*)$", text.replace("\\\n", " "), re.MULTILINE)))


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="documents of the source tree")
def test_every_command_has_the_options_that_pages_name() -> None:
    found = commands()
    assert len(found) > 50
    wrong, root = [], typer.main.get_command(app)
    for command in found:
        words = shlex.split(command, comments=True)
        group: Any = root
        while hasattr(group, "commands"):
            group = group.commands[words.pop(0)]
        known = {name for option in group.params for name in (*option.opts, *option.secondary_opts)}
        wrong += [(command, word) for word in words if word.startswith("--") and word not in known]
    assert wrong == []


def test_python_examples() -> None:
    for path in DOCUMENTS:
        text = "\n".join(block for block in blocks(path, "python") if block.startswith(">>>"))
        test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
        assert doctest.DocTestRunner(optionflags=_OPTIONS).run(test).failed == 0


def test_the_example_of_the_package() -> None:
    assert twofold.__doc__ is not None
    test = doctest.DocTestParser().get_doctest(twofold.__doc__, {}, "twofold", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").exists(), reason="a document of the source tree")
def test_the_example_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = blocks(ROOT / "CONTRIBUTING.md", "python")
    (tmp_path / "my_player.py").write_text(source, "utf-8")
    monkeypatch.chdir(tmp_path)
    twofold.check_player("my_player.py:Corner:first=DOWN")


def test_links_lead_somewhere() -> None:
    pages = [path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts]
    for path in [*DOCUMENTS, *pages]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
            there = (path.parent / target).resolve()
            known = target.startswith("https://") or there.exists() or there in GENERATED
            assert known, (path.name, target)


# Those whose formula is a sentence.
PROSE = {
    "players": ["default", "endgame", "formation", "rules", "scripted", "strongest"],
    "evaluations": ["empty", "h1", "highscore"],
}


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="a document of the source tree")
@pytest.mark.parametrize(
    ("kind", "infos"), [("players", twofold.list_players()), ("evaluations", list_evaluations())]
)
def test_formulas_can_be_typeset(kind: str, infos: tuple[Any, ...]) -> None:
    """All but those in prose; the words in them are parameters, their choices, or evaluations."""
    from latex2mathml.converter import convert

    formulas = tomllib.loads((ROOT / "docs" / "formulas.toml").read_text("utf-8"))[kind]
    assert sorted([*formulas, *PROSE[kind]]) == sorted(info.name for info in infos if info.formula)
    names = {info.name for info in list_evaluations()} | {"score", "ln", "max", "min", "otherwise"}
    for info in infos:
        if info.name not in formulas:
            continue
        lines, where = formulas[info.name]["tex"].strip().split("\n"), formulas[info.name]["where"]
        for latex in [*lines, *re.findall(r"\$([^$]+)\$", where)]:
            mathml = convert(latex)
            ElementTree.fromstring(mathml)
            assert "\\" not in mathml, (info.name, latex)  # a command that it doesn't know
        words = {word for line in lines for word in re.findall(r"\\text\{(\w+)\}", line)}
        known = {word for each in info.parameters for word in (each.name, *map(str, each.choices or ()))}
        assert words <= known | names, info.name


_PATH = re.compile(r"(?<![\w./:-])(?:[\w-]+/)+[\w-]+\.(?:py|md)\b")
_BASES = ROOT, ROOT / "src", ROOT / "src" / "twofold"


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="a document of the source tree")
def test_files_that_are_named_exist() -> None:
    """Paths in documents, docstrings and comments: from the root, the package or the own folder of the file."""
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for folder in ("src", "tests", "benchmarks", "docs"):
        files += (ROOT / folder).rglob("*.py")
    dead = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in files
        if file not in GENERATED  # names there are links
        for name in _PATH.findall(file.read_text("utf-8"))
        if not name.startswith(("path/to/", "dir/"))  # examples
        and not name.startswith("docs/results/")  # written by the benchmarks
        and not any((base / name).exists() for base in (*_BASES, file.parent))
    ]
    assert dead == []
