"""What pytest is told here and nowhere below. It is loaded for the demo benchmark, too, which runs
without the packages that tests need."""

pytest_plugins = ["pytester"]
