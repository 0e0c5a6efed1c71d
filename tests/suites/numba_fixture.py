"""For pytest: a fixture of numba-cuda's tests, whose own file is not in the wheel. It only says how much a test that
fails prints."""
import pytest


@pytest.fixture
def initialize_from_pytest_config():
    pass
