"""The documentation site: `make docs` builds it, offline, with warnings as errors."""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import twofold  # noqa: E402

project = "twofold"
author = "The twofold developers"
copyright = "the twofold developers, MIT licence"
release = version = twofold.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build", "results/*.json*", "**/.ipynb_checkpoints"]
nitpicky = False

# Notebooks run when the site is built, so what they show is real. Jupyter Cache keeps their output between builds.
nb_execution_mode = os.environ.get("TWOFOLD_DOCS_EXECUTE", "cache")
# Their kernels heed no settings of the user's, and don't warn that local sockets are not encrypted.
_profile = HERE / "_build" / "ipython" / "profile_default"
_profile.mkdir(parents=True, exist_ok=True)
(_profile / "ipython_kernel_config.py").write_text("get_config().IPKernelApp.log_level = 40\n", "utf-8")
os.environ["IPYTHONDIR"] = str(_profile.parent)
nb_execution_in_temp = True  # what a tutorial writes is no part of the site
nb_execution_timeout = 1200
nb_execution_raise_on_error = True
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
# Code blocks of other programs' files have no lexer here.
# Several classes have an attribute of the same name, and docstrings mention it without a class.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": False}
napoleon_google_docstring = True
napoleon_use_ivar = True

smartquotes = False  # they would make a dash of the two hyphens of an option
html_math_renderer = "mathml"  # below; the default one would fetch a script from a network
html_theme = "furo"
html_title = "twofold"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False


_NAMED = re.compile(r"([a-z_0-9]+(?:, [a-z_0-9]+)*): (.+)")


def _list_names(app: object, what: str, name: str, item: object, options: object, lines: list[str]) -> None:
    """Show the lines `name: meaning` of a docstring as a list, where they stand at its margin."""
    listed: list[str] = []
    inside = False
    for number, line in enumerate(lines):
        if line.startswith("|"):  # tables of modules are for readers of the code
            continue
        found = _NAMED.fullmatch(line) if number else None
        if found:
            listed += ([] if inside else [""]) + [f"- **{found[1]}**: {found[2]}"]
        elif inside and line[:1] == " ":
            listed.append(f"  {line.strip()}")
            continue
        else:
            listed += [""] * inside + [line]
        inside = found is not None
    lines[:] = listed


def _show_math(self: Any, node: Any) -> None:
    """Write LaTeX as MathML, which browsers typeset themselves."""
    from docutils.nodes import SkipNode, math_block
    from latex2mathml.converter import convert

    display = isinstance(node, math_block)
    mathml = convert(node.astext(), display="block" if display else "inline")
    self.body.append(f'<div class="math">{mathml}</div>\n' if display else mathml)
    raise SkipNode


def _offer_notebook(app: object, page: str, text: list[str]) -> None:
    """Put a link to its notebook below the title of a tutorial."""
    folder, _, name = page.partition("/")
    if folder == "tutorials":
        link = f"{{download}}`Download this page as a notebook <../_build/notebooks/{name}.ipynb>`"
        text[0] = re.sub(r"^# .*$", rf"\g<0>\n\n{link}", text[0], count=1, flags=re.MULTILINE)


def _drop_dead_links(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Take away viewcode's links from source to names that the reference has under another module."""
    if page.startswith("_modules/"):
        known = app.env.domains["py"].objects
        link = r'<a class="viewcode-back" href="[^"#]*#([^"]*)">.*?</a>'
        context["body"] = re.sub(link, lambda found: found[0] * (found[1] in known), context["body"])


def setup(app: Any) -> None:
    """Write the reference pages and the notebooks before the site is read."""
    from generate import write_notebooks, write_reference

    logging.getLogger("traitlets").setLevel(logging.WARNING)  # a line for each tutorial that is run
    write_reference(HERE / "reference")
    write_notebooks(HERE / "tutorials", HERE / "_build" / "notebooks")
    app.add_html_math_renderer("mathml", (_show_math, None), (_show_math, None))
    app.connect("source-read", _offer_notebook)
    app.connect("html-page-context", _drop_dead_links)
    app.connect("autodoc-process-docstring", _list_names, priority=400)
