"""How the studies write their pictures: whole or not at all, and the same bytes for the same figures."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from twofold.files import replacing


def save_svg(figure: Any, path: Path) -> None:
    """Write a matplotlib figure as SVG and close it."""
    import matplotlib.pyplot as plt

    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    with replacing(path) as stream:
        stream.write(buffer.getvalue())
