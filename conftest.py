"""What pytest is told here and nowhere below. It is loaded for the demo benchmark, too, which is run
without the packages that tests need."""

pytest_plugins = ["pytester"]
