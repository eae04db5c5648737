"""placeholder"""

from dataclasses import dataclass


@dataclass
class Settings:
    store: str | None = None
    curves: tuple[str, ...] = ()


SETTINGS = Settings()
