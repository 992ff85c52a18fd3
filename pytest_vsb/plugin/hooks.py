"""pytest hooks of pytest-vsb."""
