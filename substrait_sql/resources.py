"""Where ``dialects/`` and ``templates/`` live: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
ROOT = _PACKAGE if (_PACKAGE / "dialects").is_dir() else _PACKAGE.parent
DIALECTS = ROOT / "dialects"
TEMPLATES = ROOT / "templates"
