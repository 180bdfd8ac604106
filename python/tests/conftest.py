"""What several tests use."""

import signal

import pytest


@pytest.fixture
def interruptible():
    """A program that was started in the background ignores SIGINT: not this test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
