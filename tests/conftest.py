"""What all tests share: where handed data lies, and the check that nothing is left open."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed data; tests that need it skip, visibly, where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared is not here")
    return SHARED
