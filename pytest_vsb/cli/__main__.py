"""``python -m pytest_vsb.cli``."""

import sys

from pytest_vsb.cli.main import main

sys.exit(main())
