"""A report as one HTML page that needs nothing else; see :mod:`pytest_vsb.report.html.page`."""
